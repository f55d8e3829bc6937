/* The name of a profile, PROGRAM-RANK-THREAD-HOST-PROCESS-GENERATION.hpcrun, against what its header says. */
#include <inttypes.h>

#include "base/number.h"
#include "formats/hpcrun/check.h"

enum { RANK, THREAD, HOST, PROCESS, GENERATION, FIELDS };

/* Takes the last "-FIELD" off the name; false = there is none. */
static bool take_last(assay_slice *name, assay_slice *field)
{
    const char *dash = name->len ? memrchr(name->data, '-', name->len) : NULL;
    if (!dash) return false;
    *field = slice_from(dash + 1, name->data + name->len);
    name->len = (size_t)(dash - name->data);
    return field->len > 0;
}

static bool split(const char *path, uint64_t out[FIELDS])
{
    const char *slash = strrchr(path, '/');
    assay_slice name = slice_of(slash ? slash + 1 : path), field;
    static const char extension[] = ".hpcrun";
    const char *end = name.len ? memmem(name.data, name.len, extension, sizeof extension - 1) : NULL;
    if (!end) return false;
    name.len = (size_t)(end - name.data);
    for (unsigned i = FIELDS; i-- > 0;) {
        if (!take_last(&name, &field)) return false;
        if ((i == HOST ? number_hex(field, &out[i]) : number_u64(field, &out[i])) != NUMBER_OK) return false;
    }
    return true;
}

void hpcrun_check_name(struct hpcrun_checker *c, const char *path)
{
    static const char *const names[] = { "mpi-rank", "thread-id", "host-id", "process-id" };
    const assay_slice pairs[] = { c->rank, c->thread, c->host, c->process };
    uint64_t fields[FIELDS], value;
    if (!path || !split(path, fields)) return;
    for (unsigned i = 0; i < GENERATION; i++) {
        if (!pairs[i].data) continue;
        enum number_result rc = i == HOST ? number_hex(pairs[i], &value) : number_u64(pairs[i], &value);
        if (rc == NUMBER_OK && value != fields[i])
            findings_add(c->out, "HRW12", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "the file name says %s %" PRIu64 ", the header %" PRIu64, names[i], fields[i],
                         value);
    }
}
