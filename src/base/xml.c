/* expat behind one seam, and the quick tokenizer before it; see base/xml.h. Where the tokenizer gives up, expat begins anew, and what was given
 * already is not given again. */
#include "base/xml.h"

#include <string.h>

const char *xml_attribute(const char *const *attributes, const char *name)
{
    for (; attributes[0]; attributes += 2)
        if (*attributes[0] == *name && strcmp(attributes[0], name) == 0) return attributes[1]; /* most differ in the first letter */
    return NULL;
}

#ifdef ASSAY_HAVE_EXPAT
#include <expat.h>

#include "base/inflate.h"
#include "base/xml_fast.h"

enum { MAX_DEPTH = 1000, MAX_MARKUP = 16 << 20, PIECE = 256 << 10 };

struct xml {
    struct xml_fast *fast; /* NULL = expat is at work */
    XML_Parser parser;
    uint64_t given;          /* events of elements by this parser, with those that were skipped */
    uint64_t skip, skip_off; /* events of elements, and the offset up to which all has been given */
    const struct xml_handler *handler;
    void *arg;
    assay_error *err;
    unsigned depth, max_depth;
    int rc; /* what ended it before its time */
    bool is_not_utf8;
};

/* ---- memory: expat's functions have no argument to say whose memory it is ---- */

static _Thread_local struct mem *owner;

static void *give(size_t len) { return inflate_alloc(owner, len); }
static void take(void *p) { inflate_release(owner, p); }
static void *change(void *p, size_t len) { return inflate_realloc(owner, p, len); }

/* ---- events ---- */

static void stop(struct xml *x, int rc)
{
    x->rc = rc;
    (void)XML_StopParser(x->parser, XML_FALSE);
}

static void XMLCALL on_start(void *user, const XML_Char *name, const XML_Char **attributes)
{
    struct xml *x = user;
    if (x->rc) return;
    x->given++;
    if (++x->depth > x->max_depth)
        stop(x, error_line(x->err, ASSAY_ERR_LIMIT, xml_off(x), xml_line(x), "elements are nested deeper than %u", x->max_depth));
    else if (x->skip)
        x->skip--;
    else if (x->handler->start) {
        int rc = x->handler->start(x->arg, x, name, (const char *const *)attributes);
        if (rc) stop(x, rc);
    }
}

static void XMLCALL on_end(void *user, const XML_Char *name)
{
    struct xml *x = user;
    if (x->rc) return;
    x->given++;
    x->depth--;
    if (x->skip) {
        x->skip--;
        return;
    }
    int rc = x->handler->end ? x->handler->end(x->arg, x, name) : 0;
    if (rc) stop(x, rc);
}

static void XMLCALL on_text(void *user, const XML_Char *text, int len)
{
    struct xml *x = user;
    if (x->rc || x->skip || xml_off(x) < x->skip_off) return;
    int rc = x->handler->text(x->arg, x, (assay_slice){ text, (size_t)len });
    if (rc) stop(x, rc);
}

/* Where the markup begins that the current event stands in: `open` before it, near. expat points behind the name. */
static uint64_t markup_off(const struct xml *x, const char *open)
{
    int at = 0, size = 0;
    const char *context = XML_GetInputContext(x->parser, &at, &size);
    size_t len = strlen(open);
    for (int i = at; context && i >= 0 && at - i < 4096; i--)
        if ((size_t)(size - i) >= len && memcmp(context + i, open, len) == 0) return xml_off(x) - (uint64_t)(at - i);
    return xml_off(x);
}

/* Values of attributes would be expanded whatever the handlers: so whoever declares an entity is sent away. */
static void XMLCALL on_entity(void *user, const XML_Char *name, int is_parameter, const XML_Char *value, int len, const XML_Char *base,
                              const XML_Char *system_id, const XML_Char *public_id, const XML_Char *notation)
{
    struct xml *x = user;
    (void)is_parameter, (void)value, (void)len, (void)base, (void)system_id, (void)public_id, (void)notation;
    if (x->rc) return;
    stop(x, error_line(x->err, ASSAY_ERR_UNSUPPORTED, markup_off(x, "<!ENTITY"), xml_line(x), "declares the entity '%.64s'; assay does not expand entities",
                       name));
}

/* ---- places ---- */

uint64_t xml_off(const struct xml *x)
{
    if (x->fast) return xml_fast_off(x->fast);
    XML_Index at = XML_GetCurrentByteIndex(x->parser);
    return at < 0 ? 0 : (uint64_t)at;
}

uint64_t xml_line(const struct xml *x) { return x->fast ? xml_fast_line(x->fast) : XML_GetCurrentLineNumber(x->parser); }

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* Goes over one attribute of a tag: [blanks] name [blanks] = [blanks] quote value quote. NULL = there is none. */
static const char *next_attribute(const char *p, const char *end, assay_slice *name, const char **value)
{
    while (p < end && is_blank(*p)) p++;
    const char *begin = p;
    while (p < end && !is_blank(*p) && *p != '=') p++;
    *name = slice_from(begin, p);
    while (p < end && *p != '"' && *p != '\'') p++;
    if (p == end) return NULL;
    *value = p + 1;
    const char *close = memchr(p + 1, *p, (size_t)(end - p - 1));
    return close ? close + 1 : NULL;
}

/* The bytes of the tag that a handler is in; empty = not at hand. */
static assay_slice tag_bytes(const struct xml *x)
{
    if (x->fast) return xml_fast_tag(x->fast);
    int at = 0, size = 0, len = XML_GetCurrentByteCount(x->parser);
    const char *context = XML_GetInputContext(x->parser, &at, &size);
    if (!context || at < 0 || len <= 0 || size - at < len) return (assay_slice){ "", 0 };
    return (assay_slice){ context + at, (size_t)len };
}

void xml_attribute_off(const struct xml *x, const char *name, uint64_t *name_off, uint64_t *value_off)
{
    assay_slice tag = tag_bytes(x);
    const char *begin = tag.data, *p = begin, *end = begin + tag.len, *value;
    *name_off = *value_off = xml_off(x);
    assay_slice found;
    while (p < end && !is_blank(*p)) p++;
    while ((p = next_attribute(p, end, &found, &value))) {
        if (!slice_is(found, name)) continue;
        *name_off += (uint64_t)(found.data - begin);
        *value_off += (uint64_t)(value - begin);
        return;
    }
}

/* ---- parsing ---- */

/* A byte outside ASCII where expat found no character. */
static bool is_at_bad_byte(const struct xml *x)
{
    int at = 0, size = 0;
    const char *context = XML_GetInputContext(x->parser, &at, &size);
    return context && at >= 0 && at < size && (unsigned char)context[at] >= 0x80;
}

static int refuse(struct xml *x)
{
    enum XML_Error code = XML_GetErrorCode(x->parser);
    x->is_not_utf8 = code == XML_ERROR_INVALID_TOKEN && is_at_bad_byte(x);
    if (x->rc) return x->rc;
    if (code == XML_ERROR_NO_MEMORY) return error_memory(x->err);
    bool is_cut =
        code == XML_ERROR_UNCLOSED_TOKEN || code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_CDATA_SECTION || code == XML_ERROR_PARTIAL_CHAR;
    uint64_t off = code == XML_ERROR_TAG_MISMATCH ? markup_off(x, "</") : xml_off(x);
    return error_line(x->err, is_cut ? ASSAY_ERR_TRUNCATED : ASSAY_ERR_DAMAGED, off, xml_line(x), "not well-formed XML: %s", XML_ErrorString(code));
}

/* Gives expat a piece in its own buffer, so that a tag is in one place when a message needs it. */
static int parse_piece(struct xml *x, assay_slice piece)
{
    void *room = XML_GetBuffer(x->parser, (int)piece.len);
    if (!room) return refuse(x);
    memcpy(room, piece.data, piece.len);
    return XML_ParseBuffer(x->parser, (int)piece.len, false) == XML_STATUS_OK ? 0 : refuse(x);
}

/* By XML_Parse: whether a parser that has seen no byte has a buffer of length 0 depends on the release of expat. */
static int parse_end(struct xml *x) { return XML_Parse(x->parser, "", 0, true) == XML_STATUS_OK ? 0 : refuse(x); }

static int parse_block(struct xml *x, assay_slice block, uint64_t off, uint64_t max_markup)
{
    while (block.len) {
        assay_slice piece = { block.data, block.len < PIECE ? block.len : PIECE };
        TRY(parse_piece(x, piece));
        block.data += piece.len;
        block.len -= piece.len;
        off += piece.len;
        if (off - xml_off(x) > max_markup)
            return error_line(x->err, ASSAY_ERR_LIMIT, xml_off(x), xml_line(x), "a tag, comment or declaration is longer than %llu bytes",
                              (unsigned long long)max_markup);
    }
    return 0;
}

static int parse_input(struct xml *x, struct input *in, const struct xml_options *o)
{
    assay_slice block;
    uint64_t off;
    for (;;) {
        TRY(input_block(in, false, &block, &off, x->err));
        if (block.len == 0) return parse_end(x);
        TRY(parse_block(x, block, off, o->max_markup ? o->max_markup : MAX_MARKUP));
    }
}

/* `encoding`: NULL = the document's own */
static int parse_as(struct xml *x, struct input *in, const struct xml_options *options, const char *encoding)
{
    static const XML_Memory_Handling_Suite suite = { give, change, take };
    struct mem *before = owner;
    owner = options->mem;
    int rc = 0;
    x->parser = XML_ParserCreate_MM(encoding, &suite, NULL);
    if (!x->parser)
        rc = error_memory(x->err);
    else {
        XML_SetUserData(x->parser, x);
        XML_SetElementHandler(x->parser, on_start, on_end);
        if (x->handler->text) XML_SetCharacterDataHandler(x->parser, on_text);
        XML_SetEntityDeclHandler(x->parser, on_entity);
        rc = parse_input(x, in, options);
        XML_ParserFree(x->parser);
    }
    owner = before;
    return rc;
}

static int parse_with_expat(struct xml *x, struct input *in, const struct xml_options *options)
{
    int rc = parse_as(x, in, options, NULL);
    if (!x->is_not_utf8 || !options->latin1_off || !input_can_rewind(in)) return rc;
    *options->latin1_off = x->skip_off = x->err->offset;
    x->skip = x->given;
    x->given = x->depth = 0;
    *x->err = (assay_error){ 0 };
    TRY(input_rewind(in, x->err));
    return parse_as(x, in, options, "ISO-8859-1");
}

/* true = all is done, with *rc; false = expat goes over it from the start, and gives what was not given. */
static bool parse_quickly(struct xml *x, struct input *in, const struct xml_options *options, int *rc)
{
    x->fast = xml_fast_new(options, x->max_depth, x->handler, x->arg, x);
    if (!x->fast) {
        *rc = error_memory(x->err);
        return true;
    }
    enum xml_fast_result result = xml_fast_run(x->fast, in, options->threads, rc, x->err);
    x->skip = xml_fast_given(x->fast);
    x->skip_off = xml_fast_reached(x->fast);
    xml_fast_free(x->fast);
    x->fast = NULL;
    if (result != XML_FAST_UNUSUAL) return true;
    *x->err = (assay_error){ 0 };
    *rc = input_rewind(in, x->err);
    return *rc != 0;
}

int xml_parse(struct input *in, const struct xml_options *options, const struct xml_handler *handler, void *arg, assay_error *err)
{
    assay_error own = { 0 };
    struct xml x = { .handler = handler, .arg = arg, .err = err ? err : &own, .max_depth = options->max_depth ? options->max_depth : MAX_DEPTH };
    int rc = 0;
    if (options->latin1_off) *options->latin1_off = UINT64_MAX;
    if (!options->only_expat && input_can_rewind(in) && parse_quickly(&x, in, options, &rc)) return rc;
    return parse_with_expat(&x, in, options);
}

#else

int xml_parse(struct input *in, const struct xml_options *options, const struct xml_handler *handler, void *arg, assay_error *err)
{
    (void)in, (void)options, (void)handler, (void)arg;
    FAIL(err, ASSAY_ERR_UNSUPPORTED, "this build of assay cannot read XML: it was built without expat");
}

uint64_t xml_off(const struct xml *x) { return (void)x, 0; }
uint64_t xml_line(const struct xml *x) { return (void)x, 0; }
void xml_attribute_off(const struct xml *x, const char *name, uint64_t *name_off, uint64_t *value_off) { (void)x, (void)name, *name_off = *value_off = 0; }

#endif
