/* What the fuzz targets call. Those of a format are walk.c (fuzz_format) and decode.c. */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include "registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

/* A fuzzer is made for one format (FUZZ_FORMAT, FUZZ_SYMBOL); a replay is told by its option --format. */
#ifdef FUZZ_REPLAY
extern const struct format *replay_format;
#define FUZZ_SYMBOL (*replay_format)
#define FUZZ_NAME (replay_format->info.name)
#else
#define FUZZ_NAME FUZZ_FORMAT
#endif

/* Mutators (mutate_*.c): change `len` bytes, of at most `room`, in place; return the new length. The second is libFuzzer's own. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t len, size_t room, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t len, size_t room);

/* Probe, read with every want, check, dump, rewrite, and what was read through the analyses and to other formats: in at most 64 MB. The fuzzer does a
 * few of the last for each input, chosen by its bytes, and fuzz_faults for one of eight; replaying does all of them. Returns 0. */
int fuzz_format(const struct format *f, const uint8_t *data, size_t len);

/* A conversion of the bytes, as a file, in which an allocation, a read or a write fails: the error has a sentence, and no output is left. */
void fuzz_faults(const struct format *f, const uint8_t *data, size_t len);
/* The same for what lies at a path; `format` may be NULL. */
void fuzz_faults_path(const char *path, const char *format, uint64_t seed);

/* The same as fuzz_format for a directory that was made of the bytes. `also`: 0 or RUN_AGREE of harness.h. */
int fuzz_path(const char *path, uint32_t also, const uint8_t *data, size_t len);

/* The same for a format whose input is a folder: `data` has a length of four bytes (least significant first) for each of the names (ends with NULL),
 * then their contents. A length past the end takes what is left; a file of length 0 is not made. Names may have one folder in front. */
int fuzz_folder(const char *const *names, const uint8_t *data, size_t len);

#endif
