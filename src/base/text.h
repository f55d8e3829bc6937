/* UTF-8 and escapes for people: names are bytes, terminals are not. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/output.h"

/* Length of the valid UTF-8 sequence at the start of s (1..4), 0 when the first byte does not begin one. *code may be NULL. */
unsigned text_utf8(assay_slice s, uint32_t *code);
/* Writes s for a terminal: valid printable UTF-8 as it is, control characters and other bytes as \xNN. So no name can send escape codes. */
void text_show(struct output *o, assay_slice s);
/* "0000001f     12  ": how a line of a dump begins, the offset in hex and the number of the line. */
void text_place(struct output *o, uint64_t off, uint64_t line);
/* Columns that text_show needs (wide East Asian characters count 2, combining ones 0). */
unsigned text_width(assay_slice s);
/* How many bytes of s, whole characters only, text_show fits into `columns`. */
size_t text_fit(assay_slice s, unsigned columns);
/* Edit distance (two letters that changed places are one step), for "did you mean"; at most `limit` + 1, which is also the answer for different words of more than 64 bytes. */
unsigned text_distance(const char *a, const char *b, unsigned limit);

/* A point in time, seconds since 1970, as the clock here shows it: d (as the locale has it), i (2026-01-31 12:30:00 +01:00), I (the same without blanks) or
 * s (the day). What is beyond the calendar is printed as a number. */
void text_time(struct output *out, uint64_t when, char what);

#endif
