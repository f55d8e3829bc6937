/* Filling assay_error; see base/error.h. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/cancel.h"

static void fill(assay_error *err, int code, const char *fmt, va_list args)
{
    if (!err) return;
    err->code = code;
    err->sys_errno = 0;
    err->has_offset = false;
    err->offset = 0;
    err->line = 0;
    err->rule = NULL;
    err->hint = ASSAY_HINT_NONE;
    vsnprintf(err->text, sizeof err->text, fmt, args);
}

#define FILL(err, code, fmt)                                                                                                                                   \
    do {                                                                                                                                                       \
        va_list args_;                                                                                                                                         \
        va_start(args_, fmt);                                                                                                                                  \
        fill((err), (code), (fmt), args_);                                                                                                                     \
        va_end(args_);                                                                                                                                         \
    } while (0)

int error_set(assay_error *err, int code, const char *fmt, ...)
{
    FILL(err, code, fmt);
    return code;
}

int error_at(assay_error *err, int code, uint64_t off, const char *fmt, ...)
{
    FILL(err, code, fmt);
    if (err) {
        err->has_offset = true;
        err->offset = off;
    }
    return code;
}

int error_line(assay_error *err, int code, uint64_t off, uint64_t line, const char *fmt, ...)
{
    FILL(err, code, fmt);
    if (err) {
        err->has_offset = true;
        err->offset = off;
        err->line = line;
    }
    return code;
}

int error_rule(assay_error *err, int code, uint64_t off, const char *rule, const char *fmt, ...)
{
    FILL(err, code, fmt);
    if (err) {
        size_t used = strlen(err->text);
        err->has_offset = true;
        err->offset = off;
        err->rule = rule;
        snprintf(err->text + used, sizeof err->text - used, " (%s)", rule);
    }
    return code;
}

int error_sys(assay_error *err, int code, int sys_errno, const char *fmt, ...)
{
    FILL(err, code, fmt);
    if (err) {
        size_t used = strlen(err->text);
        err->sys_errno = sys_errno;
        snprintf(err->text + used, sizeof err->text - used, ": %s", strerror(sys_errno));
    }
    return code;
}

int error_hint(assay_error *err, int code, enum assay_hint hint)
{
    if (err) err->hint = (int)hint;
    return code;
}

int error_cancelled(assay_error *err) { return error_set(err, ASSAY_ERR_CANCELLED, "cancelled"); }

int error_memory(assay_error *err)
{
    if (assay_cancelled()) return error_cancelled(err);
    return error_hint(err, error_set(err, ASSAY_ERR_MEMORY, "out of memory"), ASSAY_HINT_MAX_MEMORY);
}

assay_error *error_enter(assay_error *err, assay_error *local)
{
    if (!err) err = local;
    err->code = ASSAY_OK;
    err->sys_errno = 0;
    err->has_offset = false;
    err->offset = err->line = 0;
    err->path[0] = err->text[0] = '\0';
    err->rule = NULL;
    err->hint = ASSAY_HINT_NONE;
    return err;
}

void error_path(assay_error *err, const char *path)
{
    if (err && path && !err->path[0]) snprintf(err->path, sizeof err->path, "%s", path);
}

const char *assay_severity_name(int severity) { return severity == ASSAY_INFO ? "info" : severity == ASSAY_WARNING ? "warning" : "error"; }

const char *assay_code_name(int code)
{
    switch (code) {
    case ASSAY_OK: return "ok";
    case ASSAY_ERR_INTERNAL: return "internal";
    case ASSAY_ERR_CANCELLED: return "cancelled";
    case ASSAY_ERR_UNKNOWN: return "unknown-format";
    case ASSAY_ERR_AMBIGUOUS: return "ambiguous-format";
    case ASSAY_ERR_VERSION: return "version";
    case ASSAY_ERR_EMPTY: return "empty";
    case ASSAY_ERR_DAMAGED: return "damaged";
    case ASSAY_ERR_TRUNCATED: return "truncated";
    case ASSAY_ERR_LIMIT: return "limit";
    case ASSAY_ERR_USAGE: return "usage";
    case ASSAY_ERR_UNSUPPORTED: return "unsupported";
    case ASSAY_ERR_SYSTEM: return "system";
    case ASSAY_ERR_MEMORY: return "memory";
    case ASSAY_ERR_WRITE: return "write";
    case ASSAY_ERR_LOSS: return "loss";
    default: return "unknown code";
    }
}

size_t assay_error_format(const assay_error *err, char *buf, size_t buf_len)
{
    char place[64] = "";
    if (err->line)
        snprintf(place, sizeof place, err->path[0] ? ":%llu" : "line %llu", (unsigned long long)err->line);
    else if (err->has_offset)
        snprintf(place, sizeof place, err->path[0] ? ": offset %llu" : "offset %llu", (unsigned long long)err->offset);
    const char *colon = err->path[0] || place[0] ? ": " : "";
    int n = snprintf(buf, buf_len, "%s%s%s%s", err->path, place, colon, err->text);
    return n < 0 ? 0 : (size_t)n;
}
