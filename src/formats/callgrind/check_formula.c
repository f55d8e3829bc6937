/* Derived events, `event: NAME = 10 A + B - 2*C : long name`: is each formula well formed, and does none use itself (CG27)? */
#include "base/error.h"
#include "formats/callgrind/check.h"

static bool is_blank(char c) { return c == ' ' || c == '\t'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* One term: [sign] [integer] [*] name. Returns false at the end or when malformed (*ok tells). */
static bool term(assay_slice *rest, bool is_first, assay_slice *name, bool *ok)
{
    *rest = slice_trim(*rest);
    const char *p = rest->data, *end = p + rest->len;
    if (p == end) return false;
    bool has_sign = *p == '+' || *p == '-';
    *ok = has_sign || is_first;
    if (has_sign) p++;
    while (p < end && is_blank(*p)) p++;
    while (p < end && is_digit(*p)) p++;
    while (p < end && is_blank(*p)) p++;
    if (p < end && *p == '*') p++;
    while (p < end && is_blank(*p)) p++;
    const char *begin = p;
    while (p < end && !is_blank(*p) && *p != '+' && *p != '-' && *p != '*') p++;
    *name = slice_from(begin, p);
    *ok = *ok && name->len;
    *rest = slice_from(p, end);
    return *ok;
}

int cg_check_formula(struct cg_checker *c, const struct cg_record *r)
{
    const char *colon = r->value.len ? memchr(r->value.data, ':', r->value.len) : NULL;
    assay_slice left = slice_from(r->value.data, colon ? colon : r->value.data + r->value.len);
    const char *equals = left.len ? memchr(left.data, '=', left.len) : NULL;
    if (!equals) return 0;
    assay_slice key = slice_trim(slice_from(left.data, equals)), rest = slice_from(equals + 1, left.data + left.len), name;
    bool ok = slice_trim(rest).len && key.len;
    size_t first = c->terms.len;
    for (bool is_first = true; ok && term(&rest, is_first, &name, &ok); is_first = false) {
        uint32_t *slot = vec_push(c->mem, &c->terms);
        if (!slot || !(*slot = intern_put(c->d->names, name))) return error_memory(c->err);
    }
    if (!ok) {
        findings_add(c->out, "CG27", ASSAY_WARNING, r->off, r->line, "malformed formula of a derived event");
        c->terms.len = first;
        return 0;
    }
    struct cg_formula *f = vec_push(c->mem, &c->formulas);
    if (!f) return error_memory(c->err);
    *f = (struct cg_formula){ intern_put(c->d->names, key), { r->off, r->line, true }, first, c->terms.len - first };
    return f->name ? 0 : error_memory(c->err);
}

/* Marks in `state` every formula that `from` uses, directly or not; true = itself among them. */
static bool reaches_itself(const struct cg_checker *c, size_t from, uint8_t *seen)
{
    bool grew = true, itself = false;
    memset(seen, 0, c->formulas.len);
    for (bool is_first = true; grew; is_first = false) {
        grew = false;
        for (size_t i = 0; i < c->formulas.len; i++) {
            if (!(is_first ? i == from : seen[i])) continue;
            for (size_t k = 0; k < c->formulas.at[i].term_count; k++) {
                uint32_t used = c->terms.at[c->formulas.at[i].first_term + k];
                for (size_t j = 0; j < c->formulas.len; j++) {
                    if (c->formulas.at[j].name != used || seen[j]) continue;
                    seen[j] = 1;
                    grew = true;
                    itself |= j == from;
                }
            }
        }
    }
    return itself;
}

int cg_check_formulas(struct cg_checker *c)
{
    enum { MOST = 256 }; /* more derived events than any file has; beyond it the search for circles is left out */
    size_t n = c->formulas.len;
    if (n == 0 || n > MOST) return 0;
    uint8_t seen[MOST];
    for (size_t i = 0; i < n; i++)
        if (reaches_itself(c, i, seen))
            findings_add(c->out, "CG27", ASSAY_WARNING, c->formulas.at[i].at.off, c->formulas.at[i].at.line, "a derived event refers to itself");
    return 0;
}
