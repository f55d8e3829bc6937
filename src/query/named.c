/* The questions that come with the library; see assay/query.h. */
#include "query/named.h"

const struct assay_named_query *assay_named_query_at(size_t i)
{
    size_t n = 0;
    while (n < i && query_named[n].name) n++;
    return query_named[n].name ? &query_named[n] : NULL;
}
