/* Which files there are, and their bytes; see formats/hpcdb/open.h. */
#include "formats/hpcdb/open.h"

#include "base/folder.h"

bool hpcdb_has_file(const char *dir, const char *name) { return folder_peek(dir, name, NULL, 0) >= 0; }

/* meta.db is read whole: its texts and contexts are handed out where they are. */
static int take(struct hpcdb_file *f, struct input *in, bool whole, assay_error *err)
{
    assay_error cause = { 0 };
    int rc = whole ? input_map(in, &f->bytes, &cause) : input_reach(in, &f->bytes, &cause);
    f->in = in;
    f->is_there = true;
    f->is_cut = rc == ASSAY_ERR_DAMAGED || rc == ASSAY_ERR_TRUNCATED;
    if (rc == 0 || f->is_cut) return 0;
    error_path(&cause, input_path(in));
    if (err) *err = cause;
    return rc;
}

static int open_part(struct hpcdb *db, struct hpcdb_inputs *inputs, unsigned part, const struct read_job *job, struct mem *mem, assay_error *err)
{
    char path[FOLDER_PATH_MAX];
    const char *dir = input_path(job->in), *name = hpcdb_layouts[part].name;
    struct input_options o = { mem, job->options->max_output, NULL, NULL, job->options->max_string };
    if (!folder_path(path, dir, name) || !hpcdb_has_file(dir, name)) return 0;
    TRY(input_open(&inputs->in[part], path, &o, err));
    return take(&db->file[part], inputs->in[part], part == HPCDB_META, err);
}

/* By its head; when that is damaged by its footer, else it is taken for meta.db, and whoever looks at it will say what is wrong. */
static unsigned part_of(assay_slice bytes)
{
    unsigned part = hpcdb_part_of(bytes);
    for (unsigned i = 0; part == HPCDB_PARTS && i < HPCDB_PARTS; i++)
        if (bytes.len >= HPCDB_FOOTER_LEN && memcmp(bytes.data + bytes.len - HPCDB_FOOTER_LEN, hpcdb_layouts[i].footer, HPCDB_FOOTER_LEN) == 0) part = i;
    return part < HPCDB_PARTS ? part : HPCDB_META;
}

static int open_single(struct hpcdb *db, const struct read_job *job, assay_error *err)
{
    struct hpcdb_file f = { .is_there = false };
    assay_slice head;
    TRY(input_peek(job->in, &head, err));
    unsigned part = hpcdb_part_of(head);
    TRY(take(&f, job->in, part == HPCDB_META || part == HPCDB_PARTS, err));
    db->is_single = true;
    db->file[part == HPCDB_PARTS ? part_of(f.bytes) : part] = f;
    return 0;
}

int hpcdb_open(struct hpcdb *db, struct hpcdb_inputs *inputs, const struct read_job *job, struct mem *mem, assay_error *err)
{
    if (input_is_dir(job->in))
        for (unsigned part = 0; part < HPCDB_PARTS; part++) TRY(open_part(db, inputs, part, job, mem, err));
    else
        TRY(open_single(db, job, err));
    for (unsigned part = 0; part < HPCDB_PARTS; part++) {
        hpcdb_view_init(&inputs->elements[part], &db->file[part], db->file[part].bytes.len, inputs->rooms[part], HPCDB_WINDOW);
        db->file[part].elements = &inputs->elements[part];
    }
    for (unsigned part = 0; part < HPCDB_PARTS; part++)
        if (db->file[part].is_cut)
            hpcdb_say(db, (enum hpcdb_part)part, "H015", ASSAY_ERROR, db->file[part].bytes.len,
                      "the compressed file is damaged here: only what comes before is checked");
    hpcdb_begin(db);
    return 0;
}

int hpcdb_settle(const struct hpcdb *db, const struct hpcdb_inputs *inputs, int rc, assay_error *err)
{
    if (rc == ASSAY_ERR_MEMORY || rc == ASSAY_ERR_CANCELLED) return rc;
    for (unsigned part = 0; part < HPCDB_PARTS; part++) {
        bool has_changed;
        assay_error cause = { 0 };
        int now = inputs->in[part] ? input_steady(inputs->in[part], &has_changed, &cause) : 0;
        if (now != 0) {
            if (err) *err = cause;
            return now;
        }
        if (inputs->in[part] && has_changed)
            hpcdb_say(db, (enum hpcdb_part)part, "F-3", ASSAY_WARNING, FINDING_NO_OFFSET, "the file was changed while it was being read: try again");
    }
    return rc;
}

void hpcdb_close(struct hpcdb_inputs *inputs)
{
    for (unsigned part = 0; part < HPCDB_PARTS; part++) {
        input_close(inputs->in[part]);
        inputs->in[part] = NULL;
    }
}
