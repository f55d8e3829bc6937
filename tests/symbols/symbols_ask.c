/* Asks the symbol layer, for tests: symbols_ask [-d DIR] [-s PATH]... [-R FROM=TO]... [-i BUILD-ID] [-f] [-c] [-n] [-l] MODULE
 * Addresses (hex) come on standard input. Without -q each answer is a line of scopes, outermost first:
 *     ADDRESS kind:relation:name|file:line ...
 * With -t the time of all look-ups but the first is printed. Findings go to standard error. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "symbols/symbols.h"

static void found(void *arg, const assay_finding *f)
{
    (void)arg;
    fprintf(stderr, "%s %s\n", f->rule, f->message);
}

static void show(const struct symbols *s, uint32_t m, uint64_t address, const struct symbols_chain *chain)
{
    static const char *const kinds[] = { "function", "entry", "inlined", "loop", "line" };
    static const char *const relations[] = { "in", "call", "inlined_call" };
    printf("%" PRIx64, address);
    for (size_t i = 0; i < chain->count; i++) {
        const struct symbols_scope *c = &chain->at[i];
        const struct symbols_function *f = symbols_function(s, m, c->function);
        assay_slice file = symbols_file(s, m, c->file);
        printf("\t%s;%s;%.*s;%.*s;%.*s;%" PRIu32, kinds[c->kind], relations[c->relation], (int)f->name.len, f->name.len ? f->name.data : "",
               (int)f->link_name.len, f->link_name.len ? f->link_name.data : "", (int)file.len, file.len ? file.data : "", c->line);
        if (c->kind == ASSAY_NODE_LOOP) printf(";%" PRIx64, c->address);
    }
    putchar('\n');
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* One million addresses spread over the range that was given. */
static int measure(struct symbols *s, uint32_t m, uint64_t low, uint64_t high)
{
    struct symbols_chain chain;
    uint64_t seed = 1, scopes = 0;
    double begin = now();
    if (symbols_lookup(s, m, low, &chain, NULL) != 0) return 1;
    double built = now();
    for (int i = 0; i < 1000000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        if (symbols_lookup(s, m, low + (seed >> 16) % (high - low), &chain, NULL) != 0) return 1;
        scopes += chain.count;
    }
    printf("index %.3f s, 1000000 look-ups %.3f s, %" PRIu64 " scopes, %" PRIu32 " functions, %" PRIu32 " files\n", built - begin, now() - built, scopes,
           symbols_function_count(s, m), symbols_file_count(s, m));
    return 0;
}

int main(int argc, char **argv)
{
    struct mem mem;
    const char *paths[16], *id = "";
    struct assay_path_map maps[16];
    struct symbols_options o = { .mem = &mem, .found = found, .paths = paths, .maps = maps };
    bool is_timed = false;
    mem_init(&mem, 0);
    for (int c; (c = getopt(argc, argv, "d:s:R:i:fclnt")) != -1;) {
        if (c == 'd') o.dir = optarg;
        if (c == 's' && o.path_count < 16) paths[o.path_count++] = optarg;
        if (c == 'i') id = optarg;
        if (c == 'f') o.foreign = true;
        if (c == 'c') o.compat = true;
        if (c == 'n') o.ignore_structures = true;
        if (c == 'l') o.no_loops = true;
        if (c == 't') is_timed = true;
        char *equals = c == 'R' ? strchr(optarg, '=') : NULL;
        if (equals && o.map_count < 16) {
            *equals = '\0';
            maps[o.map_count++] = (struct assay_path_map){ optarg, equals + 1 };
        }
    }
    struct symbols *s = symbols_new(&o);
    uint32_t m = s && optind < argc ? symbols_module(s, slice_of(argv[optind]), slice_of(id)) : 0;
    int rc = m == 0;
    uint64_t address, low = 0;
    while (rc == 0 && scanf("%" SCNx64, &address) == 1) {
        struct symbols_chain chain;
        if (is_timed) {
            if (low) rc = measure(s, m, low, address);
            low = address;
            continue;
        }
        rc = symbols_lookup(s, m, address, &chain, NULL) != 0;
        if (rc == 0) show(s, m, address, &chain);
    }
    if (m) fprintf(stderr, "source: %s\n", symbols_source(s, m));
    if (is_timed) fprintf(stderr, "peak %zu bytes\n", (size_t)mem.peak);
    symbols_free(s);
    if (mem.used) fprintf(stderr, "%zu bytes were not given back\n", (size_t)mem.used);
    return rc || mem.used ? 1 : 0;
}
