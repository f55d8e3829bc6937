/* Go cover profiles (go test -coverprofile): lines -> records. The only parser of this format; read, check and dump pull from it.
 * docs/formats/go-cover.md has the grammar. Damage goes to the findings list, and decoding goes on with the next line. */
#ifndef FORMATS_GO_COVER_DECODE_H
#define FORMATS_GO_COVER_DECODE_H

#include "base/lines.h"

enum go_kind { GO_END = 0, GO_MODE, GO_BLOCK, GO_OTHER /* blank or not understood; only with d->wants_all */ };
enum go_mode { GO_NO_MODE = 0, GO_SET, GO_COUNT, GO_ATOMIC };

/* Where a block stands: lines and byte columns from 1, the end exclusive. */
struct go_place {
    uint32_t first, first_column, last, last_column;
};

struct go_record {
    enum go_kind kind;
    uint64_t off, number; /* of the line */
    assay_slice text;
    enum go_mode mode;
    assay_slice path;
    struct go_place place;
    uint32_t statements;
    uint64_t count;
};

struct go_decoder {
    struct lines lines;
    struct findings *damage;
    assay_error *err;
    enum go_mode mode; /* the first one */
    bool wants_all, said_no_mode;
};

enum { GO_LINE_MAX = 0x7fffffff };

/* `in`, `damage` and `err` are borrowed until go_done. */
void go_init(struct go_decoder *d, struct input *in, struct mem *mem, struct findings *damage, assay_error *err);
void go_done(struct go_decoder *d);
/* The next record. 0 or an error of input or memory; kind GO_END at the end. Slices last until the next call. */
int go_next(struct go_decoder *d, struct go_record *r);
/* "set", "count", "atomic"; "" for none */
const char *go_mode_name(enum go_mode mode);

#endif
