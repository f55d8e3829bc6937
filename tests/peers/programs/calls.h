/* Inlined code of calls.c: its cost is at lines of this file, its calls are made by the functions around it. */
static inline __attribute__((always_inline)) unsigned mixed(unsigned n) { return (n ^ n >> 7) * 2654435761u; }

static inline __attribute__((always_inline)) unsigned scramble(unsigned n)
{
    unsigned sum = 0;
    for (int i = 0; i < 4; i++) sum += mixed(n + (unsigned)abs((int)(n % 9) - i));
    return sum;
}
