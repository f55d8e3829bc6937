/* A program to profile: its time goes into count_primes, the rest shows calls, recursion and a call through a pointer.
 *
 *     gcc -g -O1 -o demo examples/demo.c && valgrind --tool=callgrind ./demo */
#include <stdint.h>

#define KEEP __attribute__((noinline))

KEEP static int is_prime(int n)
{
    for (int d = 2; d * d <= n; d++)
        if (n % d == 0) return 0;
    return n > 1;
}

KEEP static int count_primes(int limit)
{
    int count = 0;
    for (int n = 0; n < limit; n++) count += is_prime(n);
    return count;
}

KEEP static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

KEEP static int is_odd(int n);
KEEP static int is_even(int n) { return n == 0 ? 1 : is_odd(n - 1); }
KEEP static int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1); }

KEEP static uint32_t mix(uint32_t h, uint32_t v) { return (h ^ v) * 16777619u; }

KEEP static uint32_t fold(uint32_t (*step)(uint32_t, uint32_t), uint32_t count)
{
    uint32_t h = 2166136261u;
    for (uint32_t i = 0; i < count; i++) h = step(h, i);
    return h;
}

int main(void)
{
    int primes = count_primes(600);
    int rabbits = fib(10);
    int even = is_even(12);
    uint32_t h = fold(mix, 64);
    return primes == 109 && rabbits == 55 && even && h ? 0 : 1;
}
