/* Calls of every kind: direct and mutual recursion, by pointer, by the C library, of inlined code, of one function from several lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"

static __attribute__((noinline)) int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

static int odd(int n);
static __attribute__((noinline)) int even(int n) { return n == 0 ? 1 : odd(n - 1) + n % 3; }
static __attribute__((noinline)) int odd(int n) { return n == 0 ? 0 : even(n - 1) + n % 5; }

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static __attribute__((noinline)) int search(const int *values, int count)
{
    int found = 0;
    for (int i = 0; i < count; i++)
        if (bsearch(&i, values, (size_t)count, sizeof *values, by_value)) found++;
    return found;
}

static __attribute__((noinline)) int apply(int (*function)(int), int n) { return function(n) + function(n / 2); }

int main(void)
{
    int values[200];
    unsigned seed = 7;
    for (int i = 0; i < 200; i++) values[i] = (int)((seed = scramble(seed)) % 250);
    qsort(values, 200, sizeof values[0], by_value);
    char text[64];
    snprintf(text, sizeof text, "%d %d %d", search(values, 200), apply(fib, 14), apply(even, 9) + even(20) + odd(7));
    for (int i = 0; i < 3; i++) puts(text + strlen(text) / 2);
    return 0;
}
