/* See refer.h. */
#include "formats/assay-json/refer.h"

unsigned assay_json_refer(const struct assay_json_record *r, struct assay_json_reference *out)
{
    unsigned n = 0;
#define TO(k, number_)                                                                                                                                         \
    out[n++] = (struct assay_json_reference) { (k), (number_), r->off, r->number }
    switch (r->kind) {
    case ASSAY_JSON_FILE:
        TO(ASSAY_JSON_MODULE, r->row.file.module);
        TO(ASSAY_JSON_FILE, r->row.file.parent);
        break;
    case ASSAY_JSON_FUNCTION:
        TO(ASSAY_JSON_MODULE, r->row.function.module);
        TO(ASSAY_JSON_FILE, r->row.function.file);
        break;
    case ASSAY_JSON_BRANCH: TO(ASSAY_JSON_FUNCTION, r->row.branch.func.v); break;
    case ASSAY_JSON_REGION: TO(ASSAY_JSON_FUNCTION, r->row.region.func.v); break;
    default: break;
    }
#undef TO
    return n;
}

bool assay_json_refer_check(const struct assay_json_reference *r, uint32_t modules, uint32_t files, uint32_t functions, struct findings *out)
{
    uint32_t most = r->kind == ASSAY_JSON_MODULE ? modules : r->kind == ASSAY_JSON_FILE ? files : functions;
    if (r->to <= most) return true;
    findings_add(out, "AJ-2", ASSAY_ERROR, r->off, r->number, "%s %u: there are only %u", assay_json_tables[r->kind].item, r->to, most);
    return false;
}

bool assay_json_is_zero(const struct assay_json_field *f, const union assay_json_row *row)
{
    static const char zeros[8];
    static const size_t sizes[] = { [ASSAY_JSON_U8] = 1,   [ASSAY_JSON_U32] = 4,    [ASSAY_JSON_U64] = 8,  [ASSAY_JSON_I64] = 8,  [ASSAY_JSON_F64] = 8,
                                    [ASSAY_JSON_TEXT] = 4, [ASSAY_JSON_NUMBER] = 4, [ASSAY_JSON_BOOL] = 1, [ASSAY_JSON_WORD] = 1, [ASSAY_JSON_FLAGS] = 1 };
    return memcmp((const char *)row + f->at, zeros, sizes[f->type]) == 0;
}
