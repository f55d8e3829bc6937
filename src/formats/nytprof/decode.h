/* The stream of Devel::NYTProf, bytes -> records: the only parser of this format. Versions 2.0 to 5.0; docs/formats/nytprof.md has the bytes.
 *
 * Records are pulled one by one from the blocks of an input; a 'z' record opens the compressed part, which is inflated on the way. What a
 * record points to lasts until the next call. Damage is a record too; after a fatal one the stream is over, because no record says where
 * the next one begins. The decoder builds nothing and remembers nothing of what the records say but version, nv_size and byte order. */
#ifndef FORMATS_NYTPROF_DECODE_H
#define FORMATS_NYTPROF_DECODE_H

#include "base/cursor.h"
#include "base/error.h"
#include "base/input.h"

enum { NYTPROF_MESSAGE_LEN = 200, NYTPROF_TAIL_SHOWN = 256 };
#define NYTPROF_MAX_TEXT ((uint32_t)64 << 20) /* longer strings and lines are taken for damage */

/* The tags of the stream, and three of ours. */
enum nytprof_tag {
    NYTPROF_VERSION = 'V', /* the first line */
    NYTPROF_TAIL = 'T',    /* what follows the end of the compressed part, one record in any case */
    NYTPROF_DAMAGE = '?',
    NYTPROF_ATTRIBUTE = ':',
    NYTPROF_OPTION = '!',
    NYTPROF_COMMENT = '#',
    NYTPROF_START_DEFLATE = 'z',
    NYTPROF_PID_START = 'P',
    NYTPROF_PID_END = 'p',
    NYTPROF_NEW_FID = '@',
    NYTPROF_TIME_LINE = '+',
    NYTPROF_TIME_BLOCK = '*',
    NYTPROF_DISCOUNT = '-',
    NYTPROF_SUB_ENTRY = '>',
    NYTPROF_SUB_RETURN = '<',
    NYTPROF_SUB_INFO = 's',
    NYTPROF_SUB_CALLERS = 'c',
    NYTPROF_SRC_LINE = 'S'
};

/* The specification's name of a tag, "" for none. Static storage. */
const char *nytprof_tag_name(char tag);

enum nytprof_file_flags { NYTPROF_HAS_SRC = 0x10, NYTPROF_SAVE_SRC = 0x20, NYTPROF_IS_FAKE = 0x80, NYTPROF_IS_EVAL = 0x100, NYTPROF_FLAGS_KNOWN = 0x1ff };

struct nytprof_text {
    assay_slice bytes; /* borrowed until the next record */
    bool is_utf8;      /* tagged so */
};

struct nytprof_time {
    int32_t ticks;
    uint32_t fid, line, block_line, sub_line; /* the last two of TIME_BLOCK */
};
struct nytprof_site {
    uint32_t fid, line;
};
struct nytprof_return {
    uint32_t depth;
    double incl, excl; /* ticks */
    struct nytprof_text name;
};
struct nytprof_file {
    uint32_t fid, eval_fid, eval_line, flags, size, mtime;
    struct nytprof_text name;
};
struct nytprof_sub {
    uint32_t fid, first, last;
    struct nytprof_text name;
};
struct nytprof_call {
    uint32_t fid, line, count, depth;
    double incl, excl, reci; /* seconds */
    bool has_caller;         /* not in 2.x */
    struct nytprof_text caller, called;
};
struct nytprof_source {
    uint32_t fid, line;
    struct nytprof_text text;
};
struct nytprof_process {
    uint32_t pid, ppid;
    bool has_time; /* not in 2.0 */
    double time;
};
struct nytprof_line {
    assay_slice text; /* without tag and newline */
    bool has_key;
    assay_slice key, value;
};
struct nytprof_version {
    uint32_t major, minor;
};
struct nytprof_tail {
    uint64_t len, packed_end; /* bytes after the compressed part; where it ended in the file */
    bool is_comment;          /* nothing but lines that begin with '#' */
    assay_slice begin;        /* at most NYTPROF_TAIL_SHOWN of them */
};
struct nytprof_damage {
    const char *rule;
    int severity; /* enum assay_severity */
    bool is_fatal;
    char message[NYTPROF_MESSAGE_LEN];
};

struct nytprof_record {
    char tag;         /* enum nytprof_tag */
    bool is_wide;     /* an integer is longer than it needs to be */
    bool is_inflated; /* off counts in the compressed part */
    uint64_t off;     /* of the tag */
    union {
        struct nytprof_time time;
        struct nytprof_site entry;
        struct nytprof_return ret;
        struct nytprof_file file;
        struct nytprof_sub sub;
        struct nytprof_call call;
        struct nytprof_source source;
        struct nytprof_process process;
        struct nytprof_line text;
        struct nytprof_version version;
        struct nytprof_tail tail;
        struct nytprof_damage damage;
    };
};

/* Read only for users. */
struct nytprof_decoder {
    struct input *in;     /* borrowed */
    struct input *inside; /* the compressed part; NULL = not in it */
    struct nytprof_version version;
    bool is_inflated; /* the compressed part has begun */
    bool is_swapped;  /* doubles are most significant byte first */
    bool has_swap;    /* a time told which */
    struct cursor c;  /* the block; begin is at `off` */
    uint64_t off;
    uint64_t used;  /* bytes of the file that were looked at, when the end has come */
    size_t scanned; /* of a text line that goes on in the next block: no newline so far */
    int state;
    int ended; /* 0, or the code of what ended the compressed part or a compressed file early */
    assay_error ended_by;
    char tail[NYTPROF_TAIL_SHOWN];
    bool has_pending;
    struct nytprof_record pending;
};

/* `in` is borrowed until nytprof_decoder_done. */
void nytprof_decoder_init(struct nytprof_decoder *d, struct input *in);
void nytprof_decoder_done(struct nytprof_decoder *d);

/* 1 = a record, 0 = the end, negative = an error that keeps it from looking (SYSTEM, MEMORY, LIMIT, CANCELLED). */
int nytprof_next_any(struct nytprof_decoder *d, struct nytprof_record *r, assay_error *err);

/* Offset of the next record. */
static inline uint64_t nytprof_off(const struct nytprof_decoder *d) { return d->off + cursor_off(&d->c); }

/* An integer of one to five bytes; false = the block ends before it does. */
bool nytprof_int(struct cursor *c, uint32_t *out, bool *is_wide);

/* The end of a statement time in most of its forms: each number has one or two bytes. Longer or padded ones are for nytprof_next_any. */
static inline const unsigned char *nytprof_short_int(const unsigned char *p, uint32_t *out)
{
    uint32_t first = *p++;
    if (first < 0x80) {
        *out = first;
        return p;
    }
    uint32_t two = (first & 0x3f) << 8 | *p++;
    *out = two;
    return first < 0xc0 && two >= 0x80 ? p : NULL;
}

enum { NYTPROF_SHORT_TIME = 7 };

/* The statement times, which most of a stream consists of, without a call; everything else by nytprof_next_any. */
static inline int nytprof_next(struct nytprof_decoder *d, struct nytprof_record *r, assay_error *err)
{
    const unsigned char *p = d->c.at;
    if (d->has_pending || d->c.end - p < NYTPROF_SHORT_TIME) return nytprof_next_any(d, r, err);
    if (*p == NYTPROF_TIME_LINE) {
        uint32_t ticks, fid, line;
        const unsigned char *q = nytprof_short_int(p + 1, &ticks);
        if (q) q = nytprof_short_int(q, &fid);
        if (q) q = nytprof_short_int(q, &line);
        if (q) {
            r->tag = NYTPROF_TIME_LINE;
            r->is_wide = false;
            r->is_inflated = d->is_inflated;
            r->off = nytprof_off(d);
            r->time.ticks = (int32_t)ticks;
            r->time.fid = fid;
            r->time.line = line;
            d->c.at = q;
            return 1;
        }
    } else if (*p == NYTPROF_DISCOUNT) {
        r->tag = NYTPROF_DISCOUNT;
        r->is_wide = false;
        r->is_inflated = d->is_inflated;
        r->off = nytprof_off(d);
        d->c.at = p + 1;
        return 1;
    }
    return nytprof_next_any(d, r, err);
}

/* Whether a name is text in UTF-8 as it stands; otherwise its bytes are Latin-1. */
bool nytprof_is_utf8(assay_slice s);

#endif
