// Templates whose conditions are constant in some instances, exceptions, lambdas, inheritance.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

template <typename T, bool Checked> T pick(const std::vector<T> &from, size_t at)
{
    if (Checked && at >= from.size()) throw std::out_of_range("at");
    return from[at];
}

template <typename T> T clamp(T value, T low, T high)
{
    return value < low ? low : value > high ? high : value;
}

struct shape {
    virtual ~shape() {}
    virtual double area() const = 0;
};
struct square : shape {
    explicit square(double side) : side(side) {}
    double area() const override { return side * side; }
    double side;
};
struct unused : shape {
    double area() const override { return 0; }
};

static int tries(const std::vector<int> &list, size_t at)
{
    try {
        return pick<int, true>(list, at);
    } catch (const std::out_of_range &) {
        return -1;
    }
}

int main(int argc, char **)
{
    std::vector<int> list = { 1, 2, 3 };
    std::vector<std::string> names = { "a", "b" };
    auto count = [&](int least) {
        int n = 0;
        for (int v : list)
            if (v >= least) n++;
        return n;
    };
    square s(2);
    const shape *p = &s;
    std::printf("%d %d %d %s %g\n", tries(list, 1), tries(list, 9), pick<int, false>(list, 0), pick<std::string, false>(names, 1).c_str(), p->area());
    std::printf("%d %g %d\n", clamp(argc, 2, 5), clamp(0.5, 0.0, 1.0), count(2));
    return 0;
}
