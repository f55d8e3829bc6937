/* Bytes -> blocks; see decode.h. Big endian throughout. */
#include "formats/jacoco-exec/decode.h"

enum { BLOCK_HEADER = 0x01, BLOCK_SESSION = 0x10, BLOCK_CLASS = 0x11 };

int jacoco_exec_init(struct jacoco_exec_decoder *d, const struct read_job *job, struct findings *damage, assay_error *err)
{
    assay_slice bytes = { NULL, 0 };
    assay_error found = { 0 };
    int rc = input_map(job->in, &bytes, &found);
    *d = (struct jacoco_exec_decoder){ .c = cursor_of(bytes.data, bytes.len), .damage = damage, .err = err };
    if (rc == ASSAY_ERR_DAMAGED || rc == ASSAY_ERR_TRUNCATED)
        findings_add(damage, rc == ASSAY_ERR_TRUNCATED ? "Z-1" : "Z-2", ASSAY_ERROR, found.offset, 0, "%s", found.text);
    else if (rc) {
        if (err) *err = found;
        return rc;
    }
    return damage->failed ? error_memory(err) : 0;
}

/* Nothing can be read behind it. */
static void stop(struct jacoco_exec_decoder *d, const char *rule, uint64_t off, const char *message)
{
    d->is_over = true;
    findings_add(d->damage, rule, ASSAY_ERROR, off, 0, "%s", message);
}

static bool cut(struct jacoco_exec_decoder *d, const char *message)
{
    stop(d, "JE-3", (uint64_t)(d->c.end - d->c.begin), message);
    return false;
}

static bool header(struct jacoco_exec_decoder *d, struct jacoco_exec_record *r)
{
    uint16_t magic;
    if (!cursor_u16be(&d->c, &magic) || !cursor_u16be(&d->c, &r->version)) return cut(d, "the file ends inside a header");
    r->kind = JACOCO_EXEC_HEADER;
    d->has_header = true;
    if (magic != JACOCO_EXEC_MAGIC)
        stop(d, "JE-1", r->off + 1, "the magic number is not C0C0: not JaCoCo execution data");
    else if (r->version != JACOCO_EXEC_VERSION)
        stop(d, "JE-2", r->off + 3,
             r->version < JACOCO_EXEC_VERSION ? "written before JaCoCo 0.7.5 (version below 0x1007), whose class ids mean something else"
                                              : "a version above 0x1007, which is not known");
    return !d->is_over;
}

static bool text(struct jacoco_exec_decoder *d, assay_slice *out)
{
    uint16_t len;
    return cursor_u16be(&d->c, &len) && cursor_bytes(&d->c, len, out);
}

static bool session(struct jacoco_exec_decoder *d, struct jacoco_exec_record *r)
{
    uint64_t start, dump;
    if (!text(d, &r->name) || !cursor_u64be(&d->c, &start) || !cursor_u64be(&d->c, &dump)) return cut(d, "the file ends inside a session");
    r->kind = JACOCO_EXEC_SESSION;
    r->start = (int64_t)start;
    r->dump = (int64_t)dump;
    return true;
}

static bool class_block(struct jacoco_exec_decoder *d, struct jacoco_exec_record *r)
{
    if (!cursor_u64be(&d->c, &r->id) || !text(d, &r->name) || !cursor_varint(&d->c, &r->probes)) return cut(d, "the file ends inside a class");
    if (!cursor_bytes(&d->c, r->probes / 8 + (r->probes % 8 != 0), &r->bits)) return cut(d, "the file ends inside the probes of a class");
    r->kind = JACOCO_EXEC_CLASS;
    return true;
}

static bool block(struct jacoco_exec_decoder *d, struct jacoco_exec_record *r, uint8_t type)
{
    if (type != BLOCK_HEADER && !d->has_header) {
        d->has_header = true;
        findings_add(d->damage, "JE-6", ASSAY_WARNING, r->off, 0, "the file does not begin with a header");
    }
    switch (type) {
    case BLOCK_HEADER: return header(d, r);
    case BLOCK_SESSION: return session(d, r);
    case BLOCK_CLASS: return class_block(d, r);
    default: stop(d, "JE-4", r->off, "unknown type of block: expected 01 (header), 10 (session) or 11 (class)"); return false;
    }
}

int jacoco_exec_next(struct jacoco_exec_decoder *d, struct jacoco_exec_record *r)
{
    uint8_t type;
    *r = (struct jacoco_exec_record){ .kind = JACOCO_EXEC_END, .off = cursor_off(&d->c) };
    if (!d->is_over && cursor_u8(&d->c, &type) && !block(d, r, type)) r->kind = JACOCO_EXEC_END;
    return d->damage->failed ? error_memory(d->err) : 0;
}
