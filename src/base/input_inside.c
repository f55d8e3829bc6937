/* Packed streams inside an input, and a second look at an input; see base/input.h.
 *
 * A stream inside is an input of its own whose feed takes its compressed bytes from the blocks of the outer one. When a thread unpacks, that
 * thread also pulls the outer blocks, so the outer input must not call back: its progress goes to the one inside until that is left. */
#include <errno.h>
#include <unistd.h>

#include "base/error.h"
#include "base/input_parts.h"

static int more(void *arg, assay_slice *out, assay_error *err)
{
    uint64_t off;
    return input_block(arg, false, out, &off, err);
}

int input_open_inside(struct input **out, struct input *outer, assay_slice first, enum input_packing packing, assay_error *err)
{
    struct input_options options = { outer->mem, outer->feed.max_output, outer->progress, outer->progress_arg, outer->max_string };
    TRY(input_new(out, outer->path, &options, err));
    struct input *in = *out;
    in->outer = outer;
    in->packing = packing;
    in->packed_len = outer->packing == INPUT_PLAIN ? outer->packed_len : 0;
    in->feed.packing = input_packing_name(packing);
    in->feed.more = more;
    in->feed.more_arg = outer;
    in->feed.at = (const uint8_t *)first.data;
    in->feed.len = first.len;
    in->feed.off = outer->off - first.len;
    outer->progress = NULL;
    return 0;
}

assay_slice input_behind(const struct input *inside) { return (assay_slice){ (const char *)inside->feed.at, inside->feed.len }; }

uint64_t input_used(const struct input *in) { return in->held ? in->held->packed_off : in->feed.off; }

void input_leave(struct input *in)
{
    if (!in->outer) return;
    if (in->ring.running && !(in->held && in->held->last)) atomic_store_explicit(&in->outer->feed.stop, true, memory_order_relaxed);
    ring_stop(&in->ring);
    in->outer->progress = in->progress;
    in->outer = NULL;
}

bool input_can_rewind(const struct input *in) { return !in->is_dir && (in->memory || (in->is_regular && in->is_at_start)); }

int input_rewind(struct input *in, assay_error *err)
{
    ring_stop(&in->ring);
    inflate_free(in->feed.z);
    chunk_free(&in->raw, in->mem);
    in->feed.z = NULL;
    in->feed.off = in->feed.given = 0;
    in->feed.buf = NULL;
    in->feed.buf_len = 0;
    in->feed.end = in->memory != NULL;
    in->feed.at = (const uint8_t *)in->memory;
    in->feed.len = in->memory ? (size_t)in->packed_len : 0;
    in->feed.err = in->err = (assay_error){ 0 };
    atomic_store_explicit(&in->feed.stop, false, memory_order_relaxed);
    in->packing = INPUT_PLAIN;
    in->held = NULL;
    in->begin = in->end = NULL;
    in->next_slot = 0;
    in->off = 0;
    in->line.len = 0;
    if (in->memory) {
        input_know_packing(in, in->memory, (size_t)in->packed_len);
        return 0;
    }
    in->feed.waiting = input_waiting;
    if (lseek(in->fd, 0, SEEK_SET) < 0) return error_sys(err, ASSAY_ERR_SYSTEM, errno, "cannot read again");
    return input_read_first(in, err);
}
