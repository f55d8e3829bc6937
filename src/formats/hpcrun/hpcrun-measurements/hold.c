/* The bytes of profiles between the look at all of their metrics and the reading of each: a file is opened once unless there is too much of them. */
#include "formats/hpcrun/hpcrun-measurements/measure.h"

/* What is held counts towards the caller's limit of memory, most of which the profile needs. */
enum { HOLD_BYTES = 64 << 20, HOLD_SHARE = 8 };

int measure_open_file(struct measure *m, const char *path, struct measure_source *out, assay_error *err)
{
    struct input_options o = { .mem = m->mem, .max_output = m->job->options->max_output };
    *out = (struct measure_source){ 0 };
    TRY(input_open(&out->in, path, &o, err));
    int rc = input_map(out->in, &out->bytes, err);
    /* A compressed file that is cut has what could be unpacked. */
    if (rc != 0 && rc != ASSAY_ERR_DAMAGED && rc != ASSAY_ERR_TRUNCATED) return rc;
    return input_steady(out->in, &out->has_changed, err);
}

int measure_open_profile(struct measure *m, const struct measure_file *file, struct measure_source *out, assay_error *err)
{
    if (!file->held.data) return measure_open_file(m, file->path, out, err);
    *out = (struct measure_source){ NULL, file->held, file->has_changed };
    return 0;
}

void measure_close_file(struct measure_source *s)
{
    input_close(s->in);
    s->in = NULL;
}

void measure_hold(struct measure *m, struct measure_file *file, const struct measure_source *source)
{
    size_t len = source->bytes.len, most = m->mem->limit ? m->mem->limit / HOLD_SHARE : HOLD_BYTES;
    if (m->mem->keep && most > m->mem->keep / 2) most = m->mem->keep / 2;
    if (most > HOLD_BYTES) most = HOLD_BYTES;
    if (file->held.data || len > most || m->list.held_bytes > most - len) return;
    char *copy = mem_alloc(m->mem, len);
    if (!copy) return;
    memcpy(copy, source->bytes.data, len);
    m->list.held_bytes += len;
    file->held = (assay_slice){ copy, len };
    file->has_changed = source->has_changed;
}

void measure_let_go(struct measure_list *l, struct measure_file *file)
{
    if (!file->held.data) return;
    mem_free(l->mem, (char *)file->held.data, file->held.len);
    l->held_bytes -= file->held.len;
    file->held = (assay_slice){ NULL, 0 };
}
