/* nytprof-tlv -> nytprof-tlv, record by record: chunks stay in their order, also those that nobody knows, and so do records that stand
 * twice. What is damaged is mended as far as that is sure: lengths are those of the whole records, names get their NUL, the banner its
 * empty line, P its length, the stream its E. A file as the specification has it comes out byte for byte. */
#include <inttypes.h>

#include "base/scoped.h"
#include "formats/nytprof-tlv/check.h"
#include "formats/nytprof-tlv/encode.h"

struct rewriter {
    struct tlv_decoder d;
    struct output *out;
    bool has_blank; /* the banner is closed */
    bool has_end;
    bool has_events; /* in the chunk in work: a 0 closes them */
    bool is_too_long;
};

/* ---- what gets lost ---- */

static bool loses(const char *rule)
{
    static const char *const rules[] = { "T13", "T14", "T16", "T22", "T25", "T26", "T27" };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rule, rules[i]) == 0) return true;
    return false;
}

/* Refuses what cannot be written at all, and names the places that cannot be written as they are. */
static int look(const struct tlv_source *source, const struct write_job *write, assay_error *err)
{
    struct tlv_decoder d;
    struct tlv_record r;
    uint64_t damaged = source->is_cut;
    char first[TLV_MESSAGE_LEN] = "the compressed input is damaged (T36)";
    tlv_decoder_init(&d, source->bytes);
    d.skip_figures = true;
    while (tlv_next(&d, &r)) {
        if (r.kind != TLV_DAMAGE) continue;
        bool is_unread = strcmp(r.damage.rule, "T34") == 0;
        if (r.damage.is_fatal || is_unread)
            return error_at(err, is_unread ? ASSAY_ERR_UNSUPPORTED : ASSAY_ERR_DAMAGED, r.off, "%s (%s)", r.damage.message, r.damage.rule);
        if (!loses(r.damage.rule)) continue;
        if (!damaged++) memcpy(first, r.damage.message, sizeof first);
    }
    if (damaged) losses_add(write->losses, "damaged", damaged, "what is damaged in the input is not written: %s", first);
    if (d.head.start != TLV_START_BANNER) losses_add(write->losses, "header", 1, "the header of generation %s becomes a banner", tlv_generation(&d));
    return losses_settle(write, err);
}

static int refuse_damage(const struct read_job *job, const struct tlv_source *source, assay_error *err)
{
    SCOPED(findings_done) struct findings found = { 0 };
    SCOPED(tlv_judge_done) struct tlv_judge j = { 0 };
    findings_init(&found, job->mem);
    tlv_judge_init(&j, job->mem, &found);
    TRY(tlv_judge_all(&j, source, err));
    return tlv_judge_refuse(&j, err);
}

/* ---- writing ---- */

static void put_head(struct rewriter *w, const struct tlv_head *h)
{
    if (h->start == TLV_START_BANNER) {
        tlv_put_text(w->out, h->text);
        return;
    }
    output_text(w->out, "NYTProf 5 0\n");
    tlv_put_comment(w->out, 0);
    for (size_t i = 0; i < TLV_KEY_COUNT; i++) tlv_put_key(w->out, &tlv_keys[i], slice_of(tlv_keys[i].value));
}

static void close_banner(struct rewriter *w)
{
    if (!w->has_blank) output_char(w->out, '\n');
    w->has_blank = true;
}

static void close_chunk(struct rewriter *w)
{
    if (w->has_events) output_char(w->out, 0);
    w->has_events = false;
}

/* The records of the chunk that was just handed out; the decoder itself stays where it is. */
static uint64_t records_len(const struct rewriter *w)
{
    struct tlv_decoder ahead = w->d;
    struct tlv_record r;
    uint64_t len = 0;
    while (tlv_next(&ahead, &r) && r.kind != TLV_CHUNK) len += tlv_record_len(&r);
    return len;
}

static bool is_copied(const struct tlv_chunk *c) { return c->layout == TLV_LAYOUT_OTHER || (c->layout == TLV_LAYOUT_PROCESS && c->there != TLV_PROCESS_LEN); }

static void put_chunk(struct rewriter *w, const struct tlv_chunk *c)
{
    close_banner(w);
    close_chunk(w);
    if (c->layout == TLV_LAYOUT_END) {
        w->has_end = true;
        tlv_put_chunk(w->out, 'E', 0);
    } else if (is_copied(c)) {
        tlv_put_chunk(w->out, c->token, (uint32_t)c->there);
        if (c->there) output_bytes(w->out, w->d.bytes.data + w->d.at, (size_t)c->there);
    } else {
        w->has_events = c->layout == TLV_LAYOUT_EVENTS;
        uint64_t len = records_len(w) + w->has_events;
        w->is_too_long |= len > UINT32_MAX; /* a name at the very end got its NUL */
        tlv_put_chunk(w->out, c->token, (uint32_t)len);
    }
}

static void put_record(struct rewriter *w, const struct tlv_record *r)
{
    switch (r->kind) {
    case TLV_HEAD: put_head(w, &r->head); break;
    case TLV_LINE:
        if (r->line.text.len) tlv_put_text(w->out, r->line.text);
        break;
    case TLV_CHUNK: put_chunk(w, &r->chunk); break;
    case TLV_DAMAGE: break;
    default:
        if (w->d.chunk_count) tlv_put_record(w->out, r);
        break;
    }
}

int nytprof_tlv_rewrite(const struct read_job *job, const struct write_job *write, struct output *out, assay_error *err)
{
    struct rewriter w = { .out = out };
    struct tlv_source source;
    struct tlv_record r;
    TRY(tlv_map(job, &source, err));
    if (job->options->strict) TRY(refuse_damage(job, &source, err));
    TRY(look(&source, write, err));
    tlv_decoder_init(&w.d, source.bytes);
    while (!output_failed(out) && tlv_next(&w.d, &r)) put_record(&w, &r);
    close_banner(&w);
    close_chunk(&w);
    if (!w.has_end) tlv_put_chunk(out, 'E', 0);
    if (w.is_too_long) FAIL(err, ASSAY_ERR_LIMIT, "a chunk does not fit in 4294967295 bytes");
    return 0;
}
