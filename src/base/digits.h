/* The decimal digits of a double, and the two ways to lay them out. Shared by exact numbers (number.c) and those for people
 * (number_human.c). Does not depend on the locale. */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

#include <stddef.h>

enum { DIGITS_MAX = 17 };

/* text[0].text[1]text[2]... times 10^exp */
struct digits {
    char text[DIGITS_MAX + 1];
    unsigned count;
    int exp;
};

/* v (finite, >= 0) correctly rounded to `count` significant digits, 1 to DIGITS_MAX. */
struct digits digits_of(double v, unsigned count);
/* 0.00123, 1.23, 123, 12300: terminated; returns the length. Room needed: |exp| + count + 3. */
size_t digits_plain(char *buf, const struct digits *d);
/* 1.23e+45: terminated; returns the length. 26 bytes suffice. */
size_t digits_scientific(char *buf, const struct digits *d);

#endif
