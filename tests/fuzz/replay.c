/* main() of a fuzz target without the fuzzing engine: runs it over the files of the folders named, so that everything the fuzzers ever
 * taught us is tested in every build.
 *
 *     replay_TARGET FOLDER... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "harness.h"

int main(int argc, char **argv)
{
    struct samples s = { 0 };
    for (int i = 1; i < argc; i++) samples_add(&s, argv[i], 0);
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
