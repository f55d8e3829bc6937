/* Any verb that reports, on the library alone: report VERB [--KEY[=VALUE]]... ARGUMENT...
 * As the command does it, without its terminal: no colour, pager, progress bar or short options. Exits with 1 if the answer is no, 2 on errors. */
#include <assay/assay.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 64 };

static int put(void *arg, const char *data, size_t len) { return fwrite(data, 1, len, arg) != len; }

static void say(void *arg, const char *text)
{
    (void)arg;
    fprintf(stderr, "assay: %s\n", text);
}

static int fail(const assay_error *err)
{
    char text[1600];
    assay_error_format(err, text, sizeof text);
    fprintf(stderr, "assay: %s\n", text);
    return 2;
}

int main(int argc, char **argv)
{
    struct assay_option options[MOST];
    struct assay_report_sink sink = { .size = sizeof sink, .arg = stdout, .write = put, .message = say };
    assay_error err = { 0 };
    assay_reporter *report;
    size_t count = 0;
    int code = 0, i = 2;
    const struct assay_verb *verb = argc > 1 ? assay_verb_find(argv[1]) : NULL;
    if (!verb || argc > MOST) return 2;
    for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
        char *value = strchr(argv[i], '=');
        if (value) *value++ = '\0';
        options[count++] = (struct assay_option){ argv[i] + 2, value };
    }
    for (const char *const *word = verb->words; word && *word && i < argc; word++) options[count++] = (struct assay_option){ *word, argv[i++] };
    if (assay_reporter_new(verb->name, options, count, (size_t)(argc - i), &sink, &report, &err) != 0) return fail(&err);
    for (; i < argc && !assay_reporter_is_over(report); i++)
        if (assay_reporter_file(report, argv[i], &err) != 0) code = fail(&err);
    if (!assay_reporter_is_over(report) && assay_reporter_end(report, &err) != 0) code = fail(&err);
    if (!code) code = assay_reporter_is_no(report);
    assay_reporter_free(report);
    return code;
}
