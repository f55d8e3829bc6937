/* A function that two units have each for themselves. */
static inline int is_even(int n)
{
    if (n % 2 == 0) return 1;
    return 0;
}
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
