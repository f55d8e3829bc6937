/* libFuzzer target: marks in sources. The first line is the path, the rest the source. All families together mark what each of them marks. */
#include "fuzz.h"

#include "analysis/coverage/exclusion.h"
#include "harness.h"

static struct line_marks find(const struct source_text *text, const char *path, uint32_t families, struct mem *mem)
{
    struct line_marks m;
    struct findings found;
    findings_init(&found, mem);
    harness_promise(exclusion_find(text, path, families, &(struct exclusion_rules){ .mem = mem }, mem, &m, &found), "no memory");
    harness_promise(!m.count || m.count == text->lines.len + 1, "%u marks for %zu lines", m.count, text->lines.len);
    findings_done(&found);
    return m;
}

static void compare(const struct source_text *text, const char *path, struct mem *mem)
{
    struct line_marks all = find(text, path, ASSAY_MARKS_ALL, mem), each[16];
    uint32_t n = 0;
    for (uint32_t bit = 1; bit <= ASSAY_MARKS_ALL; bit <<= 1) each[n++] = find(text, path, bit, mem);
    for (uint32_t line = 0; line <= text->lines.len; line++) {
        unsigned joined = 0;
        for (uint32_t i = 0; i < n; i++) joined |= line_marks_at(&each[i], line);
        harness_promise(joined == line_marks_at(&all, line), "line %u: %u by one family at a time, %u by all", line, joined, line_marks_at(&all, line));
    }
    for (uint32_t i = 0; i < n; i++) exclusion_done(&each[i], mem);
    exclusion_done(&all, mem);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct mem mem;
    struct arena a;
    struct source_text text;
    const uint8_t *newline = len ? memchr(data, '\n', len) : NULL;
    size_t head = newline ? (size_t)(newline - data) : 0, from = newline ? head + 1 : 0;
    harness_doing("looking for marks");
    mem_init(&mem, (size_t)64 << 20);
    arena_init(&a, &mem);
    const char *path = arena_copy(&a, (assay_slice){ len ? (const char *)data : "", head });
    harness_promise(source_text_of(&text, (assay_slice){ len ? (const char *)data + from : "", len - from }, &mem, NULL) == 0, "no memory");
    compare(&text, path, &mem);
    source_text_done(&text);
    arena_done(&a);
    harness_promise(mem.used == 0, "%zu bytes were not given back", (size_t)mem.used);
    return 0;
}
