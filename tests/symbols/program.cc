/* What symbols.py compiles and asks llvm-symbolizer about: inlining across files and in depth, templates, lambdas, a loop, cold code, a function that
 * the linker drops. */
#include "program.h"

namespace deep
{
template <class T> struct Box {
    T v;
    inline T twice() const { return v + v; }
    static int count(int n)
    {
        int s = 0;
        for (int i = 0; i < n; i++) s += i % 3;
        return s;
    }
};
static inline int mix(int a, int b)
{
    Box<int> x{ a };
    return x.twice() * b + Box<long>::count(b);
}
} // namespace deep

extern "C" int dropped(int a) { return square(a) + 1; }

__attribute__((noinline)) int work(const int *v, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) s += deep::mix(v[i], s & 7) + scale(i);
    return s;
}

__attribute__((noinline, cold)) int rare(int a)
{
    auto f = [a](int b) { return square(a) * b; };
    return f(3) + f(a);
}

int main(int argc, char **argv)
{
    int v[10];
    for (int i = 0; i < 10; i++) v[i] = deep::mix(i, argc);
    if (argc > 3) return rare(argc) + argv[1][0];
    return work(v, 10);
}
