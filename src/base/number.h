/* Strict numbers from text, and exact numbers to text. No locale, no blanks, no wrap: what does not fit is said. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdint.h>

#include "assay/model.h"

enum number_result { NUMBER_OK = 0, NUMBER_BAD = 1 /* no digit, or a byte that does not belong */, NUMBER_RANGE = 2 };

/* The whole slice must be the number. Out of range: *out is the nearest value. */
enum number_result number_u64(assay_slice s, uint64_t *out);
enum number_result number_i64(assay_slice s, int64_t *out);
enum number_result number_hex(assay_slice s, uint64_t *out); /* without 0x */
/* [-]digits[.digits][e[+-]digits], correctly rounded; digits may be missing on one side of the point. Too small for a double is RANGE too. */
enum number_result number_double(assay_slice s, double *out);

/* Text of a number into buf; returns its length. 48 bytes always suffice. All texts of this header are also terminated. */
size_t number_put_u64(char *buf, uint64_t v);
size_t number_put_i64(char *buf, int64_t v);
size_t number_put_hex(char *buf, uint64_t v); /* lower case, without 0x */
size_t number_put_wide(char *buf, assay_wide v);
/* The shortest text that reads back to the same bits; NaN and infinities as "null". */
size_t number_put_double(char *buf, double v);

/* 128-bit sums. */
assay_wide wide_add_i64(assay_wide a, int64_t v);
assay_wide wide_add_u64(assay_wide a, uint64_t v);
assay_wide wide_add(assay_wide a, assay_wide b);
int wide_compare(assay_wide a, assay_wide b);
double wide_double(assay_wide a);

/* For people: 1234567 -> "1.23 M"; times and bytes scaled by `unit` ("ns", "us", "10ns", "ms", "s" or "sec", "nanoseconds" to "seconds", "bytes" or "B"; anything else is a count). */
size_t number_human(char *buf, double v, const char *unit);
/* "12.34%", rounded; "<0.01%" and ">-0.01%" for what would round to 0 and is not; "-" when whole is 0. */
size_t number_percent(char *buf, double part, double whole);
/* "12.3%" with so many decimals, and with more where they would say 0% or 100% of what is neither; "-" when total is 0. `buf` takes 48 bytes. */
size_t number_share(char *buf, uint64_t hit, uint64_t total, unsigned decimals);
/* The same for a share that is below `limit` percent: with as many decimals as it takes to see that. */
size_t number_share_below(char *buf, uint64_t hit, uint64_t total, unsigned decimals, double limit);
/* The same for programs: 100 * part / whole, not rounded and without the sign; "" when whole is 0. */
size_t number_percent_exact(char *buf, double part, double whole);

#endif
