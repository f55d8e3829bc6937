/* What symbols.py compiles and asks addr2line about: inlining across files and in depth, a loop, cold code, a function that the linker drops. C
 * because binutils 2.40 gives the innermost frame the name of the ELF symbol where a C++ function has no linkage name; program.cc is for C++. */
#include "program.h"

static inline int mix(int a, int b)
{
    int s = 0;
    for (int i = 0; i < b; i++) s += scale(i % 3);
    return square(a) + s;
}

int dropped(int a) { return square(a) + 1; }

__attribute__((noinline)) static int work(const int *v, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) s += mix(v[i], s & 7) + scale(i);
    return s;
}

__attribute__((noinline, cold)) static int rare(int a) { return square(a) * mix(a, 3); }

int main(int argc, char **argv)
{
    int v[10];
    for (int i = 0; i < 10; i++) v[i] = mix(i, argc);
    if (argc > 3) return rare(argc) + argv[1][0];
    return work(v, 10);
}
