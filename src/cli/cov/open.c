/* What the commands of `assay cov` share; see cov.h. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "cli/cov/cov.h"
#include "cli/hints.h"

int cov_say(const assay_error *err, int code)
{
    char text[1600];
    if (err->code == ASSAY_ERR_CANCELLED || interrupt_pending()) return code;
    assay_error_format(err, text, sizeof text);
    cli_message("%s%s", text, hint_of_error(err));
    return code;
}

int cov_fail(struct cov *v, const assay_error *err)
{
    (void)v;
    return cov_say(err, COV_WRONG);
}

int cov_open(struct cov *v, struct cli *c)
{
    char path[ASSAY_STORE_PATH_MAX];
    assay_error err = { 0 };
    *v = (struct cov){ .c = c };
    assay_store_trust_git();
    if (assay_store_find(".", path, sizeof path, &err) != 0) return cov_say(&err, err.hint == ASSAY_HINT_WORKTREE ? COV_REFUSED : COV_WRONG);
    return assay_store_open(path, &v->store, &err) == 0 ? 0 : cov_say(&err, COV_WRONG);
}

void cov_close(struct cov *v) { assay_store_close(v->store); }

const char *cov_revision(const struct cli *c) { return c->set.files.len ? c->set.files.at[0] : NULL; }

const char *const *cov_step(const struct settings *s, size_t i, size_t *count)
{
    size_t first = s->cov.steps.at[i].first, end = i + 1 < s->cov.steps.len ? s->cov.steps.at[i + 1].first : s->files.len;
    *count = end - first;
    return s->files.at ? s->files.at + first : NULL;
}

int cov_put(void *out, const char *data, size_t len)
{
    output_bytes(out, data, len);
    return output_failed(out);
}

/* ---- JSON ---- */

void cov_begin_json(struct json *j, struct output *out, const char *verb)
{
    json_init(j, out);
    json_object(j);
    json_key(j, "assay");
    json_u64(j, 1);
    json_key(j, "verb");
    json_text(j, verb);
}

void cov_put_id(struct json *j, const char *key, const assay_store_id *id)
{
    char hex[ASSAY_STORE_ID_TEXT];
    json_key(j, key);
    json_text(j, assay_store_id_is_none(id) ? NULL : assay_store_id_text(id, hex));
}
