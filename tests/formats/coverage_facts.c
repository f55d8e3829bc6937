/* Prints what the model holds of a coverage file beyond what the verbs of the command show, as JSON: counts and stated totals of each file,
 * flags of rows, tests. Used by coverage_facts.py.
 *
 *     coverage_facts FILE */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/assay.h"
#include "base/json.h"
#include "base/slice.h"

static int to_stdout(void *arg, const char *data, size_t len)
{
    (void)arg;
    return fwrite(data, 1, len, stdout) == len ? 0 : 1;
}

static void member(struct json *j, const char *key, uint64_t value)
{
    json_key(j, key);
    json_u64(j, value);
}

static uint64_t lines_with(const struct assay_coverage *c, uint32_t file, uint8_t flag)
{
    uint64_t n = 0;
    for (uint32_t i = 0; c->line_flags && i < c->line_count; i++) n += c->line_file[i].v == file && c->line_flags[i] & flag;
    return n;
}

static uint64_t branches_with(const struct assay_coverage *c, uint32_t file, uint8_t flag)
{
    uint64_t n = 0;
    for (uint32_t i = 0; c->branch_flags && i < c->branch_count; i++) n += c->branch_file[i].v == file && c->branch_flags[i] & flag;
    return n;
}

static uint64_t checksums(const struct assay_coverage *c, uint32_t file)
{
    uint64_t n = 0;
    for (uint32_t i = 0; c->line_checksum && i < c->line_count; i++) n += c->line_file[i].v == file && c->line_checksum[i].v;
    return n;
}

static uint64_t sums(const assay_profile *p, uint32_t file, const char *kind, bool hit)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    uint64_t n = 0;
    for (uint32_t i = 0; i < c->sum_count; i++)
        if (c->sum_file[i].v == file && slice_is(assay_profile_string(p, c->sum_kind[i]), kind)) n += hit ? c->sum_hit[i] : c->sum_total[i];
    return n;
}

/* Records of one file are added, as the facts have them. */
static void stated(struct json *j, const assay_profile *p, uint32_t file)
{
    static const char *const names[4][3] = { { "lines", "LF", "LH" }, { "functions", "FNF", "FNH" }, { "branches", "BRF", "BRH" }, { "mcdc", "MCF", "MCH" } };
    const struct assay_coverage *c = assay_profile_coverage(p);
    json_key(j, "stated");
    json_object(j);
    for (int k = 0; k < 4; k++) {
        uint64_t sum[2] = { 0, 0 };
        bool has[2] = { false, false };
        for (uint32_t i = 0; i < c->stated_count; i++) {
            if (!c->stated_file || c->stated_file[i].v != file || !slice_is(assay_profile_string(p, c->stated_kind[i]), names[k][0])) continue;
            double pair[2] = { c->stated_total[i], c->stated_hit[i] };
            for (int s = 0; s < 2; s++)
                if (pair[s] >= 0) {
                    has[s] = true;
                    sum[s] += (uint64_t)pair[s];
                }
        }
        for (int s = 0; s < 2; s++)
            if (has[s]) member(j, names[k][s + 1], sum[s]);
    }
    json_end(j);
}

/* Kind -> [hit, total] as stated of a file, or of no single one (0): in this scope only, or (NULL) in any but folders. */
static void stated_kinds(struct json *j, const assay_profile *p, uint32_t file, const char *name, const char *only)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    json_key(j, name);
    json_object(j);
    for (uint32_t i = 0; i < c->stated_count; i++) {
        if ((c->stated_file ? c->stated_file[i].v : 0) != file) continue;
        assay_slice scope = assay_profile_string(p, c->stated_scope[i]);
        if (slice_starts(scope, "directory") || (only && !slice_is(scope, only))) continue;
        json_key_slice(j, assay_profile_string(p, c->stated_kind[i]));
        json_array(j);
        json_double(j, c->stated_hit[i]);
        json_double(j, c->stated_total[i]);
        json_end(j);
    }
    json_end(j);
}

static void file(struct json *j, const assay_profile *p, uint32_t id, const assay_coverage_counts *n)
{
    const struct assay_files *files = assay_profile_files(p);
    const struct assay_coverage *c = assay_profile_coverage(p);
    json_key_slice(j, assay_profile_string(p, files->path[id]));
    json_object(j);
    member(j, "lines", n->lines);
    member(j, "lines_hit", n->lines_hit);
    member(j, "functions", n->functions);
    member(j, "functions_hit", n->functions_hit);
    member(j, "function_groups", n->groups);
    member(j, "function_groups_hit", n->groups_hit);
    member(j, "branches", n->branches);
    member(j, "branches_hit", n->branches_hit);
    json_key(j, "extra");
    json_object(j);
    member(j, "statements", n->statements);
    member(j, "statements_hit", n->statements_hit);
    uint64_t blocks = 0, executed = 0;
    for (uint32_t i = 0; c->func_blocks && i < c->func_count; i++) {
        if (assay_profile_funcs(p)->file[c->func[i].v].v != id) continue;
        blocks += c->func_blocks[i];
        executed += c->func_blocks_hit ? c->func_blocks_hit[i] : 0;
    }
    member(j, "blocks", blocks ? blocks : n->blocks);
    member(j, "blocks_executed", executed);
    member(j, "blocks_hit", n->blocks_hit);
    member(j, "conditions", n->conditions);
    member(j, "conditions_hit", n->conditions_hit);
    member(j, "branches_throw", branches_with(c, id, ASSAY_COVERAGE_BRANCH_EXCEPTION));
    member(j, "mcdc", n->conditions);
    member(j, "mcdc_hit", n->conditions_hit);
    member(j, "excluded_lines", lines_with(c, id, ASSAY_COVERAGE_EXCLUDED));
    member(j, "excluded_rows", lines_with(c, id, ASSAY_COVERAGE_EXCLUDED | ASSAY_COVERAGE_NONCODE));
    member(j, "checksums", checksums(c, id));
    member(j, "calls", sums(p, id, "calls", false));
    member(j, "instructions", sums(p, id, "instructions", false));
    member(j, "instructions_hit", sums(p, id, "instructions", true));
    member(j, "lines_partial", lines_with(c, id, ASSAY_COVERAGE_PARTIAL));
    member(j, "lines_unknown", lines_with(c, id, ASSAY_COVERAGE_UNKNOWN));
    member(j, "unexecuted_blocks", lines_with(c, id, ASSAY_COVERAGE_UNEXECUTED_BLOCK));
    member(j, "branches_exception", branches_with(c, id, ASSAY_COVERAGE_BRANCH_EXCEPTION));
    member(j, "branches_fallthrough", branches_with(c, id, ASSAY_COVERAGE_BRANCH_FALLTHROUGH));
    member(j, "branches_unreachable", branches_with(c, id, ASSAY_COVERAGE_BRANCH_UNREACHABLE));
    if (files->origin && files->origin[id].v) {
        json_key(j, "version");
        json_string(j, assay_profile_string(p, files->origin[id]));
    }
    json_end(j);
    stated(j, p, id);
    stated_kinds(j, p, id, "stated_pairs", NULL);
    json_end(j);
}

static void attributes(struct json *j, const assay_profile *p, const char *key, const char *name)
{
    const struct assay_attributes *a = assay_profile_attributes(p);
    json_key(j, name);
    json_array(j);
    for (uint32_t i = 0; i < a->count; i++)
        if (slice_is(assay_profile_string(p, a->key[i]), key)) json_string(j, assay_profile_string(p, a->value[i]));
    json_end(j);
}

/* Classes of execution data: [id, probes, probes hit]. */
static void classes(struct json *j, const assay_profile *p)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    const struct assay_attributes *a = assay_profile_attributes(p);
    json_key(j, "classes");
    json_object(j);
    for (uint32_t i = 0; i < a->count; i++) {
        assay_slice key = assay_profile_string(p, a->key[i]);
        uint64_t probes = 0, hits = 0;
        if (!slice_starts(key, "class.")) continue;
        key = slice_from(key.data + 6, key.data + key.len);
        for (uint32_t k = 0; k < c->region_count; k++)
            if (slice_equal(assay_profile_string(p, assay_profile_funcs(p)->name[c->region_func[k].v]), key)) {
                probes++;
                hits += c->region_hits[k];
            }
        json_key_slice(j, key);
        json_object(j);
        json_key(j, "id");
        json_string(j, assay_profile_string(p, a->value[i]));
        member(j, "probes", probes);
        member(j, "probes_hit", hits);
        json_end(j);
    }
    json_end(j);
}

int main(int argc, char **argv)
{
    assay_profile *p = NULL;
    assay_error err = { 0 };
    assay_coverage_counts total;
    struct mem mem;
    struct output *out;
    struct json j;
    if (argc != 2 || assay_read(argv[1], NULL, &p, &err) != 0) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    uint32_t count = assay_profile_files(p)->count;
    assay_coverage_counts *by_file = calloc((size_t)count + 1, sizeof *by_file);
    mem_init(&mem, 0);
    if (!by_file || assay_coverage_count(p, &total, by_file, &err) != 0 || output_open_fn(&out, to_stdout, NULL, &mem, &err) != 0) return 1;
    json_init(&j, out);
    json_object(&j);
    attributes(&j, p, "test", "tests");
    attributes(&j, p, "source", "sources");
    attributes(&j, p, "session", "sessions");
    attributes(&j, p, "name", "names");
    classes(&j, p);
    stated_kinds(&j, p, 0, "stated", "report");
    stated_kinds(&j, p, 0, "stated_pairs", NULL);
    attributes(&j, p, "url", "urls");
    json_key(&j, "per_file");
    json_object(&j);
    for (uint32_t i = 1; i <= count; i++) file(&j, p, i, &by_file[i]);
    json_end(&j);
    json_end(&j);
    free(by_file);
    assay_profile_release(p);
    return output_commit(out, &err) == 0 ? 0 : 1;
}
