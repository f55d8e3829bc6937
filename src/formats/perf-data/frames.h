/* From an address to the functions that are there: the mapping it lies in, the file of that mapping, and its symbol; where it is asked for also the functions
 * that were inlined there. docs/formats/perf-data.md says where files are looked for. */
#ifndef FORMATS_PERF_DATA_FRAMES_H
#define FORMATS_PERF_DATA_FRAMES_H

#include "formats/perf-data/tracks.h"
#include "symbols/addresses.h"
#include "symbols/symbols.h"
#include "symbols/unwind.h"

struct pd_func {
    uint32_t name, module; /* of frames.names; module 0 = none */
    uint32_t dso;          /* 0 = none */
    bool is_used, is_unknown;
    bool is_met; /* at an address that stands in the file */
};
struct pd_module { /* what is known of a dso; by its number */
    bool is_open;
    uint32_t symbols, inlined;   /* modules of the two; 0 = none */
    struct addresses *addresses; /* NULL = none */
    uint64_t slide;              /* from addresses of that file to those of the run */
    bool is_kernel_shared;       /* the addresses belong to frames.kernel */
    uint32_t unknown;            /* the function [unknown] in it */
};

struct pd_frames {
    struct mem *mem;
    const struct pd_decoder *d;
    struct pd_tracks *tracks;
    struct arena text;
    struct intern names;
    struct index func_index;
    VEC(struct pd_func) funcs;     /* from 1 */
    VEC(uint32_t) parts;           /* several functions at one address: how many, then the outermost first */
    VEC(struct pd_module) modules; /* by dso - 1 */
    struct symbols *symbols, *inlined;
    VEC(const char *) places;
    uint32_t nowhere;  /* the function of addresses where nothing is mapped */
    size_t own_places; /* of them, without the home directory */
    struct addresses *kernel;
    bool has_kernel;
    struct findings *trouble; /* of symbols */
    const char *dir;          /* of the file; NULL = it has none */
    assay_error *err;
};
/* A frame is a function, or several: then PD_SEVERAL and where they begin in parts. */
#define PD_SEVERAL (UINT32_C(1) << 31)

int pd_frames_init(struct pd_frames *f, const struct pd_decoder *d, struct pd_tracks *tracks, struct findings *trouble, assay_error *err);
void pd_frames_done(struct pd_frames *f);
/* The frame of an address in a space; 0 = no memory or another error, which is in f->err. */
uint32_t pd_frame(struct pd_frames *f, uint32_t root, uint64_t address);
/* Where the file of an area is loaded as a whole, if it is at hand; for unwinding. */
bool pd_frames_place(struct pd_frames *f, const struct pd_area *area, struct unwind_module *out);

#endif
