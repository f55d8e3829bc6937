/* Elements of a structure file as text: offset, nesting, tag and attributes; damage where it is. */
#include <inttypes.h>

#include "base/text.h"
#include "formats/hpcstruct/hpcstruct.h"
#include "symbols/structure.h"

static void indent(struct output *out, const struct structure_record *r)
{
    output_printf(out, "%08" PRIx64 " ", r->off);
    for (unsigned i = 0; i < r->depth; i++) output_text(out, "  ");
}

static int put(void *arg, const struct structure_record *r)
{
    struct output *out = arg;
    if (r->kind == STRUCTURE_END) return 0;
    indent(out, r);
    if (r->kind == STRUCTURE_DAMAGE) {
        output_printf(out, "*** %s line %" PRIu64 ": ", r->rule, r->line);
        text_show(out, slice_of(r->message));
    } else {
        text_show(out, slice_of(r->tag));
        for (const char *const *a = r->attributes; a[0]; a += 2) {
            output_char(out, ' ');
            text_show(out, slice_of(a[0]));
            output_text(out, "=\"");
            text_show(out, slice_of(a[1]));
            output_char(out, '"');
        }
    }
    output_char(out, '\n');
    return output_failed(out);
}

int hpcstruct_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    int rc = structure_parse(job->in, job->mem, put, out, err);
    return rc && output_failed(out) ? 0 : rc;
}
