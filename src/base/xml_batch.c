/* A piece of XML -> a batch of events; see xml_batch.h. */
#include "base/xml_batch.h"

#include "base/error.h"
#include "base/xml_fast.h"

/* ---- recording: the handlers of the tokenizer ---- */

static struct xml_record *push(struct xml_batch *b, enum xml_event kind, const char *text, size_t len, size_t copied)
{
    struct xml_record *r = vec_reserve(b->mem, &b->text, copied) ? vec_push(b->mem, &b->records) : NULL;
    if (!r) return NULL;
    *r = (struct xml_record){ .off = (uint32_t)xml_fast_off(b->fast), .text = (uint32_t)b->text.len, .len = (uint32_t)len, .kind = (uint8_t)kind };
    memcpy(b->text.at + b->text.len, text, copied);
    b->text.len += copied;
    return r;
}

/* Names and values stand one behind the other, each with its NUL. */
static int on_start(void *arg, struct xml *x, const char *name, const char *const *attributes)
{
    struct xml_batch *b = arg;
    const char *last = name;
    size_t count = 0;
    (void)x;
    while (attributes[count]) last = attributes[count++];
    size_t copied = (size_t)(last - name) + strlen(last) + 1;
    struct xml_record *r =
        vec_reserve(b->mem, &b->offsets, count) ? push(b, XML_START, name, count ? (size_t)(attributes[0] - name) - 1 : copied - 1, copied) : NULL;
    if (!r) return ASSAY_ERR_MEMORY;
    r->tag_len = (uint32_t)xml_fast_tag(b->fast).len;
    r->attributes = (uint32_t)b->offsets.len;
    r->attribute_strings = (uint8_t)count;
    for (size_t i = 0; i < count; i++) b->offsets.at[b->offsets.len++] = (uint32_t)(attributes[i] - name);
    return 0;
}

static int on_end(void *arg, struct xml *x, const char *name)
{
    size_t len = strlen(name);
    (void)x;
    return push(arg, XML_END, name, len, len + 1) ? 0 : ASSAY_ERR_MEMORY;
}

bool xml_batch_is_blank(assay_slice text)
{
    size_t i = 0;
    while (i < text.len && (text.data[i] == ' ' || text.data[i] == '\t' || text.data[i] == '\n')) i++;
    return i == text.len;
}

static int on_text(void *arg, struct xml *x, assay_slice text)
{
    struct xml_batch *b = arg;
    (void)x;
    if (!b->wants_text && xml_batch_is_blank(text)) return 0;
    return push(b, XML_TEXT, text.data, text.len, text.len) ? 0 : ASSAY_ERR_MEMORY;
}

/* ---- pieces ---- */

static size_t cut(void *arg, assay_slice text)
{
    const char *close = text.len ? memrchr(text.data, '>', text.len) : NULL;
    (void)arg;
    return close ? (size_t)(close + 1 - text.data) : 0;
}

static bool make(void *arg, unsigned slot, assay_slice text)
{
    static const struct xml_handler handler = { on_start, on_end, on_text };
    struct xml_batches *all = arg;
    struct xml_batch *b = &all->slots[slot];
    b->mem = &all->mem;
    b->wants_text = all->wants_text;
    b->records.len = b->text.len = b->offsets.len = 0;
    if (!b->fast) b->fast = xml_fast_new(&(struct xml_options){ .mem = b->mem }, 0, &handler, b, NULL);
    return b->fast && xml_fast_piece(b->fast, text);
}

int xml_batches_open(struct xml_batches **out, struct input *in, struct mem *mem, unsigned workers, bool wants_text, assay_error *err)
{
    struct xml_batches *b = mem_zalloc(mem, 1, sizeof *b);
    *out = b;
    if (!b) return error_memory(err);
    mem_init(&b->mem, 0);
    b->owner = mem;
    b->wants_text = wants_text;
    return ahead_open(&b->ahead, in, mem, workers, &(struct ahead_maker){ .arg = b, .cut = cut, .make = make, .takes_any_block = true }, err);
}

void xml_batches_close(struct xml_batches *b)
{
    if (!b) return;
    ahead_close(b->ahead);
    for (unsigned i = 0; i < AHEAD_SLOTS; i++) {
        struct xml_batch *s = &b->slots[i];
        xml_fast_free(s->fast);
        vec_done(&b->mem, &s->records, &s->text, &s->offsets);
    }
    mem_free(b->owner, b, sizeof *b);
}
