/* See frames.h. */
#include "formats/perf-data/frames.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- where files are looked for ---- */

static bool add_place(struct pd_frames *f, const char *path)
{
    const char **slot = path ? vec_push(f->mem, &f->places) : NULL;
    if (slot) *slot = path;
    return slot != NULL;
}

/* The folder that the file lies in; of a recording that is a directory both that and the one around it. NULL = it is no file. */
static const char *folder_of(struct pd_frames *f, const char *path)
{
    assay_slice folder = path_folder(slice_of(path));
    if (!folder.len) return path[0] == '/' ? "/" : ".";
    return arena_copy(&f->text, folder);
}

/* What was given, what lies next to the file, and perf's caches. */
static bool add_places(struct pd_frames *f)
{
    const struct assay_read_options *o = f->d->job->options;
    const char *path = input_path(f->d->job->in), *home = getenv("HOME");
    for (size_t i = 0; i < o->symbol_path_count; i++)
        if (!add_place(f, o->symbol_paths[i]) || !add_place(f, folder_join(&f->text, o->symbol_paths[i], ".debug"))) return false;
    bool is_file = f->d->is_dir || (path && input_packed_len(f->d->job->in));
    if (is_file) {
        f->dir = folder_of(f, path);
        if (!add_place(f, f->dir) || !add_place(f, folder_join(&f->text, f->dir, ".debug"))) return false;
    }
    f->own_places = f->places.len;
    if (!o->foreign && home && home[0] == '/' && !add_place(f, folder_join(&f->text, home, ".debug"))) return false;
    return true;
}

static void symbol_trouble(void *arg, const assay_finding *finding)
{
    struct pd_frames *f = arg;
    findings_add(f->trouble, finding->rule, ASSAY_INFO, FINDING_NO_OFFSET, 0, "%s", finding->message);
}

static bool open_symbols(struct pd_frames *f)
{
    static const struct pd_options none;
    const struct assay_read_options *o = f->d->job->options;
    const struct pd_options *own = f->d->job->own ? f->d->job->own : &none;
    if (o->no_symbols) return true;
    if (!add_places(f)) return false;
    struct symbols_options s = { .mem = f->mem, .paths = f->places.at, .path_count = f->places.len, .maps = o->maps, .map_count = o->map_count };
    s.foreign = o->foreign;
    s.no_loops = s.ignore_structures = s.as_perf = true;
    s.found = symbol_trouble;
    s.found_arg = f;
    f->symbols = symbols_new(&s);
    if (!f->symbols || !own->inlined) return f->symbols != NULL;
    s.as_perf = false;
    s.found = NULL; /* said by the first */
    f->inlined = symbols_new(&s);
    return f->inlined != NULL;
}

int pd_frames_init(struct pd_frames *f, const struct pd_decoder *d, struct pd_tracks *tracks, struct findings *trouble, assay_error *err)
{
    memset(f, 0, sizeof *f);
    f->mem = d->mem;
    f->d = d;
    f->tracks = tracks;
    f->trouble = trouble;
    f->err = err;
    arena_init(&f->text, f->mem);
    intern_init(&f->names, f->mem);
    index_init(&f->func_index, f->mem);
    size_t count = tracks->dsos.len;
    if (!open_symbols(f) || !vec_reserve(f->mem, &f->modules, count + 1)) return error_memory(err);
    memset(f->modules.at, 0, (count + 1) * sizeof *f->modules.at);
    f->modules.len = count + 1;
    return 0;
}

void pd_frames_done(struct pd_frames *f)
{
    if (!f->mem) return;
    for (size_t i = 0; i < f->modules.len; i++)
        if (!f->modules.at[i].is_kernel_shared) addresses_free(f->modules.at[i].addresses);
    addresses_free(f->kernel);
    symbols_free(f->inlined);
    symbols_free(f->symbols);
    vec_done(f->mem, &f->funcs, &f->parts, &f->modules, &f->places);
    index_done(&f->func_index);
    intern_done(&f->names);
    arena_done(&f->text);
}

/* ---- functions ---- */

static uint32_t func_for(struct pd_frames *f, assay_slice name, uint32_t dso)
{
    const struct pd_dso *of = dso ? &f->tracks->dsos.at[dso - 1] : NULL;
    uint32_t id = intern_put(&f->names, name.len ? name : SLICE("[unknown]")), module = of && of->name.len ? intern_put(&f->names, of->name) : 0;
    if (!id || (of && of->name.len && !module)) return 0;
    uint64_t hash = hash_mix(id, module);
    for (struct index_walk w = index_walk(&f->func_index, hash); index_next(&f->func_index, &w);)
        if (f->funcs.at[w.id - 1].name == id && f->funcs.at[w.id - 1].module == module) return w.id;
    struct pd_func *made = vec_push(f->mem, &f->funcs);
    if (!made) return 0;
    *made = (struct pd_func){ .name = id, .module = module, .dso = dso, .is_unknown = !name.len };
    return index_add(&f->func_index, hash, (uint32_t)f->funcs.len) ? (uint32_t)f->funcs.len : 0;
}

/* ---- the kernel and made code ---- */

static bool load(struct pd_frames *f, struct addresses **out, enum addresses_kind kind, const char *dir, const char *a, const char *b, const char *c)
{
    char path[FOLDER_PATH_MAX];
    int len = snprintf(path, sizeof path, "%s%s%s%s", dir, a, b, c);
    if (*out || len < 0 || (size_t)len >= sizeof path) return true;
    return addresses_load(out, path, kind, f->mem);
}

/* The file given, that of a directory with kcore_dir, or of a cache that was given or lies next to the file. Never that of the running machine, nor of its
 * home directory: what is shown must not depend on where. */
static bool load_kernel(struct pd_frames *f, const struct pd_dso *dso)
{
    static const struct pd_options none;
    const struct pd_options *own = f->d->job->own ? f->d->job->own : &none;
    f->has_kernel = true;
    if (own->kallsyms) return load(f, &f->kernel, ADDRESSES_KERNEL, own->kallsyms, "", "", "");
    if (f->d->is_dir && !load(f, &f->kernel, ADDRESSES_KERNEL, input_path(f->d->job->in), "/kcore_dir/kallsyms", "", "")) return false;
    for (size_t i = 0; i < f->own_places && dso->id.len; i++)
        if (!load(f, &f->kernel, ADDRESSES_KERNEL, f->places.at[i], "/[kernel.kallsyms]/", dso->id.data, "/kallsyms")) return false;
    return true;
}

/* Addresses of the file differ from those of the run by where the kernel was put: the mapping says where the symbol that its name ends with was. */
static bool open_kernel(struct pd_frames *f, struct pd_module *m, const struct pd_dso *dso)
{
    const char *mark = memrchr(dso->path.data, ']', dso->path.len);
    uint64_t there;
    if (!f->has_kernel && !load_kernel(f, dso)) return false;
    m->addresses = f->kernel;
    m->is_kernel_shared = true;
    if (f->kernel && mark && mark[1] && addresses_where(f->kernel, slice_of(mark + 1), &there)) m->slide = dso->first - there;
    return true;
}

static bool open_map(struct pd_frames *f, struct pd_module *m, const struct pd_dso *dso)
{
    const char *base = path_base(dso->name.data);
    for (size_t i = 0; i < f->places.len; i++)
        if (!load(f, &m->addresses, ADDRESSES_MAP, f->places.at[i], "/", base, "")) return false;
    return f->d->job->options->foreign || load(f, &m->addresses, ADDRESSES_MAP, dso->name.data, "", "", "");
}

static bool open_module(struct pd_frames *f, uint32_t dso)
{
    struct pd_module *m = &f->modules.at[dso - 1];
    const struct pd_dso *of = &f->tracks->dsos.at[dso - 1];
    m->is_open = true;
    if (f->d->job->options->no_symbols || of->kind == PD_DSO_NONE || of->kind == PD_DSO_NAMED) return true;
    if (of->kind == PD_DSO_KERNEL) return open_kernel(f, m, of);
    if (of->kind == PD_DSO_MAP) return open_map(f, m, of);
    m->symbols = symbols_module(f->symbols, of->path, of->id);
    if (f->inlined) m->inlined = symbols_module(f->inlined, of->path, of->id);
    return m->symbols && (!f->inlined || m->inlined);
}

/* ---- addresses ---- */

/* The functions inlined at an address of the file, behind `outer`. 0 = no memory. */
static uint32_t with_inlined(struct pd_frames *f, uint32_t dso, uint32_t outer, uint64_t address)
{
    uint32_t module = f->modules.at[dso - 1].inlined;
    struct symbols_chain chain = { NULL, 0 };
    if (symbols_lookup(f->inlined, module, address, &chain, f->err) != 0) return 0;
    uint32_t first = (uint32_t)f->parts.len, count = 1;
    if (!vec_reserve(f->mem, &f->parts, chain.count + 2)) return 0;
    f->parts.len += 2;
    f->parts.at[first + 1] = outer;
    for (size_t i = 0; i < chain.count; i++) {
        if (chain.at[i].kind != ASSAY_NODE_INLINED) continue;
        uint32_t func = func_for(f, symbols_function(f->inlined, module, chain.at[i].function)->name, dso);
        if (!func) return 0;
        f->parts.at[f->parts.len++] = func;
        count++;
    }
    f->parts.at[first] = count;
    if (count > 1) return PD_SEVERAL | first;
    f->parts.len = first;
    return outer;
}

static uint32_t frame_in_file(struct pd_frames *f, uint32_t dso, uint64_t file_off)
{
    uint32_t module = f->modules.at[dso - 1].symbols;
    uint64_t address;
    struct symbols_chain chain = { NULL, 0 };
    assay_slice name = { NULL, 0 };
    bool is_there = module && symbols_address(f->symbols, module, file_off, &address);
    if (is_there && symbols_lookup(f->symbols, module, address, &chain, f->err) != 0) return 0;
    if (chain.count) name = symbols_function(f->symbols, module, chain.at[0].function)->name;
    uint32_t func = func_for(f, name, dso);
    return func && f->inlined && is_there ? with_inlined(f, dso, func, address) : func;
}

uint32_t pd_frame(struct pd_frames *f, uint32_t root, uint64_t address)
{
    const struct pd_area *area = pd_space_find(&f->tracks->spaces, root, address);
    if (!area && !f->nowhere) f->nowhere = func_for(f, SLICE(""), 0);
    if (!area) return f->nowhere;
    struct pd_module *m = &f->modules.at[area->dso - 1];
    if (!m->is_open && !open_module(f, area->dso)) return 0;
    const struct pd_dso *dso = &f->tracks->dsos.at[area->dso - 1];
    if (dso->kind == PD_DSO_NAMED) return func_for(f, dso->path, area->dso);
    if (m->addresses) return func_for(f, addresses_find(m->addresses, address - m->slide), area->dso);
    if (m->symbols) return frame_in_file(f, area->dso, address - area->start + area->pgoff);
    if (!m->unknown) m->unknown = func_for(f, SLICE(""), area->dso);
    return m->unknown;
}

bool pd_frames_place(struct pd_frames *f, const struct pd_area *area, struct unwind_module *out)
{
    struct symbols_image image;
    const struct pd_module *m = &f->modules.at[area->dso - 1];
    uint64_t address;
    if ((!m->is_open && !open_module(f, area->dso)) || !m->symbols) return false;
    if (!symbols_address(f->symbols, m->symbols, area->pgoff, &address) || !symbols_image(f->symbols, m->symbols, &image)) return false;
    uint64_t slide = area->start - address;
    *out = (struct unwind_module){ image.low + slide, image.high + slide, image.path };
    return out->low < out->high;
}
