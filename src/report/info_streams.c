/* The streams that `info` lists: what one is called, and what it cost. */
#include "report/info.h"

#include <stdio.h>

#include "analysis/core/function.h"
#include "analysis/core/units.h"
#include "base/number.h"

assay_slice info_stream_name(char buf[INFO_NAME], const assay_profile *p, uint32_t stream)
{
    const struct assay_streams *s = assay_profile_streams(p);
    assay_slice label = assay_profile_string(p, MODEL_STR(s->label, stream));
    size_t len = 0;
    if (label.len || !s->tuple_begin) return label;
    for (uint32_t k = s->tuple_begin[stream]; k < s->tuple_begin[stream + 1] && len < INFO_NAME; k++) {
        assay_slice kind = assay_profile_string(p, s->tuple_kind[k]);
        int more = snprintf(buf + len, INFO_NAME - len, "%s%.*s %llu", len ? " " : "", (int)(kind.len < 32 ? kind.len : 32), kind.len ? kind.data : "",
                            (unsigned long long)(s->tuple_logical ? s->tuple_logical[k] : 0));
        len += more > 0 ? (size_t)more : 0;
    }
    return (assay_slice){ buf, len < INFO_NAME ? len : INFO_NAME - 1 };
}

const char *info_stream_total(char *buf, bool exact, const struct info *i, uint32_t stream)
{
    const struct stream_totals *s = &i->streams;
    bool is_double = s->type == ASSAY_F64;
    buf[0] = '\0';
    if (!s->is_known) return buf;
    if (!exact)
        number_human(buf, is_double ? sums_value(&s->real, stream).d : wide_double(s->whole[stream]), units_name(i->profile, i->metric));
    else if (is_double)
        number_put_double(buf, sums_value(&s->real, stream).d);
    else
        number_put_wide(buf, s->whole[stream]);
    return buf;
}

void info_stream_total_json(struct json *j, const struct info *i, uint32_t stream)
{
    const struct stream_totals *s = &i->streams;
    if (!s->is_known)
        json_null(j);
    else if (s->type == ASSAY_F64)
        json_double(j, sums_value(&s->real, stream).d);
    else
        json_wide(j, s->whole[stream]);
}
