/* assay cov gc: removes unreachable objects. */
#include "base/json.h"
#include "base/plural.h"
#include "cli/cov/cov.h"
#include "cli/shared.h"

static const struct option_spec options[] = {
    { .name = "grace",
      .type = OPTION_NUMBER,
      .argument = "SECONDS",
      AT(cov.grace),
      GIVEN(cov.has_grace),
      .most = UINT32_MAX,
      .help = "keep unreachable objects newer than this; 7200 by default",
      .text = "The objects of a running import are not reachable yet. Imports by assay are always safe; the grace period protects those of other programs." },
    { .name = "dry-run", .letter = 'n', .type = OPTION_FLAG, AT(cov.dry_run), .help = "only show what would be removed" },
    OPTION_JSON,
    OPTION_OUTPUT,
    OPTION_HELP,
    OPTION_END,
};

static const char *const text[] = {
    "Removes objects that cannot be reached from any branch, tag, HEAD or reflog, temporary files left by killed programs, and locks whose process is gone.",
    "If an object that is still needed is damaged, nothing is removed: it may refer to others.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay cov gc -n", "show what would be removed" },
    { "assay cov gc", "remove it" },
    { NULL, NULL },
};

static void print_json(struct output *out, const assay_store_removed *r, bool dry_run)
{
    struct json j;
    const struct {
        const char *name;
        uint64_t value;
    } all[] = { { "objects", r->objects }, { "sources", r->sources }, { "temporaries", r->temporaries },
                { "locks", r->locks },     { "bytes", r->bytes },     { "kept", r->kept } };
    cov_begin_json(&j, out, "cov gc");
    json_key(&j, "dry_run");
    json_bool(&j, dry_run);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        json_key(&j, all[i].name);
        json_u64(&j, all[i].value);
    }
    json_end(&j);
}

static void print_text(struct output *out, const assay_store_removed *r, uint64_t grace, bool dry_run)
{
    output_printf(out, "%s %llu objects, %llu sources, %llu temporary files and %llu locks: %llu bytes\n", dry_run ? "would remove" : "removed",
                  (unsigned long long)r->objects, (unsigned long long)r->sources, (unsigned long long)r->temporaries, (unsigned long long)r->locks,
                  (unsigned long long)r->bytes);
    bool is_hours = grace && grace % 3600 == 0;
    if (r->kept)
        output_printf(out, "kept %llu unreachable object%s newer than %llu %s (--grace)\n", (unsigned long long)r->kept, plural(r->kept),
                      (unsigned long long)(is_hours ? grace / 3600 : grace), is_hours ? "h" : "s");
}

static int collect(struct cov *v, struct cli *c)
{
    assay_error err = { 0 };
    assay_store_removed result;
    struct output *out;
    const struct assay_store_gc_options o = {
        .size = sizeof o, .dry_run = c->set.cov.dry_run, .has_grace = true, .grace = c->set.cov.has_grace ? c->set.cov.grace : ASSAY_STORE_GRACE
    };
    if (assay_store_gc(v->store, &o, &result, &err) != 0) return cov_fail(v, &err);
    if (!cli_open_output(c, &out)) return COV_WRONG;
    if (c->set.json)
        print_json(out, &result, o.dry_run);
    else
        print_text(out, &result, o.grace, o.dry_run);
    return cli_close_output(c, out) == 0 ? COV_DONE : COV_WRONG;
}

static int run(struct cli *c)
{
    struct cov v;
    int code = cov_open(&v, c);
    if (code == 0) code = collect(&v, c);
    cov_close(&v);
    return code;
}

const struct verb cov_gc_verb = {
    .name = "cov gc", .summary = "remove unreachable objects", .arguments = "", .options = options, .text = text, .examples = examples, .run = run
};
