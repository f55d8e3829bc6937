/* Reports of a store as JSON; see cov_view.h. */
#include "base/json.h"
#include "report/cov_view.h"
#include "store/props.h"

void cov_json_begin(struct json *j, struct output *out, const char *verb)
{
    json_init(j, out);
    json_object(j);
    json_key(j, "assay");
    json_u64(j, 1);
    json_key(j, "verb");
    json_text(j, verb);
}

void cov_json_id(struct json *j, const char *key, const assay_store_id *id)
{
    char hex[COV_ID_HEX + 1];
    json_key(j, key);
    json_text(j, cov_id_is_zero(id) ? NULL : cov_id_hex(id, hex));
}

static void json_pair(struct json *j, const char *key, const assay_store_pair *p)
{
    json_key(j, key);
    json_object(j);
    json_key(j, "relevant");
    json_u64(j, p->relevant);
    json_key(j, "visited");
    json_u64(j, p->visited);
    json_end(j);
}

void cov_json_stats(struct json *j, const assay_store_stats *s)
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

void cov_json_report(struct json *j, const assay_store_id *id, const struct cov_report *r, struct mem *mem)
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
