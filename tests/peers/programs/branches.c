/* Branches of every kind: conditions that the compiler knows, macros, switches, loops, what is never called. */
#include <stdio.h>
#include <stdlib.h>

#include "branches.h"

enum { DEBUG = 0 };
int other(int n);

static int never_called(int n) { return n > 3 && is_even(n) ? 1 : 2; }

static const char *name_of(int n)
{
    switch (n) {
    case 0: return "zero";
    case 1: return "one";
    case 7: return "seven";
    default: return n < 0 ? "below" : "many";
    }
}

int main(int argc, char **argv)
{
    int sum = 0;
    if (DEBUG && argc > 100) printf("never\n");
    for (int i = 0; i < 5 || argc > 100; i++) sum += is_even(i) ? i : LARGER(i, 2);
    do {
        sum += other(sum);
    } while (0);
    while (1) {
        if (sum++ > 40) break;
    }
    printf("%s %s %d\n", name_of(1), name_of(sum), sum);
    return argc > 100 ? never_called(argc) : argv == NULL;
}
