/* Prints an object field by field, by the names of its description, with the offset of each in the unpacked bytes. */
#include "base/scoped.h"
#include "base/text.h"
#include "formats/cov/cov.h"
#include "formats/cov/magic.h"

enum { SHOWN_WORDS = 8 };

/* Where the next field stands. */
struct dumper {
    struct output *out;
    uint64_t off;
    unsigned indent;
};

static void begin(struct dumper *d, const char *name) { output_printf(d->out, "%08llx %*s%s", (unsigned long long)d->off, (int)d->indent, "", name); }

static void number(struct dumper *d, const char *name, uint64_t v, unsigned bytes)
{
    begin(d, name);
    output_printf(d->out, " %llu\n", (unsigned long long)v);
    d->off += bytes;
}

static void u32(struct dumper *d, const char *name, uint32_t v) { number(d, name, v, 4); }

static void time_of(struct dumper *d, const char *name, uint64_t v) { number(d, name, v, 8); }

static void id(struct dumper *d, const char *name, const assay_store_id *v)
{
    char hex[COV_ID_HEX + 1];
    begin(d, name);
    output_printf(d->out, " %s\n", cov_id_hex(v, hex));
    d->off += COV_ID_LEN;
}

static void text(struct dumper *d, const char *name, assay_slice v)
{
    begin(d, name);
    output_text(d->out, " \"");
    text_show(d->out, v);
    output_text(d->out, "\"\n");
    d->off += COV_UNIT;
}

static void pair(struct dumper *d, const char *name, const assay_store_pair *p)
{
    begin(d, name);
    output_printf(d->out, " %u relevant, %u visited\n", p->relevant, p->visited);
    d->off += 8;
}

static void stats(struct dumper *d, const assay_store_stats *s)
{
    u32(d, "lines_total", s->lines_total);
    pair(d, "lines", &s->lines);
    pair(d, "functions", &s->functions);
    pair(d, "branches", &s->branches);
}

static void block(struct dumper *d, const struct cov_layout *l)
{
    begin(d, "strings");
    output_printf(d->out, " offset %u, size %u\n", l->strings_offset, l->strings_size);
    d->off += 8;
}

static void array(struct dumper *d, const char *name, const struct cov_layout *l)
{
    begin(d, name);
    output_printf(d->out, " offset %u, size %u, count %u\n", l->entries_offset, l->entry_size, l->entry_count);
    d->off += 12;
}

/* The head of entry number i; what follows is indented. */
static void item(struct dumper *d, const struct cov_object *o, const char *name, size_t i)
{
    uint64_t origin = o->dialect == COV_DIALECT_COV ? COV_FILE_HEADER : 0;
    d->off = origin + COV_UNIT * (o->layout.entries_offset + (uint64_t)o->layout.entry_size * i);
    d->indent = 0;
    begin(d, name);
    output_printf(d->out, "[%zu]\n", i);
    d->indent = 2;
}

/* ---- kinds ---- */

static void report(struct dumper *d, const struct cov_object *o)
{
    const struct cov_report *r = &o->report;
    block(d, &o->layout);
    id(d, "parent", &r->parent);
    id(d, "file_list", &r->file_list);
    array(d, "builds", &o->layout);
    time_of(d, "added", r->added);
    text(d, "git.branch", r->branch);
    text(d, "git.author.name", r->author_name);
    text(d, "git.author.email", r->author_email);
    text(d, "git.committer.name", r->committer_name);
    text(d, "git.committer.email", r->committer_email);
    text(d, "git.message", r->message);
    id(d, "git.commit_id", &r->commit);
    time_of(d, "git.committed", r->committed);
    stats(d, &r->stats);
    for (size_t i = 0; i < r->build_count; i++) {
        item(d, o, "builds", i);
        id(d, "build", &r->builds[i].build);
        text(d, "propset", r->builds[i].propset);
        stats(d, &r->builds[i].stats);
    }
}

static void build(struct dumper *d, const struct cov_object *o)
{
    block(d, &o->layout);
    id(d, "file_list", &o->build.file_list);
    time_of(d, "added", o->build.added);
    text(d, "propset", o->build.propset);
    stats(d, &o->build.stats);
}

static void details(struct dumper *d, const char *name, const struct cov_details *v)
{
    pair(d, name, &v->summary);
    d->indent = 4;
    id(d, "details", &v->id);
    d->indent = 2;
}

static void files(struct dumper *d, const struct cov_object *o)
{
    block(d, &o->layout);
    array(d, "entries", &o->layout);
    for (size_t i = 0; i < o->files.count; i++) {
        const struct cov_file *f = &o->files.at[i];
        item(d, o, "entries", i);
        text(d, "path", f->path);
        id(d, "contents", &f->contents);
        u32(d, "lines_total", f->lines_total);
        details(d, "lines", &f->lines);
        if (!o->files.ext) continue;
        details(d, "functions", &f->functions);
        details(d, "branches", &f->branches);
    }
}

static void lines(struct dumper *d, const struct cov_object *o)
{
    const struct cov_lines *l = &o->lines;
    u32(d, "line_count", o->layout.entry_count);
    for (size_t i = 0; i < l->count;) {
        size_t first = i;
        d->off = COV_LINES_HEADER + (uint64_t)l->word[i] * COV_UNIT;
        begin(d, "coverage");
        output_printf(d->out, " line %u:", l->at[i].line);
        /* neighbours share a row */
        for (; i < l->count && i - first < SHOWN_WORDS && l->word[i] - l->word[first] == i - first; i++) output_printf(d->out, " %u", l->at[i].hits);
        output_char(d->out, '\n');
    }
    output_printf(d->out, "%08zx end: line %u, %u runs of uncounted lines%s\n", o->bytes.len, l->last_line, l->runs,
                  l->wrapped ? ", line 1 by wrapping around" : "");
}

static void functions(struct dumper *d, const struct cov_object *o)
{
    block(d, &o->layout);
    array(d, "entries", &o->layout);
    for (size_t i = 0; i < o->functions.count; i++) {
        const struct cov_function *f = &o->functions.at[i];
        item(d, o, "entries", i);
        text(d, "name", f->name);
        text(d, "demangled_name", f->demangled);
        u32(d, "count", f->count);
        u32(d, "line_start", f->first_line);
        u32(d, "column_start", f->first_column);
        u32(d, "line_end", f->last_line);
        u32(d, "column_end", f->last_column);
    }
}

void cov_dump_object(struct output *out, const struct cov_object *o)
{
    struct dumper d = { .out = out };
    begin(&d, "magic");
    output_printf(out, " \"%s\"%s\n", cov_magic_of(o->kind, o->dialect), o->big_endian ? " (big-endian)" : "");
    d.off = 4;
    begin(&d, "version");
    output_printf(out, " %u.%u\n", o->version >> 16, o->version & 0xffff);
    d.off = 8;
    switch (o->kind) {
    case COV_REPORT: report(&d, o); break;
    case COV_BUILD: build(&d, o); break;
    case COV_FILES: files(&d, o); break;
    case COV_LINES: lines(&d, o); break;
    default: functions(&d, o); break;
    }
}

int cov_dump(const struct read_job *job, enum cov_dialect dialect, struct output *out, assay_error *err)
{
    SCOPED(cov_loaded_done) struct cov_loaded l = { 0 };
    SCOPED(findings_done) struct findings f = { 0 };
    char hex[COV_ID_HEX + 1];
    size_t marked = 0;
    findings_init(&f, job->mem);
    TRY(cov_load(job, dialect, &l, &f, err));
    output_printf(out, "%s %s, %s framing, %zu bytes\n", l.o.kind ? cov_kind_name(l.o.kind) : "object", cov_id_hex(&l.id, hex), cov_framing_name(l.framing),
                  l.o.bytes.len);
    if (l.o.kind) cov_dump_object(out, &l.o);
    findings_mark(&f, &marked, out);
    return 0;
}
