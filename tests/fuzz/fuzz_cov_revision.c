/* libFuzzer target: revisions, names of references, properties, formats and names of functions, which all come from command lines and files. */
#include "fuzz.h"

#include "harness.h"
#include "store/names.h"
#include "store/props.h"
#include "store/revision.h"

static void names(assay_slice text, struct mem *mem)
{
    struct names n;
    struct config c;
    struct arena a;
    config_init(&c, mem);
    arena_init(&a, mem);
    harness_promise(names_load(&n, &c, NULL, mem, NULL) == 0, "no memory");
    harness_doing("showing a name");
    names_show(&n, text, &a);
    names_done(&n);
    arena_done(&a);
    config_done(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    assay_slice text = { (const char *)data, len < 4096 ? len : 4096 };
    struct revision_text t;
    struct mem mem;
    struct props p, again;
    assay_error err = { 0 };
    mem_init(&mem, (size_t)64 << 20);
    harness_doing("reading a revision");
    int rc = revision_parse(text, true, &t, &err);
    harness_code(rc, &err, "revision_parse");
    if (rc == 0)
        harness_promise(t.to.name.len <= text.len && t.path.len <= text.len && !memmem(t.to.name.data, t.to.name.len, "..", 2), "a name with two dots");
    if (refs_name_ok(text))
        harness_promise(!memmem(text.data, text.len, "..", 2) && text.len && text.data[0] != '/' && !memchr(text.data, 0, text.len), "a name that leads out");
    harness_doing("reading properties");
    props_init(&p, &mem);
    props_init(&again, &mem);
    harness_promise(props_parse(&p, text, &err) == 0, "properties are never damaged");
    assay_slice stored = props_text(&p);
    harness_promise(stored.data && props_parse(&again, stored, &err) == 0 && again.at.len == p.at.len, "properties are lost");
    props_done(&p);
    props_done(&again);
    names(text, &mem);
    harness_promise(mem.used == 0, "memory is left");
    return 0;
}
