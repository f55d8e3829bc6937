/* Inlined helpers of program.c and program.cc. */
static inline int square(int x) { return x * x; }

static inline int scale(int x)
{
    int y = square(x);
    return y & 1 ? y * 3 : y / 7;
}
