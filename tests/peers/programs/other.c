/* The second unit that includes branches.h. */
#include "branches.h"

int other(int n)
{
    if (is_even(n) && n > 2) return 1;
    return LARGER(n, 1) - 1;
}
