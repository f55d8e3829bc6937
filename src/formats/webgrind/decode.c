/* The decoder of webgrind files, versions 4 to 7. See decode.h for what it hands out, docs/formats/webgrind.md for the bytes.
 *
 * Where records begin is said twice: by the address table, and by the end of the record before, as no writer leaves gaps. When the two
 * disagree the decoder tries both and keeps the one whose record ends where the table says that the next one begins. */
#include "formats/webgrind/decode.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/cursor.h"

enum { PHASE_HEAD, PHASE_ADDRESSES, PHASE_FUNCTIONS, PHASE_ITEMS, PHASE_AREA, PHASE_LINES, PHASE_END };

/* Each try of a doubtful address may scan as far as the headers, so a hostile table must not buy more than a few. */
enum { MAX_PEEKS = 64 };

static const struct webgrind_layout layouts[] = {
    { 4, 4, { WEBGRIND_SELF, WEBGRIND_INCLUSIVE, WEBGRIND_CALL_COST, WEBGRIND_INVOCATIONS }, false, true },
    { 5, 4, { WEBGRIND_SELF, WEBGRIND_INCLUSIVE, WEBGRIND_INVOCATIONS, WEBGRIND_CALLED_FROM }, false, false },
    { 6, 5, { WEBGRIND_SELF, WEBGRIND_INCLUSIVE, WEBGRIND_INVOCATIONS, WEBGRIND_CALLED_FROM, WEBGRIND_SUB_CALLS }, true, false },
    { 7, 6, { WEBGRIND_LINE, WEBGRIND_SELF, WEBGRIND_INCLUSIVE, WEBGRIND_INVOCATIONS, WEBGRIND_CALLED_FROM, WEBGRIND_SUB_CALLS }, true, false },
};

const struct webgrind_layout *webgrind_layout(uint32_t version)
{
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (layouts[i].version == version) return &layouts[i];
    return NULL;
}

uint64_t webgrind_field_off(const struct webgrind_layout *layout, enum webgrind_field field)
{
    uint64_t i = 0;
    while (i < layout->count && layout->field[i] != field) i++;
    return 4 * i;
}

/* ---- bytes and damage ---- */

/* A cursor at `off` that ends at `end`; at the end when there is nothing. */
static struct cursor cursor_in(const struct webgrind_decoder *d, uint64_t off, uint64_t end)
{
    struct cursor c = cursor_of(d->bytes.data, end < d->bytes.len ? (size_t)end : d->bytes.len);
    if (!cursor_seek(&c, off)) c.at = c.end;
    return c;
}

static uint32_t u32_at(const struct webgrind_decoder *d, uint64_t off)
{
    struct cursor c = cursor_in(d, off, d->bytes.len);
    uint32_t v;
    (void)cursor_u32le(&c, &v);
    return v;
}

__attribute__((format(printf, 5, 6))) static struct webgrind_damage *damage(struct webgrind_decoder *d, const char *rule, int severity, uint64_t off,
                                                                            const char *fmt, ...)
{
    if (d->pending_count == WEBGRIND_PENDING) d->pending_count--;
    struct webgrind_pending *p = &d->pending[d->pending_count++];
    p->off = off;
    p->damage.rule = rule;
    p->damage.severity = severity;
    p->damage.is_fatal = false;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(p->damage.message, sizeof p->damage.message, fmt, ap);
    va_end(ap);
    return &p->damage;
}

static void check_nul(struct webgrind_decoder *d, assay_slice s, uint64_t off, const char *what)
{
    const char *nul = s.len ? memchr(s.data, 0, s.len) : NULL;
    if (nul) damage(d, "WG23", ASSAY_ERROR, off + (uint64_t)(nul - s.data), "the %s holds a NUL byte", what);
}

/* ---- the head ---- */

void webgrind_decoder_init(struct webgrind_decoder *d, assay_slice bytes)
{
    memset(d, 0, sizeof *d);
    d->bytes = bytes;
    d->phase = PHASE_HEAD;
    d->no_names = UINT64_MAX;
}

static void refuse(struct webgrind_decoder *d, struct webgrind_damage *why)
{
    why->is_fatal = true;
    d->phase = PHASE_END;
}

static void refuse_version(struct webgrind_decoder *d)
{
    uint32_t v = d->head.version, swapped = v << 24 | (v & 0xff00) << 8 | (v >> 8 & 0xff00) | v >> 24;
    if (v == 3)
        refuse(d, damage(d, "WG02", ASSAY_ERROR, 0, "version 3, which was written for one day in March 2008, is not supported: expected 4 to 7"));
    else if (webgrind_layout(swapped))
        refuse(d, damage(d, "WG02", ASSAY_ERROR, 0, "version 0x%08x: version %u with its bytes in the wrong order", v, swapped));
    else
        refuse(d, damage(d, "WG02", ASSAY_ERROR, 0, "version %u is not known: expected 4 to 7", v));
}

static bool step_function(struct webgrind_decoder *d, struct webgrind_record *r);

/* The area begins where the last function ends, but invocations that stand before it are checked against it: so look first. */
static void find_area(struct webgrind_decoder *d)
{
    struct webgrind_decoder scan = *d;
    struct webgrind_record r;
    scan.skip_items = true;
    scan.phase = PHASE_FUNCTIONS;
    while (scan.next < scan.head.function_count) {
        (void)step_function(&scan, &r);
        scan.pending_count = 0;
    }
    d->has_area = !scan.is_lost;
    d->area_begin = d->has_area ? scan.at : d->limit;
    d->area_count = (d->limit - d->area_begin) / WEBGRIND_CALL_LEN;
}

/* Where the functions end, or 0 after fatal damage. */
static uint64_t find_limit(struct webgrind_decoder *d, uint64_t table_end)
{
    uint64_t len = d->bytes.len, at = d->head.header_address;
    d->has_headers = at >= table_end && at <= len;
    if (d->has_headers) return at;
    struct webgrind_damage *why =
        at > len ? damage(d, "WG04", ASSAY_ERROR, 4, "header address %" PRIu64 " lies past the end of the file at %" PRIu64, at, len)
                 : damage(d, "WG04", ASSAY_ERROR, 4, "header address %" PRIu64 " lies before the end of the function table at %" PRIu64, at, table_end);
    if (d->keep_going) return len;
    refuse(d, why);
    return 0;
}

static void open_tables(struct webgrind_decoder *d)
{
    uint64_t table_end = WEBGRIND_HEAD_LEN + 4 * (uint64_t)d->head.function_count;
    d->layout = webgrind_layout(d->head.version);
    if (!d->layout) {
        refuse_version(d);
        return;
    }
    if (table_end > d->bytes.len) {
        refuse(d, damage(d, "WG03", ASSAY_ERROR, 8, "the table of %" PRIu32 " function addresses runs past the end of the file at %zu", d->head.function_count,
                         d->bytes.len));
        return;
    }
    d->limit = find_limit(d, table_end);
    if (d->phase == PHASE_END) return;
    d->phase = d->skip_items ? PHASE_FUNCTIONS : PHASE_ADDRESSES;
    d->at = table_end;
    if (d->layout->has_invocations) find_area(d);
}

static bool step_head(struct webgrind_decoder *d, struct webgrind_record *r)
{
    struct cursor c = cursor_in(d, 0, d->bytes.len);
    uint32_t *numbers[] = { &d->head.version, &d->head.header_address, &d->head.function_count };
    while (d->head.present < 3 && cursor_u32le(&c, numbers[d->head.present])) d->head.present++;
    if (d->head.present < 3)
        refuse(d, damage(d, "WG01", ASSAY_ERROR, cursor_off(&c), "the file of %zu bytes ends inside the 12-byte header", d->bytes.len));
    else
        open_tables(d);
    r->kind = WEBGRIND_RECORD_HEAD;
    r->off = 0;
    r->head = d->head;
    return true;
}

static bool step_address(struct webgrind_decoder *d, struct webgrind_record *r)
{
    if (d->next == d->head.function_count) {
        d->phase = PHASE_FUNCTIONS;
        d->next = 0;
        return false;
    }
    r->kind = WEBGRIND_RECORD_ADDRESS;
    r->off = WEBGRIND_HEAD_LEN + 4 * (uint64_t)d->next;
    r->address = (struct webgrind_address){ d->next, u32_at(d, r->off) };
    d->next++;
    return true;
}

/* ---- functions ---- */

static bool get_fields(struct webgrind_decoder *d, struct cursor *c, struct webgrind_function *f)
{
    for (; f->field_count < d->layout->count; f->field_count++) {
        if (cursor_u32le(c, &f->fields[d->layout->field[f->field_count]])) continue;
        damage(d, "WG01", ASSAY_ERROR, cursor_off(c), "number %" PRIu32 " of function %" PRIu32 " lies past the end of the functions at %" PRIu64,
               f->field_count, f->number, d->limit);
        return false;
    }
    return true;
}

static bool skip_counted(struct webgrind_decoder *d, struct cursor *c, const struct webgrind_function *f, uint64_t at, enum webgrind_field field, uint64_t size)
{
    uint32_t count = f->fields[field];
    if (cursor_fits(c, count, size)) return cursor_skip(c, count * size);
    damage(d, "WG07", ASSAY_ERROR, at + webgrind_field_off(d->layout, field),
           "function %" PRIu32 " claims %" PRIu32 " %s: only %zu bytes are left before %" PRIu64, f->number, count,
           field == WEBGRIND_INVOCATIONS   ? "invocations"
           : field == WEBGRIND_CALLED_FROM ? "called-from records"
                                           : "sub calls",
           cursor_left(c), d->limit);
    return false;
}

static bool get_names(struct webgrind_decoder *d, struct cursor *c, struct webgrind_function *f)
{
    f->file_off = cursor_off(c);
    bool hopeless = f->file_off >= d->no_names;
    if (!hopeless && cursor_until(c, '\n', &f->file)) {
        f->name_off = cursor_off(c);
        if (cursor_until(c, '\n', &f->name)) {
            check_nul(d, f->file, f->file_off, "file name");
            check_nul(d, f->name, f->name_off, "function name");
            return true;
        }
    }
    if (!hopeless) d->no_names = f->file_off;
    damage(d, "WG08", ASSAY_ERROR, cursor_off(c), "the %s name of function %" PRIu32 " does not end before %" PRIu64, f->name_off ? "function" : "file",
           f->number, d->limit);
    return false;
}

/* Takes the record at `at` apart, all but its items. */
static void scan_function(struct webgrind_decoder *d, uint32_t number, uint64_t at, struct webgrind_function *f)
{
    struct cursor c = cursor_in(d, at, d->limit);
    memset(f, 0, sizeof *f);
    f->number = number;
    if (!get_fields(d, &c, f)) return;
    if (d->layout->has_invocations) {
        if (!skip_counted(d, &c, f, at, WEBGRIND_INVOCATIONS, WEBGRIND_INVOCATION_LEN)) return;
    } else {
        if (!skip_counted(d, &c, f, at, WEBGRIND_CALLED_FROM, WEBGRIND_CALL_LEN)) return;
        if (d->layout->has_sub_calls && !skip_counted(d, &c, f, at, WEBGRIND_SUB_CALLS, WEBGRIND_CALL_LEN)) return;
    }
    f->is_whole = get_names(d, &c, f);
    f->end = cursor_off(&c);
}

/* Would a record at `at` end where the one after it begins? */
static bool fits_at(struct webgrind_decoder *d, uint64_t at)
{
    struct webgrind_function f;
    unsigned mark = d->pending_count;
    uint32_t after = d->next + 1;
    scan_function(d, d->next, at, &f);
    d->pending_count = mark;
    if (!f.is_whole) return false;
    if (after < d->head.function_count) return f.end == u32_at(d, WEBGRIND_HEAD_LEN + 4 * (uint64_t)after);
    return d->layout->has_invocations || f.end == d->limit;
}

/* Sets d->at to the record of function d->next; false = nobody knows where it is. */
static bool locate(struct webgrind_decoder *d)
{
    uint64_t entry = WEBGRIND_HEAD_LEN + 4 * (uint64_t)d->next, address = u32_at(d, entry);
    if (address >= d->limit)
        damage(d, "WG05", ASSAY_ERROR, entry, "address %" PRIu64 " of function %" PRIu32 " lies past the end of the functions at %" PRIu64, address, d->next,
               d->limit);
    if (d->is_lost) {
        if (address < d->limit && address <= d->at)
            damage(d, "WG06", ASSAY_ERROR, entry, "address %" PRIu64 " of function %" PRIu32 " lies inside the records before it", address, d->next);
        if (address >= d->limit || address <= d->at) return false;
        d->at = address;
        return true;
    }
    if (address < d->limit && address != d->at) {
        damage(d, "WG06", ASSAY_ERROR, entry, "address %" PRIu64 " of function %" PRIu32 " is not %" PRIu64 ", where the record before it ends", address,
               d->next, d->at);
        if (d->peeks < MAX_PEEKS) {
            d->peeks++;
            if (!fits_at(d, d->at) && fits_at(d, address)) d->at = address;
        }
    }
    if (d->at < d->limit) return true;
    d->is_lost = true;
    return false;
}

static void end_functions(struct webgrind_decoder *d)
{
    uint64_t odd = (d->limit - d->area_begin) % WEBGRIND_CALL_LEN;
    if (d->layout->has_invocations) {
        if (d->has_area && odd)
            damage(d, "WG12", ASSAY_ERROR, d->limit - odd, "the sub call area of %" PRIu64 " bytes is not a multiple of 16", d->limit - d->area_begin);
    } else if (!d->is_lost && d->has_headers && d->at != d->limit) {
        damage(d, "WG13", ASSAY_ERROR, 4, "header address %" PRIu64 " is not %" PRIu64 ", where the last function ends", d->limit, d->at);
    }
    d->phase = d->layout->has_invocations && !d->skip_items ? PHASE_AREA : PHASE_LINES;
    if (d->phase == PHASE_LINES) d->at = d->limit;
    d->next = 0;
}

static bool step_function(struct webgrind_decoder *d, struct webgrind_record *r)
{
    if (d->next == d->head.function_count) {
        end_functions(d);
        return false;
    }
    bool found = locate(d);
    if (!found) {
        d->next++;
        return false;
    }
    struct webgrind_function *f = &d->function;
    uint64_t at = d->at;
    scan_function(d, d->next++, at, f);
    d->is_lost = !f->is_whole;
    r->kind = WEBGRIND_RECORD_FUNCTION;
    r->off = at;
    r->function = *f;
    if (!f->is_whole) return true;
    d->at = f->end;
    d->item_at = at + webgrind_fields_len(d->layout);
    d->item = 0;
    d->item_count = d->layout->has_invocations ? f->fields[WEBGRIND_INVOCATIONS] : f->fields[WEBGRIND_CALLED_FROM] + f->fields[WEBGRIND_SUB_CALLS];
    if (d->item_count && !d->skip_items) d->phase = PHASE_ITEMS;
    return true;
}

/* ---- what stands inside a function ---- */

void webgrind_invocation_at(const struct webgrind_decoder *d, uint64_t off, struct webgrind_invocation *out)
{
    struct cursor c = cursor_in(d, off, d->limit);
    uint32_t *numbers[] = { &out->self, &out->inclusive,      &out->call_cost,       &out->caller, &out->caller_invocation,
                            &out->line, &out->sub_call_count, &out->sub_call_address };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) (void)cursor_u32le(&c, numbers[i]);
    out->has_caller = out->caller < d->head.function_count;
    uint64_t address = out->sub_call_address;
    out->has_sub_calls = d->has_area && address >= d->area_begin && address <= d->limit && (address - d->area_begin) % WEBGRIND_CALL_LEN == 0 &&
                         out->sub_call_count <= (d->limit - address) / WEBGRIND_CALL_LEN;
}

static void check_sub_calls(struct webgrind_decoder *d, uint64_t off, struct webgrind_invocation *v)
{
    uint64_t address = v->sub_call_address;
    if (!d->has_area) return;
    if (address < d->area_begin || address > d->limit || (address - d->area_begin) % WEBGRIND_CALL_LEN != 0) {
        damage(d, "WG11", ASSAY_ERROR, off + 28, "sub call address %" PRIu64 " of invocation %" PRIu32 " of function %" PRIu32 " is not at a sub call", address,
               v->index, v->function);
    } else if (!v->has_sub_calls) {
        damage(d, "WG07", ASSAY_ERROR, off + 24, "invocation %" PRIu32 " of function %" PRIu32 " claims %" PRIu32 " sub calls: only %" PRIu64 " bytes are left",
               v->index, v->function, v->sub_call_count, d->limit - address);
    } else if (v->sub_call_count > d->area_count - d->claimed) {
        /* Each entry belongs to one invocation; without this a small file could claim its area again and again. */
        v->has_sub_calls = false;
        damage(d, "WG11", ASSAY_ERROR, off + 28, "the sub calls of invocation %" PRIu32 " of function %" PRIu32 " already belong to another invocation",
               v->index, v->function);
    } else {
        d->claimed += v->sub_call_count;
    }
}

static void step_invocation(struct webgrind_decoder *d, struct webgrind_record *r)
{
    struct webgrind_invocation *v = &r->invocation;
    r->kind = WEBGRIND_RECORD_INVOCATION;
    r->off = d->item_at;
    webgrind_invocation_at(d, d->item_at, v);
    v->function = d->function.number;
    v->index = d->item;
    if (!v->has_caller && v->caller != WEBGRIND_NOBODY)
        damage(d, "WG09", ASSAY_ERROR, r->off + 12,
               "caller %" PRIu32 " of invocation %" PRIu32 " of function %" PRIu32 " is not one of the %" PRIu32 " functions", v->caller, v->index, v->function,
               d->head.function_count);
    check_sub_calls(d, r->off, v);
    d->item_at += WEBGRIND_INVOCATION_LEN;
}

void webgrind_call_at(const struct webgrind_decoder *d, uint64_t off, struct webgrind_call *out)
{
    struct cursor c = cursor_in(d, off, d->limit);
    (void)cursor_u32le(&c, &out->function);
    (void)cursor_u32le(&c, &out->line);
    (void)cursor_u32le(&c, &out->count);
    (void)cursor_u32le(&c, &out->cost);
    out->is_valid = out->function < d->head.function_count;
}

static void step_call(struct webgrind_decoder *d, struct webgrind_record *r)
{
    struct webgrind_call *c = &r->call;
    uint32_t from = d->function.fields[WEBGRIND_CALLED_FROM];
    r->kind = WEBGRIND_RECORD_CALL;
    r->off = d->item_at;
    webgrind_call_at(d, d->item_at, c);
    c->owner = d->function.number;
    c->is_sub_call = d->item >= from;
    c->index = c->is_sub_call ? d->item - from : d->item;
    if (!c->is_valid)
        damage(d, "WG09", ASSAY_ERROR, r->off, "%s %" PRIu32 " of function %" PRIu32 " names function %" PRIu32 ": there are %" PRIu32,
               c->is_sub_call ? "sub call" : "called-from record", c->index, c->owner, c->function, d->head.function_count);
    d->item_at += WEBGRIND_CALL_LEN;
}

static bool step_item(struct webgrind_decoder *d, struct webgrind_record *r)
{
    if (d->item == d->item_count) {
        d->phase = PHASE_FUNCTIONS;
        return false;
    }
    if (d->layout->has_invocations)
        step_invocation(d, r);
    else
        step_call(d, r);
    d->item++;
    return true;
}

/* ---- the area and the headers ---- */

bool webgrind_subcall_at(const struct webgrind_decoder *d, uint64_t index, struct webgrind_subcall *out)
{
    if (index >= d->area_count) return false;
    struct cursor c = cursor_in(d, d->area_begin + index * WEBGRIND_CALL_LEN, d->limit);
    out->index = (uint32_t)index;
    (void)cursor_u32le(&c, &out->function);
    (void)cursor_u32le(&c, &out->invocation);
    (void)cursor_u32le(&c, &out->line);
    (void)cursor_u32le(&c, &out->cost);
    out->is_valid = out->function < d->head.function_count;
    return true;
}

static bool step_subcall(struct webgrind_decoder *d, struct webgrind_record *r)
{
    if (!webgrind_subcall_at(d, d->next, &r->subcall)) {
        webgrind_to_lines(d);
        return false;
    }
    r->kind = WEBGRIND_RECORD_SUBCALL;
    r->off = d->area_begin + (uint64_t)d->next * WEBGRIND_CALL_LEN;
    if (!r->subcall.is_valid)
        damage(d, "WG09", ASSAY_ERROR, r->off, "sub call %" PRIu32 " names function %" PRIu32 ": there are %" PRIu32, d->next, r->subcall.function,
               d->head.function_count);
    d->next++;
    return true;
}

void webgrind_to_lines(struct webgrind_decoder *d)
{
    d->phase = d->has_headers ? PHASE_LINES : PHASE_END;
    d->at = d->limit;
    d->next = 0;
    d->pending_count = d->pending_next = 0;
}

static void split_line(struct webgrind_line *l)
{
    const char *colon = l->text.len ? memmem(l->text.data, l->text.len, ": ", 2) : NULL;
    l->has_key = colon != NULL;
    l->key = l->value = (assay_slice){ NULL, 0 };
    if (!colon) return;
    l->key = slice_from(l->text.data, colon);
    l->value = slice_from(colon + 2, l->text.data + l->text.len);
}

static bool step_line(struct webgrind_decoder *d, struct webgrind_record *r)
{
    struct cursor c = cursor_in(d, d->at, d->bytes.len);
    if (!d->has_headers || cursor_left(&c) == 0) {
        d->phase = PHASE_END;
        return false;
    }
    struct webgrind_line *l = &r->line;
    r->kind = WEBGRIND_RECORD_LINE;
    r->off = d->at;
    bool ended = cursor_until(&c, '\n', &l->text);
    if (!ended) (void)cursor_bytes(&c, cursor_left(&c), &l->text);
    l->index = d->next++;
    split_line(l);
    if (!ended)
        damage(d, "WG14", ASSAY_ERROR, d->bytes.len, "the last header line has no newline: the file is truncated");
    else if (!l->has_key)
        damage(d, "WG14", ASSAY_ERROR, r->off, "header line %" PRIu32 " has no ': '", l->index);
    check_nul(d, l->text, r->off, "header line");
    d->at = cursor_off(&c);
    return true;
}

/* ---- pulling ---- */

static bool step(struct webgrind_decoder *d, struct webgrind_record *r)
{
    switch (d->phase) {
    case PHASE_HEAD: return step_head(d, r);
    case PHASE_ADDRESSES: return step_address(d, r);
    case PHASE_FUNCTIONS: return step_function(d, r);
    case PHASE_ITEMS: return step_item(d, r);
    case PHASE_AREA: return step_subcall(d, r);
    default: return step_line(d, r);
    }
}

bool webgrind_next(struct webgrind_decoder *d, struct webgrind_record *r)
{
    for (;;) {
        if (d->pending_next < d->pending_count) {
            const struct webgrind_pending *p = &d->pending[d->pending_next++];
            r->kind = WEBGRIND_RECORD_DAMAGE;
            r->off = p->off;
            r->damage = p->damage;
            return true;
        }
        d->pending_next = d->pending_count = 0;
        if (d->phase == PHASE_END) return false;
        if (step(d, r)) return true;
    }
}
