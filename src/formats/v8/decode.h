/* V8's raw coverage (NODE_V8_COVERAGE, puppeteer): objects -> rows, script by script. The only parser of this format. docs/formats/v8.md has
 * the grammar. */
#ifndef V8_DECODE_H
#define V8_DECODE_H

#include "formats/coverage/json_rows.h"

int v8_decode(struct coverage_decoder *d);

#endif
