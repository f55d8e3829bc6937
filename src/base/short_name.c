/* Names of functions that are too long to read; see short_name.h. */
#include "base/short_name.h"

#include <string.h>

#include "base/slice.h"
#include "base/text.h"

enum { GROUPS_MOST = 64 };

/* What stands between two brackets: bytes begin .. end. */
struct group {
    size_t begin, end;
    unsigned width;
    bool is_template, is_gone;
};

struct name {
    assay_slice text;
    struct group groups[GROUPS_MOST];
    size_t count;
    uint64_t width; /* as it would be written */
};

static bool is_word(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }

/* The end of "operator<<", "operator->" or "operator()" that begins at i; i where there is none. */
static size_t skip_operator(assay_slice s, size_t i)
{
    static const char word[] = "operator";
    size_t at = i + strlen(word);
    if ((i && is_word(s.data[i - 1])) || at >= s.len || memcmp(s.data + i, word, strlen(word)) != 0 || is_word(s.data[at])) return i;
    if (at + 1 < s.len && s.data[at] == '(' && s.data[at + 1] == ')') return at + 2;
    while (at < s.len && s.data[at] && strchr("<>=-*!&|^+/%~,", s.data[at])) at++;
    return at;
}

/* The bracket that closes the one at `open`; 0 = there is none. Parentheses hide angles, not the other way round: a '>' may be a comparison. */
static size_t close_of(assay_slice s, size_t open)
{
    bool is_template = s.data[open] == '<';
    size_t angles = 0, parens = 0;
    for (size_t i = open; i < s.len; i++) {
        size_t next = s.data[i] == 'o' ? skip_operator(s, i) : i;
        if (next > i) {
            i = next - 1;
            continue;
        }
        char c = s.data[i];
        if (c == '(') parens++;
        if (c == ')' && parens) parens--;
        if (c == '<' && !parens) angles++;
        if (c == '>' && !parens && s.data[i - 1] != '-') angles--;
        if (is_template ? !angles && !parens : c == ')' && !parens) return i;
    }
    return 0;
}

static void find_groups(struct name *n)
{
    assay_slice s = n->text;
    bool is_open[2] = { false, false }; /* one that is never closed was met: whatever follows is in it */
    for (size_t i = 0; i < s.len && n->count < GROUPS_MOST; i++) {
        size_t next = s.data[i] == 'o' ? skip_operator(s, i) : i;
        if (next > i) {
            i = next - 1;
            continue;
        }
        bool is_template = s.data[i] == '<';
        /* "<main thread>": a name in brackets is no list of arguments */
        if ((!is_template && s.data[i] != '(') || is_open[is_template] || (is_template && i == 0)) continue;
        size_t close = close_of(s, i);
        is_open[is_template] = close == 0;
        if (!close) continue;
        assay_slice inside = { s.data + i + 1, close - i - 1 };
        unsigned width = text_width(inside);
        if (width > 1 && !slice_is(inside, "anonymous namespace")) n->groups[n->count++] = (struct group){ i + 1, close, width, is_template, false };
        i = close;
    }
}

/* The widest groups of a kind go first, until the name fits. */
static void drop_groups(struct name *n, bool is_template, unsigned columns)
{
    while (n->width > columns) {
        struct group *widest = NULL;
        for (size_t i = 0; i < n->count; i++) {
            struct group *g = &n->groups[i];
            if (!g->is_gone && g->is_template == is_template && (!widest || g->width > widest->width)) widest = g;
        }
        if (!widest) return;
        widest->is_gone = true;
        n->width -= widest->width - 1;
    }
}

static void put_name(struct output *out, const struct name *n)
{
    size_t from = 0;
    for (size_t i = 0; i < n->count; i++) {
        if (!n->groups[i].is_gone) continue;
        output_bytes(out, n->text.data + from, n->groups[i].begin - from);
        output_text(out, "…");
        from = n->groups[i].end;
    }
    output_bytes(out, n->text.data + from, n->text.len - from);
}

/* Both ends of it. */
static void put_ends(struct output *out, assay_slice s, uint64_t width, unsigned columns)
{
    unsigned front = (columns - 1) / 2, back = columns - 1 - front;
    size_t head = text_fit(s, front), skip = text_fit(s, (unsigned)(width - back));
    while (skip < s.len && text_width((assay_slice){ s.data + skip, s.len - skip }) > back) {
        unsigned len = text_utf8((assay_slice){ s.data + skip, s.len - skip }, NULL);
        skip += len ? len : 1;
    }
    output_bytes(out, s.data, head);
    output_text(out, "…");
    output_bytes(out, s.data + skip, s.len - skip);
}

bool short_name(struct mem *mem, struct output *out, assay_slice name, unsigned columns)
{
    struct name n = { .text = name, .width = text_width(name) };
    struct output *whole;
    if (n.width <= columns) {
        output_slice(out, name);
        return true;
    }
    find_groups(&n);
    drop_groups(&n, true, columns);
    drop_groups(&n, false, columns);
    if (n.width <= columns) {
        put_name(out, &n);
        return true;
    }
    if (output_open_memory(&whole, mem, NULL) != 0) return false;
    put_name(whole, &n);
    put_ends(out, output_memory(whole), n.width, columns);
    output_abort(whole);
    return true;
}
