/* How reports look on the command line; see view.h. */
#include "cli/cov/view.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "report/cov_format_text.h"

const char *const cov_decorate_words[] = { "auto", "short", "no", NULL };

int cov_view_init(struct cov_view *view, struct cov *v, assay_error *err)
{
    const struct cov_settings *s = &v->c->set.cov;
    const char *custom = s->format ? cov_format_custom(s->format) : NULL;
    *view = (struct cov_view){ .align = !custom };
    rating_load(&view->rating, &v->config);
    view->format = custom ? custom : cov_format_predefined(s->oneline ? "oneline" : s->format ? s->format : "medium");
    view->look = (struct cov_look){
        .mem = &v->c->mem,
        .rating = &view->rating,
        .names = &view->names,
        .color = v->c->term.color,
        .decorate = custom || s->decorate == COV_DECORATE_SHORT || (s->decorate == COV_DECORATE_AUTO && v->c->term.width),
        .prop_names = s->prop_names && !s->no_prop_names,
        .abbrev = (s->abbrev || s->oneline) && !s->no_abbrev,
        .now = store_now(),
    };
    /* Only decorations need them. */
    return view->look.decorate ? cov_names_load(&view->names, v->store, err) : 0;
}

void cov_view_done(struct cov_view *view) { cov_names_done(&view->names); }

int cov_view_build(void *arg, const struct cov_id *id, struct cov_build *out)
{
    struct store_object o;
    TRY(store_read(arg, id, COV_BUILD, &o, NULL));
    *out = o.o.build;
    out->propset = (assay_slice){ NULL, 0 }; /* the report has it */
    store_object_done(&o);
    return 0;
}

int cov_range_find(struct cov *v, const char *typed, bool paths, struct cov_range *out, assay_error *err)
{
    *out = (struct cov_range){ 0 };
    TRY(revision_parse(slice_of(typed ? typed : "HEAD"), paths, &out->text, err));
    TRY(revision_find(v->store, &out->text.to, &out->to, err));
    if (!out->text.is_range) return 0;
    TRY(revision_find(v->store, &out->text.from, &out->from, err));
    if (cov_id_is_zero(&out->from) || cov_id_is_zero(&out->to)) return 0;
    return revision_base(v->store, &out->from, &out->to, &out->from, err);
}

/* ---- JSON ---- */

void cov_json_begin(struct json *j, struct output *out, const char *verb)
{
    json_init(j, out);
    json_object(j);
    json_key(j, "assay");
    json_u64(j, 1);
    json_key(j, "verb");
    json_text(j, verb);
}

void cov_json_id(struct json *j, const char *key, const struct cov_id *id)
{
    char hex[COV_ID_HEX + 1];
    json_key(j, key);
    json_text(j, cov_id_is_zero(id) ? NULL : cov_id_hex(id, hex));
}

static void json_pair(struct json *j, const char *key, const struct cov_pair *p)
{
    json_key(j, key);
    json_object(j);
    json_key(j, "relevant");
    json_u64(j, p->relevant);
    json_key(j, "visited");
    json_u64(j, p->visited);
    json_end(j);
}

void cov_json_stats(struct json *j, const struct cov_stats *s)
{
    json_key(j, "stats");
    json_object(j);
    json_key(j, "lines_total");
    json_u64(j, s->lines_total);
    json_pair(j, "lines", &s->lines);
    json_pair(j, "functions", &s->functions);
    json_pair(j, "branches", &s->branches);
    json_end(j);
}

void cov_json_props(struct json *j, assay_slice propset, struct mem *mem)
{
    struct props props;
    props_init(&props, mem);
    props_parse(&props, propset, NULL);
    json_key(j, "properties");
    json_object(j);
    for (size_t i = 0; i < props.at.len; i++) {
        const struct prop *p = &props.at.at[i];
        json_key_slice(j, p->name);
        if (p->kind == PROP_TEXT)
            json_string(j, p->text.len ? p->text : SLICE(""));
        else if (p->kind == PROP_BOOL)
            json_bool(j, p->number != 0);
        else
            json_i64(j, p->number);
    }
    json_end(j);
    props_done(&props);
}

static void text_member(struct json *j, const char *key, assay_slice s)
{
    json_key(j, key);
    json_string(j, s.len ? s : SLICE(""));
}

static void json_person(struct json *j, const char *key, assay_slice name, assay_slice mail)
{
    json_key(j, key);
    json_object(j);
    text_member(j, "name", name);
    text_member(j, "email", mail);
    json_end(j);
}

void cov_json_report(struct json *j, const struct cov_id *id, const struct cov_report *r, struct mem *mem)
{
    cov_json_id(j, "report", id);
    cov_json_id(j, "parent", &r->parent);
    cov_json_id(j, "files", &r->file_list);
    json_key(j, "added");
    json_u64(j, r->added);
    text_member(j, "branch", r->branch);
    cov_json_id(j, "commit", &r->commit);
    json_key(j, "committed");
    json_u64(j, r->committed);
    json_person(j, "author", r->author_name, r->author_email);
    json_person(j, "committer", r->committer_name, r->committer_email);
    text_member(j, "message", r->message);
    cov_json_stats(j, &r->stats);
    json_key(j, "builds");
    json_array(j);
    for (size_t i = 0; i < r->build_count; i++) {
        json_object(j);
        cov_json_id(j, "build", &r->builds[i].build);
        cov_json_props(j, r->builds[i].propset, mem);
        cov_json_stats(j, &r->builds[i].stats);
        json_end(j);
    }
    json_end(j);
}

/* ---- what report and reset say ---- */

static void put_percent(struct output *out, const struct cov_look *look, enum rating_what what, const struct cov_pair *p)
{
    char ink[4] = { '3', (char)('0' + cov_mark_ink(rating_of(look->rating, what, p)) - 30), '\0' };
    cov_ink(out, look, ink);
    output_printf(out, "%3u%%", (unsigned)rating_percent(p));
    cov_ink(out, look, "");
}

static void put_counts(struct output *out, const struct cov_look *look, const struct cov_stats *s, size_t files)
{
    if (files == 1)
        output_text(out, " one file, ");
    else
        output_printf(out, " %zu files, ", files);
    put_percent(out, look, RATING_LINES, &s->lines);
    output_printf(out, " (%u/%u", s->lines.visited, s->lines.relevant);
    if (s->lines.visited < s->lines.relevant) output_printf(out, ", -%u", s->lines.relevant - s->lines.visited);
    output_char(out, ')');
    if (s->functions.relevant) {
        output_text(out, ", Fn");
        put_percent(out, look, RATING_FUNCTIONS, &s->functions);
        output_printf(out, " (%u/%u)", s->functions.visited, s->functions.relevant);
    }
    output_char(out, '\n');
}

static void put_result(struct output *out, const struct cov_look *look, const struct cov_id *id, const struct cov_report *r, const char *branch, size_t files)
{
    char hex[COV_ID_HEX + 1];
    cov_ink(out, look, "31");
    output_printf(out, "[%s %.9s]", branch ? branch : "detached HEAD", cov_id_hex(id, hex));
    cov_ink(out, look, "");
    output_char(out, ' ');
    output_slice(out, cov_subject_line(r->message));
    output_char(out, '\n');
    put_counts(out, look, &r->stats, files);
    output_char(out, ' ');
    cov_ink(out, look, "2;37");
    output_text(out, "based on");
    cov_ink(out, look, "");
    output_char(out, ' ');
    cov_ink(out, look, "2;33");
    output_printf(out, "%.9s@", cov_id_hex(&r->commit, hex));
    output_slice(out, r->branch);
    cov_ink(out, look, "");
    output_char(out, '\n');
    if (!cov_id_is_zero(&r->parent)) output_printf(out, " parent %.9s\n", cov_id_hex(&r->parent, hex));
    for (size_t i = 0; i < r->build_count; i++) {
        output_char(out, ' ');
        cov_ink(out, look, "2;37");
        output_printf(out, "contains %.9s:", cov_id_hex(&r->builds[i].build, hex));
        cov_ink(out, look, "");
        output_char(out, ' ');
        put_percent(out, look, RATING_LINES, &r->builds[i].stats.lines);
        cov_format_props(out, r->builds[i].propset, look, true);
        output_char(out, '\n');
    }
}

int cov_result_print(struct cov *v, struct output *out, const struct cov_id *id, const char *branch, assay_error *err)
{
    struct store_object o, list;
    struct rating rating;
    rating_load(&rating, &v->config);
    /* As the program that assay replaces: coloured wherever it goes, unless that is forbidden. */
    bool is_colored = v->c->set.color != COLOR_NEVER && !(v->c->set.color == COLOR_AUTO && getenv("NO_COLOR") && *getenv("NO_COLOR"));
    struct cov_look look = { .mem = &v->c->mem, .rating = &rating, .color = is_colored, .decorate = true, .prop_names = v->c->set.cov.prop_names };
    TRY(store_read(v->store, id, COV_REPORT, &o, err));
    size_t files = 0;
    if (store_read(v->store, &o.o.report.file_list, COV_FILES, &list, NULL) == 0) {
        files = list.o.files.count;
        store_object_done(&list);
    }
    put_result(out, &look, id, &o.o.report, branch, files);
    store_object_done(&o);
    return 0;
}
