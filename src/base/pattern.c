/* Regular expressions; see pattern.h. */
#include "base/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/error.h"

enum { MATCH_LIMIT = 1000000, HEAP_LIMIT_KIB = 4096 };

struct pattern {
    struct mem *mem;
    pcre2_code *code;
    pcre2_match_data *match;
    pcre2_match_context *limits;
    bool gave_up, lacked_memory;
};

/* PCRE2 frees without a size, so it is kept in front of each block. */
union block {
    size_t len;
    max_align_t align;
};

static void *take(size_t len, void *arg)
{
    size_t whole;
    union block *b = size_add(&whole, len, sizeof *b) ? mem_alloc(arg, whole) : NULL;
    if (!b) return NULL;
    b->len = whole;
    return b + 1;
}

static void give(void *p, void *arg)
{
    if (!p) return;
    union block *b = (union block *)p - 1;
    mem_free(arg, b, b->len);
}

static int compile(struct pattern *p, pcre2_general_context *memory, const char *text, assay_error *err)
{
    int code = 0;
    PCRE2_SIZE at = 0;
    pcre2_compile_context *context = pcre2_compile_context_create(memory);
    if (!context) return error_memory(err);
    p->code = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C, &code, &at, context);
    pcre2_compile_context_free(context);
    if (!p->code && code == PCRE2_ERROR_HEAP_FAILED) return error_memory(err);
    if (!p->code) {
        PCRE2_UCHAR why[160];
        pcre2_get_error_message(code, why, sizeof why);
        FAIL(err, ASSAY_ERR_USAGE, "'%.80s' is not a valid regular expression: %s, at character %zu", text, (const char *)why, (size_t)at + 1);
    }
    pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE); /* without it the match is slower, and no different */
    return 0;
}

static int prepare(struct pattern *p, pcre2_general_context *memory, const char *text, assay_error *err)
{
    TRY(compile(p, memory, text, err));
    p->match = pcre2_match_data_create(1, memory);
    p->limits = pcre2_match_context_create(memory);
    if (!p->match || !p->limits) return error_memory(err);
    pcre2_set_match_limit(p->limits, MATCH_LIMIT);
    pcre2_set_heap_limit(p->limits, HEAP_LIMIT_KIB);
    return 0;
}

int pattern_new(struct pattern **out, const char *text, struct mem *mem, assay_error *err)
{
    *out = NULL;
    struct pattern *p = mem_zalloc(mem, 1, sizeof *p);
    pcre2_general_context *memory = pcre2_general_context_create(take, give, mem);
    int rc = p && memory ? 0 : error_memory(err);
    if (p) p->mem = mem;
    if (rc == 0) rc = prepare(p, memory, text, err);
    pcre2_general_context_free(memory);
    if (rc == 0)
        *out = p;
    else
        pattern_free(p);
    return rc;
}

void pattern_free(struct pattern *p)
{
    if (!p) return;
    pcre2_match_context_free(p->limits);
    pcre2_match_data_free(p->match);
    pcre2_code_free(p->code);
    mem_free(p->mem, p, sizeof *p);
}

bool pattern_matches(struct pattern *p, assay_slice name)
{
    int rc = pcre2_match(p->code, (PCRE2_SPTR)(name.data ? name.data : ""), name.len, 0, 0, p->match, p->limits);
    if (rc == PCRE2_ERROR_NOMEMORY)
        p->lacked_memory = true;
    else if (rc < 0 && rc != PCRE2_ERROR_NOMATCH)
        p->gave_up = true;
    return rc >= 0;
}

bool pattern_gave_up(const struct pattern *p) { return p->gave_up; }

bool pattern_lacked_memory(const struct pattern *p) { return p->lacked_memory; }
