/* A sealed profile -> a chunked stream exactly as the specification has it: banner, F, S, D, C, E (docs/formats/nytprof-tlv.md, "Writing").
 * Records are sorted by their numbers, so the same profile always gives the same bytes. */
#include "base/number.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"
#include "formats/nytprof-tlv/encode.h"
#include "formats/nytprof-tlv/format.h"
#include "formats/nytprof-tlv/plan.h"

enum { HAS_SRC = 0x10 };
static const char outside_name[] = "<root>", unknown_file[] = "<unknown>";

/* ---- banner ---- */

/* What the profile says of a key; other profilers have words of their own. */
static assay_slice value_of(const assay_profile *p, const struct tlv_key *key)
{
    assay_slice value = { NULL, 0 };
    if (!key->is_fixed) value = tlv_plan_attribute(p, key->name[0] == ':' ? key->name + 1 : key->name);
    if (!value.data && strcmp(key->name, ":application") == 0) value = tlv_plan_attribute(p, "cmd");
    return value.data ? value : slice_of(key->value);
}

static void put_banner(const struct tlv_plan *plan, struct output *out)
{
    uint64_t basetime = 0;
    if (number_u64(value_of(plan->p, &tlv_keys[0]), &basetime) != NUMBER_OK) basetime = 0;
    output_text(out, "NYTProf 5 0\n");
    tlv_put_comment(out, basetime);
    for (size_t i = 0; i < TLV_KEY_COUNT; i++) tlv_put_key(out, &tlv_keys[i], value_of(plan->p, &tlv_keys[i]));
    output_char(out, '\n');
}

/* ---- files and subs ---- */

/* `size=N mtime=N`, as readers keep it. */
static uint32_t origin_number(assay_slice origin, const char *key)
{
    const char *at = origin.len ? memmem(origin.data, origin.len, key, strlen(key)) : NULL;
    uint64_t n = 0;
    if (!at) return 0;
    assay_slice rest = slice_from(at + strlen(key), origin.data + origin.len);
    size_t len = 0;
    while (len < rest.len && rest.data[len] >= '0' && rest.data[len] <= '9') len++;
    return number_u64((assay_slice){ rest.data, len }, &n) == NUMBER_OK && n <= UINT32_MAX ? (uint32_t)n : 0;
}

static bool is_nytprof(const assay_profile *p) { return strncmp(assay_profile_format(p), "nytprof", strlen("nytprof")) == 0; }

/* File `id`, or the one that stands for none (0). */
static void file_record(const struct tlv_plan *plan, uint32_t id, struct tlv_record *r)
{
    const struct assay_files *f = plan->files;
    assay_slice origin = id && f->origin ? assay_profile_string(plan->p, f->origin[id]) : (assay_slice){ NULL, 0 };
    r->kind = TLV_FILE;
    r->file = (struct tlv_file){ .fid = tlv_plan_fid(plan, id) };
    r->file.path = id ? assay_profile_string(plan->p, f->path[id]) : slice_of(unknown_file);
    r->file.size = origin_number(origin, "size=");
    r->file.mtime = origin_number(origin, "mtime=");
    if (is_nytprof(plan->p))
        r->file.flags = id && f->flags ? f->flags[id] : 0;
    else
        r->file.flags = id == 1 ? HAS_SRC : 0;
}

static void sub_record(const struct tlv_plan *plan, uint32_t id, struct tlv_record *r)
{
    const struct assay_funcs *u = plan->funcs;
    r->kind = TLV_SUB;
    r->sub = (struct tlv_sub){ .sid = plan->sid[id] };
    r->sub.name = id ? assay_profile_string(plan->p, u->name[id]) : slice_of(outside_name);
    if (plan->keeps_sids && id && u->flags) r->sub.flags = u->flags[id] & 0xffffff;
}

static uint32_t files_written(const struct tlv_plan *plan) { return plan->files->count + plan->has_unknown_file; }
static uint32_t subs_written(const struct tlv_plan *plan) { return plan->funcs->count + plan->has_outside; }

static void nth_record(const struct tlv_plan *plan, char token, uint32_t i, struct tlv_record *r)
{
    if (token == 'F')
        file_record(plan, i < plan->files->count ? i + 1 : 0, r);
    else
        sub_record(plan, i < plan->funcs->count ? plan->order[i] : 0, r);
}

static int chunk_fits(uint64_t len, char token, assay_error *err)
{
    if (len > UINT32_MAX) FAIL(err, ASSAY_ERR_LIMIT, "chunk %c would need %llu bytes, but the limit is 4294967295", token, (unsigned long long)len);
    return 0;
}

/* F or D. */
static int put_names(const struct tlv_plan *plan, char token, struct output *out, assay_error *err)
{
    uint32_t count = token == 'F' ? files_written(plan) : subs_written(plan);
    uint64_t len = 0;
    struct tlv_record r;
    for (uint32_t i = 0; i < count; i++) {
        nth_record(plan, token, i, &r);
        len += tlv_record_len(&r);
    }
    TRY(chunk_fits(len, token, err));
    if (!out) return 0;
    tlv_put_chunk(out, token, (uint32_t)len);
    for (uint32_t i = 0; i < count; i++) {
        nth_record(plan, token, i, &r);
        tlv_put_record(out, &r);
    }
    return 0;
}

/* ---- figures ---- */

static int by_numbers(const void *pa, const void *pb)
{
    const struct tlv_row *a = pa, *b = pb;
    ORDER_BY(a->first, b->first);
    return ORDER(a->second, b->second);
}

/* Ids become the numbers of the stream, rows come into their order, and counts into 32 bits. */
static void settle(struct tlv_plan *plan)
{
    for (size_t i = 0; i < plan->lines.list.len; i++) {
        struct tlv_row *row = &plan->lines.list.at[i];
        row->first = tlv_plan_fid(plan, row->first);
    }
    for (size_t i = 0; i < plan->calls.list.len; i++) {
        struct tlv_row *row = &plan->calls.list.at[i];
        row->first = plan->sid[row->first];
        row->second = plan->sid[row->second];
    }
    struct tlv_rows *const tables[] = { &plan->lines, &plan->calls };
    for (size_t t = 0; t < 2; t++) {
        for (size_t i = 0; i < tables[t]->list.len; i++) {
            struct tlv_row *row = &tables[t]->list.at[i];
            if (row->calls <= UINT32_MAX) continue;
            row->calls = UINT32_MAX;
            plan->saturated++;
        }
        if (tables[t]->list.len) sort_by(tables[t]->list.at, tables[t]->list.len, sizeof *tables[t]->list.at, by_numbers);
    }
}

/* S or C. */
static int put_rows(const struct tlv_rows *rows, char token, struct output *out, assay_error *err)
{
    uint64_t len = rows->list.len * (uint64_t)TLV_ROW_LEN;
    TRY(chunk_fits(len, token, err));
    if (!out) return 0;
    tlv_put_chunk(out, token, (uint32_t)len);
    for (size_t i = 0; i < rows->list.len; i++) {
        const struct tlv_row *row = &rows->list.at[i];
        struct tlv_record r = { .kind = token == 'S' ? TLV_COST : TLV_CALL };
        if (token == 'S')
            r.cost = (struct tlv_cost){ row->first, row->second, (uint32_t)row->calls, row->total, row->self };
        else
            r.call = (struct tlv_call){ row->first, row->second, (uint32_t)row->calls, row->total, row->self };
        tlv_put_record(out, &r);
    }
    return 0;
}

/* ---- the whole ---- */

/* Without `out`: are they short enough? */
static int write_chunks(const struct tlv_plan *plan, struct output *out, assay_error *err)
{
    TRY(put_names(plan, 'F', out, err));
    TRY(put_rows(&plan->lines, 'S', out, err));
    TRY(put_names(plan, 'D', out, err));
    TRY(put_rows(&plan->calls, 'C', out, err));
    if (out) tlv_put_chunk(out, 'E', 0);
    return 0;
}

int nytprof_tlv_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    SCOPED(tlv_plan_done) struct tlv_plan plan = { 0 };
    TRY(tlv_plan_make(&plan, p, job, err));
    settle(&plan);
    tlv_plan_losses(&plan);
    TRY(write_chunks(&plan, NULL, err));
    TRY(losses_settle(job, err));
    put_banner(&plan, out);
    return write_chunks(&plan, out, err);
}
