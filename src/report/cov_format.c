/* The placeholders of formats; see cov_format.h. Times, wrapping and lists are in cov_format_text.c. */
#include "report/cov_format.h"

#include <stdio.h>
#include <string.h>

#include "report/cov_format_text.h"

enum { MAX_DEPTH = 16 };

#define COVERAGE(x) "[%pP" x "] %C(faint normal)%pV" x "/%pT" x "%Creset %C(faint rating:" x ")(%pr" x ")%Creset%n"
#define HEAD_LINE "%C(yellow)%Ln %H1%Creset%md%n"
#define LABELS "%{?git[GitBranch:\1%rD%n%]}Coverage:\1" COVERAGE("L") "%{?pTF[Functions:\1" COVERAGE("F") "%]}%{?pTB[Branches:\1" COVERAGE("B") "%]}"
#define BUILDS "%{B[- %C(yellow)build\1%H1%Creset%n%{?prop[  Config:\1%mZ%n%]}  Coverage:\1" COVERAGE("L") "%]}"
#define AUTHOR "%{?git[Author:\1%an <%ae>%n%]}"
#define COMMITTER "%{?git[Commit:\1%cn <%ce>%n%]}"
#define ADDED "%{?rd[Added:\1%rd%n%]}"
#define CONFIG "%{?prop[Config:\1%mZ(*)%n%]}"
#define STATS "%pL %pTL %pVL, %pTF %pVF, %pTB %pVB"

static const struct {
    const char *name, *format;
} predefined[] = {
    { "medium", HEAD_LINE "%{?git[commit %HG%n%]}%{B[build  %H1 [%pPL]%mz%n%]}" LABELS AUTHOR ADDED "%{?git[%n%w(76,6,6)%B%n%]}" },
    { "oneline", "%C(yellow)%H1%Creset%md %C(bg rating) %pPL %Creset%{?git[ %s %C(red)%HG@%rD%Creset%]}" },
    { "short", HEAD_LINE "%{?git[commit %HG%n%]}%{B[build  %H1 [%pPL]%mz%n%]}" LABELS AUTHOR "%{?git[%n%w(76,6,6)%s%n%]}" },
    { "full", HEAD_LINE "%{?git[commit %HG%n%]}" LABELS AUTHOR COMMITTER CONFIG BUILDS "%{?git[%n%w(76,6,6)%B%n%]}" },
    { "fuller", HEAD_LINE "%{?git[commit %HG%n%]}" LABELS AUTHOR COMMITTER "%{?git[CommitDate:\1%cd%n%]}" ADDED CONFIG BUILDS "%{?git[%n%w(76,6,6)%B%n%]}" },
    { "reference", "%C(yellow)%hR%Creset%{?git[ (%s, %rs) %C(red)%hG@%rD%Creset%]}" },
    { "raw", HEAD_LINE "%{?git[%{?H3[parent %H3%n%]}%]}%{?H2[files %H2%n%]}%{B[build %H1 " STATS "%{?prop[%n      %mZ%]}%n%]}%{?rd[added %rt%nstats " STATS
                       "%n%]}%{?git[branch %rD%ncommit %HG%nauthor %an <%ae>%ncommitter %cn <%ce> %ct%n%n%w(76,6,6)%B%n%]}%{?prop[props %mZ%n%]}" },
};

const char *cov_format_predefined(const char *name)
{
    for (size_t i = 0; i < sizeof predefined / sizeof *predefined; i++)
        if (strcmp(predefined[i].name, name) == 0) return predefined[i].format;
    return predefined[0].format;
}

const char *cov_format_custom(const char *text)
{
    static const char *const heads[] = { "pretty:", "format:", "tformat:" };
    for (size_t i = 0; i < 3; i++)
        if (strncmp(text, heads[i], strlen(heads[i])) == 0) return text + strlen(heads[i]);
    return strchr(text, '%') ? text : NULL;
}

/* ---- a run over a format ---- */

struct run {
    struct output *out;
    const struct cov_look *look;
    const struct cov_subject *subject; /* whole */
    struct cov_wrap wrap;              /* for the next message; width 0 = as it is */
    unsigned depth;
};

/* What the placeholders are about at the moment: the subject, or one of its builds. */
struct about {
    enum cov_kind kind;
    assay_store_id id;
    const struct cov_report *report;
    const assay_store_stats *stats; /* NULL = none */
    assay_slice propset;
    const struct cov_build *build; /* NULL = not read yet */
    struct cov_build loaded;
};

static void render(struct run *r, struct about *a, const char *at, const char *end);

/* A build that is only known from its report. */
static const struct cov_build *build_of(struct run *r, struct about *a)
{
    if (a->kind != COV_BUILD || a->build) return a->build;
    if (!r->subject->load || r->subject->load(r->subject->arg, &a->id, &a->loaded) != 0) return NULL;
    return a->build = &a->loaded;
}

/* The second to fourth id; zero = none. */
static assay_store_id id_at(struct run *r, struct about *a, unsigned n)
{
    assay_store_id none = { { 0 } };
    const struct cov_build *b;
    if (n == 1) return a->id;
    if (a->report) return n == 2 ? a->report->file_list : n == 3 ? a->report->parent : a->report->commit;
    return n == 2 && (b = build_of(r, a)) ? b->file_list : none;
}

static unsigned id_number(char c)
{
    static const char letters[] = "R1CFL2Pf3GB4";
    const char *at = c ? strchr(letters, c) : NULL;
    return at ? (unsigned)(at - letters) / 3 + 1 : 0;
}

static const char *put_id(struct run *r, struct about *a, const char *at)
{
    char hex[COV_ID_HEX + 1];
    unsigned n = id_number(at[1]);
    if (!n) return NULL;
    assay_store_id id = id_at(r, a, n);
    if (!cov_id_is_zero(&id)) output_bytes(r->out, cov_id_hex(&id, hex), *at == 'h' || r->look->abbrev ? COV_SHORT : COV_ID_HEX);
    return at + 2;
}

static const char *put_label(struct run *r, const struct about *a, char c)
{
    static const char *const own[] = { [COV_REPORT] = "report", [COV_BUILD] = "build", [COV_FILES] = "files" };
    static const char *const others[] = { "files", "parent", "commit" };
    if (c == 'n' || c == '1')
        output_text(r->out, own[a->kind]);
    else if (c >= '2' && c <= '4')
        output_text(r->out, others[c - '2']);
    else
        return NULL;
    return "";
}

/* ---- people and times ---- */

static bool put_person(struct run *r, const struct about *a, char who, char what)
{
    if (what != 'n' && what != 'e' && what != 'l') return false;
    if (!a->report) return true;
    assay_slice name = who == 'a' ? a->report->author_name : a->report->committer_name;
    assay_slice mail = who == 'a' ? a->report->author_email : a->report->committer_email;
    const char *sign = mail.len ? memchr(mail.data, '@', mail.len) : NULL;
    if (what == 'l' && sign) mail.len = (size_t)(sign - mail.data);
    output_slice(r->out, what == 'n' ? name : mail);
    return true;
}

static bool put_when(struct run *r, struct about *a, char who, char what)
{
    const struct cov_build *b;
    uint64_t when;
    if (!strchr("drtiIs", what)) return false;
    if (a->report)
        when = who == 'r' ? a->report->added : a->report->committed;
    else if (who == 'r' && (b = build_of(r, a)))
        when = b->added;
    else
        return true;
    cov_format_time(r->out, when, what, r->look->now);
    return true;
}

/* ---- figures ---- */

static bool put_figure(struct run *r, const struct about *a, char what, char of)
{
    if (!of || !strchr("LFB", of) || !strchr("PVTr", what)) return false;
    if (!a->stats) return true;
    unsigned n = of == 'L' ? RATING_LINES : of == 'F' ? RATING_FUNCTIONS : RATING_BRANCHES;
    const assay_store_pair *p = n == RATING_LINES ? &a->stats->lines : n == RATING_FUNCTIONS ? &a->stats->functions : &a->stats->branches;
    if (what == 'P')
        output_printf(r->out, "%3u%%", (unsigned)rating_percent(p));
    else if (what == 'r')
        output_text(r->out, rating_word(rating_of(r->look->rating, (enum rating_what)n, p)));
    else
        output_u64(r->out, what == 'V' ? p->visited : p->relevant);
    return true;
}

static const char *put_p(struct run *r, const struct about *a, const char *at)
{
    if (at[1] == 'L') {
        if (a->stats) output_u64(r->out, a->stats->lines_total);
        return at + 2;
    }
    return at[1] && put_figure(r, a, at[1], at[2]) ? at + 3 : NULL;
}

/* ---- colours ---- */

static enum rating_mark mark_of(const struct run *r, const struct about *a, char of)
{
    static const assay_store_stats none = { 0 };
    const assay_store_stats *s = a->stats ? a->stats : &none;
    if (of == 'F') return rating_of(r->look->rating, RATING_FUNCTIONS, &s->functions);
    if (of == 'B') return rating_of(r->look->rating, RATING_BRANCHES, &s->branches);
    return rating_of(r->look->rating, RATING_LINES, &s->lines);
}

unsigned cov_mark_ink(enum rating_mark mark) { return mark == RATING_FAIL ? 31 : mark == RATING_INCOMPLETE ? 33 : 32; }

void cov_ink(struct output *out, const struct cov_look *look, const char *codes)
{
    if (look->color) output_printf(out, "\033[%sm", codes);
}

/* The inside of %C(...): true = it is a colour. */
static bool put_color(struct run *r, const struct about *a, assay_slice name)
{
    static const char *const names[] = { "black", "red", "green", "yellow", "blue", "magenta", "cyan", "normal" };
    char codes[24];
    const char *prefix = "";
    unsigned base = 30, n = 8;
    if (slice_is(name, "reset")) return cov_ink(r->out, r->look, ""), true;
    if (slice_starts(name, "bold "))
        prefix = "1;", name.data += 5, name.len -= 5;
    else if (slice_starts(name, "faint "))
        prefix = "2;", name.data += 6, name.len -= 6;
    else if (slice_starts(name, "bg "))
        base = 40, name.data += 3, name.len -= 3;
    for (unsigned i = 1; i < 8; i++)
        if (slice_is(name, names[i])) n = i;
    if (slice_starts(name, "rating") && (name.len == 6 || (name.len == 8 && name.data[6] == ':' && strchr("LFB", name.data[7]))))
        n = cov_mark_ink(mark_of(r, a, name.len == 8 ? name.data[7] : 'L')) - 30;
    if (n == 8) return false;
    snprintf(codes, sizeof codes, "%s%u", prefix, base + n);
    cov_ink(r->out, r->look, codes);
    return true;
}

static const char *put_c(struct run *r, const struct about *a, const char *at, const char *end)
{
    static const char *const plain[] = { "red", "green", "blue", "reset" };
    if (at[1] == '(') {
        const char *close = memchr(at, ')', (size_t)(end - at));
        return close && put_color(r, a, slice_from(at + 2, close)) ? close + 1 : NULL;
    }
    for (size_t i = 0; i < 4; i++) {
        size_t len = strlen(plain[i]);
        if ((size_t)(end - at) > len && strncmp(at + 1, plain[i], len) == 0) return put_color(r, a, slice_of(plain[i])), at + 1 + len;
    }
    return NULL;
}

/* ---- lists ---- */

/* "(N)" after a list: each item on a line of its own. "(*)": in the column after the labels. */
static const char *list_indent(const char *at, const char *end, int *indent)
{
    int n = 0;
    const char *p = at;
    *indent = COV_LIST_PLAIN;
    if (p >= end || *p != '(') return at;
    if (end - p >= 3 && p[1] == '*' && p[2] == ')') {
        *indent = COV_LIST_ALIGNED;
        return p + 3;
    }
    for (p++; p < end && *p >= '0' && *p <= '9' && n < 1000; p++) n = n * 10 + (*p - '0');
    if (p >= end || *p != ')' || p == at + 1) return at;
    *indent = n;
    return p + 1;
}

static const char *put_list(struct run *r, const struct about *a, const char *at, const char *end)
{
    bool has_color = *at == 'm';
    struct cov_look look = *r->look;
    int indent;
    char what = has_color ? at[1] : at[0];
    if (!what || !strchr("dDzZ", what)) return NULL;
    const char *next = list_indent(at + 1 + has_color, end, &indent);
    look.color = look.color && has_color;
    struct cov_list list = { .out = r->out, .look = &look, .brackets = what == 'd' || what == 'z', .indent = indent };
    if (!look.decorate) return next;
    if ((what == 'd' || what == 'D') && a->kind == COV_REPORT) cov_list_names(&list, &a->id);
    if (what == 'z' || what == 'Z') cov_list_props(&list, a->propset);
    return next;
}

void cov_format_props(struct output *out, assay_slice propset, const struct cov_look *look, bool brackets)
{
    struct cov_list list = { .out = out, .look = look, .brackets = brackets, .indent = COV_LIST_PLAIN };
    cov_list_props(&list, propset);
}

/* ---- blocks: %{B[...%]}, %{?X[...%]} ---- */

static bool is_true(struct run *r, struct about *a, assay_slice name)
{
    const assay_store_stats *s = a->stats;
    assay_store_id id;
    if (!name.len || slice_is(name, "prop")) return a->kind == COV_BUILD && a->propset.len > 0;
    if (slice_is(name, "pT")) return s && (s->lines.relevant || s->functions.relevant || s->branches.relevant);
    if (slice_is(name, "pL")) return s && s->lines_total;
    if (slice_is(name, "pTL")) return s && s->lines.relevant;
    if (slice_is(name, "pTF")) return s && s->functions.relevant;
    if (slice_is(name, "pTB")) return s && s->branches.relevant;
    if (name.len == 2 && name.data[0] == 'H' && name.data[1] >= '1' && name.data[1] <= '4')
        return id = id_at(r, a, (unsigned)(name.data[1] - '0')), !cov_id_is_zero(&id);
    if (slice_is(name, "rd")) return a->kind != COV_FILES;
    if (slice_is(name, "git")) return a->report != NULL;
    return slice_is(name, "B") && a->report && a->report->build_count;
}

static void each_build(struct run *r, const struct about *a, const char *at, const char *end)
{
    for (size_t i = 0; a->report && i < a->report->build_count; i++) {
        const assay_store_build *e = &a->report->builds[i];
        struct about b = { .kind = COV_BUILD, .id = e->build, .stats = &e->stats, .propset = e->propset };
        render(r, &b, at, end);
    }
}

/* Where the block that begins at `at` ends: at its "%]}", or at the end of the format. */
static const char *block_end(const char *at, const char *end)
{
    for (unsigned depth = 1; at < end; at++) {
        if (at[0] != '%' || at + 1 >= end) continue;
        if (at[1] == '%')
            at++;
        else if (at[1] == '{')
            depth++;
        else if (end - at >= 3 && at[1] == ']' && at[2] == '}' && --depth == 0)
            return at;
    }
    return end;
}

static const char *put_block(struct run *r, struct about *a, const char *at, const char *end)
{
    const char *open = memchr(at, '[', (size_t)(end - at));
    if (!open || r->depth >= MAX_DEPTH) return NULL;
    assay_slice name = slice_from(at + 1, open);
    const char *close = block_end(open + 1, end);
    r->depth++;
    if (slice_is(name, "B") || slice_is(name, "build"))
        each_build(r, a, open + 1, close);
    else if (name.len && name.data[0] == '?' && is_true(r, a, (assay_slice){ name.data + 1, name.len - 1 }))
        render(r, a, open + 1, close);
    r->depth--;
    return close < end ? close + 3 : end;
}

/* ---- all placeholders ---- */

static const char *put_message(struct run *r, const struct about *a, char what)
{
    struct cov_wrap wrap = r->wrap;
    r->wrap.width = 0;
    if (a->report) cov_format_message(r->out, a->report->message, what, &wrap);
    return "";
}

static const char *put_byte(struct run *r, const char *at, const char *end)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *high = end - at > 2 && at[1] ? strchr(digits, at[1]) : NULL, *low = high && at[2] ? strchr(digits, at[2]) : NULL;
    if (!low) return NULL;
    output_char(r->out, (char)(((high - digits) % 16) << 4 | (low - digits) % 16));
    return at + 3;
}

/* `at` is after the percent sign. NULL = that is none. */
static const char *placeholder(struct run *r, struct about *a, const char *at, const char *end)
{
    switch (*at) {
    case 'n': return output_char(r->out, '\n'), at + 1;
    case '%': return output_char(r->out, '%'), at + 1;
    case 'x': return put_byte(r, at, end);
    case 'C': return put_c(r, a, at, end);
    case 'w': return cov_wrap_parse(at, end, &r->wrap);
    case 'H':
    case 'h': return put_id(r, a, at);
    case 'L': return put_label(r, a, at[1]) ? at + 2 : NULL;
    case 'r':
        if (at[1] == 'D') {
            if (a->report) output_slice(r->out, a->report->branch);
            return at + 2;
        }
        return at[1] && put_when(r, a, 'r', at[1]) ? at + 2 : NULL;
    case 'a':
    case 'c': return at[1] && (put_person(r, a, *at, at[1]) || put_when(r, a, *at, at[1])) ? at + 2 : NULL;
    case 's':
    case 'f':
    case 'b':
    case 'B': return put_message(r, a, *at), at + 1;
    case 'p': return put_p(r, a, at);
    case 'd':
    case 'D':
    case 'z':
    case 'Z':
    case 'm': return put_list(r, a, at, end);
    case '{': return put_block(r, a, at, end);
    default: return NULL;
    }
}

static void render(struct run *r, struct about *a, const char *at, const char *end)
{
    while (at < end) {
        const char *sign = memchr(at, '%', (size_t)(end - at));
        if (!sign || sign + 1 >= end) break;
        output_bytes(r->out, at, (size_t)(sign - at));
        struct cov_wrap before = r->wrap;
        const char *next = placeholder(r, a, sign + 1, end);
        if (next && sign[1] != 'w' && before.width) r->wrap.width = 0;
        if (!next) output_char(r->out, '%');
        at = next ? next : sign + 1;
    }
    output_bytes(r->out, at, (size_t)(end - at));
}

static struct about about_subject(const struct cov_subject *s)
{
    struct about a = { .kind = s->kind, .id = s->id, .report = s->report, .build = s->build };
    if (s->report) a.stats = &s->report->stats;
    if (s->build) a.stats = &s->build->stats, a.propset = s->build->propset;
    return a;
}

void cov_format_print(struct output *out, const char *format, bool align, const struct cov_subject *s, const struct cov_look *look)
{
    struct output *text = NULL;
    struct about a = about_subject(s);
    struct run r = { .out = out, .look = look, .subject = s };
    if (align && output_open_memory(&text, look->mem, NULL) == 0) r.out = text;
    render(&r, &a, format, format + strlen(format));
    if (text) {
        cov_format_align(out, output_memory(text));
        output_abort(text);
    }
    output_char(out, '\n');
}
