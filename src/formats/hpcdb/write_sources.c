/* Sources: copied into the folder `src` of the database under their own paths, where they can be found; see write.h. What a path says is the
 * input's word: it never leads out of the folder. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "formats/hpcdb/write.h"
#include "symbols/symbols.h"

enum { BLOCK = 1 << 16 };

assay_slice hpcdb_source_origin(const struct hpcdb_plan *plan, uint32_t file)
{
    const struct assay_files *f = assay_profile_files(plan->p);
    assay_slice path = assay_profile_string(plan->p, (assay_str_id){ ID_AT(f->path, file) });
    bool is_copy = plan->has_copies && NUMBER_AT(f->flags, file) & 1;
    size_t folder = is_copy && slice_starts(path, "src/") ? 3 : is_copy && slice_starts(path, "./src/") ? 5 : 0;
    return slice_from(path.data + folder, path.data + path.len);
}

/* "src" and the path without ".", ".." and double slashes; from the arena. {NULL, 0} = it is not absolute, or no memory. */
static assay_slice place_of(struct arena *arena, assay_slice path)
{
    char *text = path.len && path.data[0] == '/' ? arena_text(arena, path.len + sizeof "src") : NULL, *at = text;
    if (!text) return (assay_slice){ NULL, 0 };
    at = stpcpy(at, "src");
    for (size_t i = 0, end; i < path.len; i = end) {
        while (i < path.len && path.data[i] == '/') i++;
        for (end = i; end < path.len && path.data[end] != '/';) end++;
        assay_slice part = { path.data + i, end - i };
        if (slice_is(part, "..")) {
            while (at > text + 3 && *--at != '/')
                ;
        } else if (part.len && !slice_is(part, ".")) {
            *at++ = '/';
            memcpy(at, part.data, part.len);
            at += part.len;
        }
    }
    *at = '\0';
    return at > text + 3 ? slice_from(text, at) : (assay_slice){ NULL, 0 };
}

/* The file that can be copied; -1 = there is none. */
static int open_source(struct arena *arena, const struct hpcdb_plan *plan, assay_slice origin, bool *no_memory)
{
    const struct assay_write_options *o = plan->job->options;
    const struct symbols_options where = { .mem = plan->mem, .maps = o->maps, .map_count = o->map_count, .foreign = o->foreign };
    const char *path = NULL;
    struct stat st;
    *no_memory = !symbols_source_path(arena, &where, origin.data, &path);
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static bool copy(int fd, struct output *out)
{
    char block[BLOCK];
    ssize_t len;
    while ((len = read(fd, block, sizeof block)) > 0) output_bytes(out, block, (size_t)len);
    return len == 0;
}

static int write_source(const struct hpcdb_plan *plan, struct output_dir *dir, uint32_t file, int fd, const char *place, bool *done, assay_error *err)
{
    assay_slice text = assay_profile_string(plan->p, (assay_str_id){ ID_AT(assay_profile_files(plan->p)->source, file) });
    assay_error why = { 0 };
    struct output *out;
    *done = false;
    /* A name that the file system does not take is a source that is not copied. */
    int rc = output_dir_file(dir, place, &out, &why);
    if (rc != 0) return rc == ASSAY_ERR_MEMORY ? error_memory(err) : 0;
    if (text.len) output_slice(out, text);
    if (!text.len && !copy(fd, out)) {
        output_abort(out);
        return 0;
    }
    *done = true;
    return output_commit(out, err);
}

bool hpcdb_has_source(const struct hpcdb_plan *plan, uint32_t file)
{
    SCOPED(arena_done) struct arena arena = { 0 };
    bool no_memory;
    if (ID_AT(assay_profile_files(plan->p)->source, file)) return true;
    arena_init(&arena, plan->mem);
    int fd = open_source(&arena, plan, hpcdb_source_origin(plan, file), &no_memory);
    if (fd >= 0) close(fd);
    return fd >= 0;
}

int hpcdb_copy_source(const struct hpcdb_plan *plan, struct output_dir *dir, uint32_t file, struct arena *arena, assay_slice *place, assay_error *err)
{
    assay_slice origin = hpcdb_source_origin(plan, file), to = place_of(arena, origin);
    bool no_memory = false, done = false;
    int fd = -1, rc = 0;
    *place = (assay_slice){ NULL, 0 };
    if (!to.data || memchr(to.data, 0, to.len)) return 0;
    if (!ID_AT(assay_profile_files(plan->p)->source, file)) fd = open_source(arena, plan, origin, &no_memory);
    if (no_memory) return error_memory(err);
    if (fd < 0 && !ID_AT(assay_profile_files(plan->p)->source, file)) return 0;
    rc = write_source(plan, dir, file, fd, to.data, &done, err);
    if (fd >= 0) close(fd);
    if (done) *place = to;
    return rc;
}
