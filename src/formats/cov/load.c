/* Input -> object. The input layer unpacks gzip itself, and so tells that framing; zlib is unpacked here. */
#include "formats/cov/cov.h"

#define MAX_OUTPUT_DEFAULT ((uint64_t)64 << 30) /* what callers get who name no limit: no statement about objects */

uint64_t cov_limit(const struct assay_read_options *options)
{
    return options->max_output && options->max_output < MAX_OUTPUT_DEFAULT ? options->max_output : COV_MAX_BYTES;
}

/* A damaged compressed input: what could be unpacked is there all the same. */
static int note_packing(int rc, const struct read_job *job, struct findings *findings, assay_error *err)
{
    if (rc == ASSAY_ERR_TRUNCATED)
        findings_add(findings, "C02", ASSAY_ERROR, input_packed_len(job->in), 0, "the stream ends early");
    else if (rc == ASSAY_ERR_DAMAGED)
        findings_add(findings, "C01", ASSAY_ERROR, 0, 0, "the stream cannot be decompressed: %s", err->text);
    else if (rc == ASSAY_ERR_LIMIT)
        findings_add(findings, "C05", ASSAY_ERROR, 0, 0, "decompresses to more than the limit");
    else
        return rc;
    return 0;
}

static int unpack(const struct read_job *job, struct cov_loaded *l, assay_slice *bytes, struct findings *findings, assay_error *err)
{
    assay_error local;
    assay_slice raw = { NULL, 0 };
    int rc = input_map(job->in, &raw, &local);
    if (rc != 0) rc = note_packing(rc, job, findings, &local);
    if (rc != 0) {
        if (err) *err = local;
        return rc;
    }
    l->stored_len = input_packed_len(job->in) ? input_packed_len(job->in) : raw.len;
    if (input_packing(job->in) == INPUT_PLAIN) return cov_unpack(&l->unpacker, raw, cov_limit(job->options), bytes, &l->framing, findings, err);
    l->framing = input_packing(job->in) == INPUT_GZIP ? COV_GZIP : COV_BARE;
    *bytes = raw;
    return 0;
}

/* The last parts of the path, when they are 40 digits: NAME, or xx/NAME as in a store. */
static bool id_of_path(const char *path, assay_store_id *out)
{
    assay_slice s = slice_of(path);
    char name[COV_ID_HEX];
    const char *slash = memrchr(s.data, '/', s.len);
    const char *base = slash ? slash + 1 : s.data;
    size_t len = s.len - (size_t)(base - s.data);
    if (len == COV_ID_HEX) return cov_id_parse((assay_slice){ base, len }, out);
    if (len != COV_ID_HEX - 2 || !slash || slash - s.data < 2) return false;
    memcpy(name, slash - 2, 2);
    memcpy(name + 2, base, len);
    return cov_id_parse((assay_slice){ name, sizeof name }, out);
}

static void check_frame(const struct read_job *job, const struct cov_loaded *l, struct findings *findings)
{
    assay_store_id name;
    char hex[COV_ID_HEX + 1];
    enum cov_framing expected = l->o.dialect == COV_DIALECT_SPEC ? COV_GZIP : COV_ZLIB;
    if (l->o.kind != COV_NONE && l->framing != expected)
        findings_add(findings, "C04", ASSAY_WARNING, 0, 0, "framing is %s; %s was expected", cov_framing_name(l->framing), cov_framing_name(expected));
    if (id_of_path(input_path(job->in), &name) && cov_id_compare(&name, &l->id) != 0)
        findings_add(findings, "C24", ASSAY_ERROR, 0, 0, "the SHA-1 of the content is %s, not the name", cov_id_hex(&l->id, hex));
}

int cov_load(const struct read_job *job, enum cov_dialect dialect, struct cov_loaded *l, struct findings *findings, assay_error *err)
{
    assay_slice bytes = { "", 0 };
    memset(l, 0, sizeof *l);
    arena_init(&l->arena, job->mem);
    cov_unpacker_init(&l->unpacker, job->mem);
    TRY(unpack(job, l, &bytes, findings, err));
    if (!bytes.data) bytes.data = "";
    l->id = cov_id_of(bytes.data, bytes.len);
    TRY(cov_object_parse(bytes.data, bytes.len, l->framing, dialect, &l->o, &l->arena, findings, err));
    check_frame(job, l, findings);
    return findings->failed ? error_memory(err) : 0;
}

void cov_loaded_done(struct cov_loaded *l)
{
    cov_unpacker_done(&l->unpacker);
    arena_done(&l->arena);
}
