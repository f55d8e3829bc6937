/* The tokenizer's state, and what the pieces of a document (xml_pieces.c) need of it. Internal to base/xml_fast.c and base/xml_pieces.c. */
#ifndef BASE_XML_FAST_PARTS_H
#define BASE_XML_FAST_PARTS_H

#include "base/vec.h"
#include "base/xml_fast.h"

enum { TAG_MAX = 64 << 10, ATTRIBUTES = 40 };
enum token { TOKEN, CUT, UNUSUAL, STOP };

struct xml_fast {
    struct mem *mem;
    const struct xml_handler *handler;
    void *arg;
    struct xml *x;
    unsigned depth, max_depth;
    bool has_root, has_doctype;
    bool is_piece; /* no more than tags and text is looked at, and not which element is inside which */
    /* the block */
    const char *begin, *end, *at;  /* at: what comes next */
    uint64_t begin_off, first_off; /* first_off: behind a byte order mark */
    /* the event that is given */
    const char *event, *tag, *tag_end;
    uint64_t given;
    int rc; /* of a handler */
    /* lines */
    const char *counted; /* up to where */
    uint64_t line_ends;
    VEC(char) open; /* names of the elements that are open, one behind the other */
    VEC(uint32_t) open_len;
    VEC(char) joined; /* the end of one piece and the next one */
    char *scratch;
    const char *attributes[2 * ATTRIBUTES + 1];
};

/* ---- xml_fast.c ---- */

/* Tokens up to the end of the block; CUT = what is left of it needs more. */
enum token xml_fast_tokens(struct xml_fast *f);
/* A whole tag, so near the end that there is no room for the longest mark. */
enum token xml_fast_last_tag(struct xml_fast *f);
/* Of the document: TOKEN = it is whole. */
enum token xml_fast_last_tokens(struct xml_fast *f);
/* Events of elements to the handler: the name ends with NUL, the attributes are f->attributes. */
enum token xml_fast_give_start(struct xml_fast *f, const char *name, size_t len);
enum token xml_fast_give_end(struct xml_fast *f, const char *name);
/* Whether the name begins like that of the element that is open; its length, 0 = it does not. */
size_t xml_fast_closes(const struct xml_fast *f, assay_slice name);
/* Goes past a byte order mark. */
void xml_fast_skip_mark(struct xml_fast *f);
/* Line ends up to there, before the block goes. */
void xml_fast_count_lines(struct xml_fast *f, const char *to);
/* The input cannot be unpacked: expat says up to where. */
bool xml_fast_is_of_bytes(int rc);

/* ---- xml_pieces.c ---- */

/* All of the document, whose pieces several threads tokenize ahead. UNUSUAL and STOP as in xml_fast_run; TOKEN = the end. */
enum token xml_fast_pieces(struct xml_fast *f, struct input *in, unsigned threads, assay_error *err);

#endif
