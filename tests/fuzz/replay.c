/* main() of a fuzz target without the fuzzing engine: runs it over the files of the folders named, so that everything the fuzzers ever
 * taught us is tested in every build.
 *
 *     replay_TARGET [--format NAME] FOLDER... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "harness.h"

const struct format *replay_format;

int main(int argc, char **argv)
{
    struct samples s = { 0 };
    int first = argc > 2 && strcmp(argv[1], "--format") == 0 ? 3 : 1;
    if (first == 3 && !(replay_format = registry_find(slice_of(argv[2])))) return fprintf(stderr, "no format %s\n", argv[2]), 1;
    for (int i = first; i < argc; i++) samples_add(&s, argv[i], 0);
    for (size_t i = 0; i < s.count; i++) {
        uint8_t *exact = malloc(s.at[i].len ? s.at[i].len : 1);
        if (!exact) return 1;
        memcpy(exact, s.at[i].data, s.at[i].len);
        fprintf(stderr, "%s\n", s.at[i].path); /* the last one named is the one that failed */
        (void)LLVMFuzzerTestOneInput(exact, s.at[i].len);
        free(exact);
    }
    size_t count = s.count;
    samples_free(&s);
    printf("%zu passed, 0 failed\n", count);
    return count ? 0 : 1;
}
