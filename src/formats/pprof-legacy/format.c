/* The table entry of old profiles, and how they are recognised. */
#include "base/slice.h"
#include "formats/pprof-legacy/legacy.h"

/* The first line that is neither blank nor a comment. */
static assay_slice first_line(assay_slice head)
{
    while (head.len) {
        const char *end = memchr(head.data, '\n', head.len);
        assay_slice line = slice_from(head.data, end ? end : head.data + head.len);
        if (line.len && line.data[line.len - 1] == '\r') line.len--;
        line = slice_trim(line);
        if (line.len && line.data[0] != '#') return line;
        head = end ? slice_from(end + 1, head.data + head.len) : (assay_slice){ NULL, 0 };
    }
    return head;
}

static int legacy_probe(const struct probe *p, const char **why)
{
    struct legacy_decoder d = { 0 };
    uint64_t period;
    if (p->is_dir || !p->head.len) return 0;
    *why = "the first words of a cpu profile of gperftools";
    if (legacy_is_cpu(p->head, &d.word, &d.is_big_endian, &d.is_java, &period)) return 80;
    *why = "the first line of an old profile of pprof";
    return legacy_text_header(first_line(p->head), &d) ? 80 : 0;
}

static const struct option_spec reading[] = {
    { .name = "comments",
      .type = OPTION_FLAG,
      .at = offsetof(struct legacy_options, comments),
      .help = "take functions from the comments of Go's texts (debug=1)",
      .text = "Without it, functions are addresses, as pprof has them." },
    { .name = NULL },
};

static const char *const extensions[] = { ".heap", ".prof", NULL };
static const char *const versions[] = { "gperftools", "go", "java", NULL };

const struct format pprof_legacy_format = {
    .info = { "pprof-legacy", "profiles of gperftools, Go (texts) and Java from before profile.proto", extensions, versions, "all",
              ASSAY_SHAPE_TREE | ASSAY_SHAPE_LABELS, ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP, 0 },
    .probe = legacy_probe,
    .reading = { reading, sizeof(struct legacy_options) },
    .read = legacy_read,
    .check = legacy_check,
    .dump = legacy_dump,
};
