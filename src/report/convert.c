/* `convert`: what the target could not hold, as JSON. The lines on standard error are the command's. */
#include "report/report.h"

static void put_loss(struct json *j, const assay_loss *loss)
{
    json_object(j);
    json_key(j, "kind");
    json_text(j, loss->kind);
    json_key(j, "count");
    json_u64(j, loss->count);
    json_key(j, "message");
    json_text(j, loss->message);
    json_end(j);
}

void report_losses_json(struct json *j, const assay_losses *losses)
{
    json_key(j, "losses");
    json_array(j);
    for (size_t i = 0; losses && i < losses->count; i++) put_loss(j, &losses->at[i]);
    json_end(j);
}

void report_convert(struct report *r, const struct report_convert *c)
{
    struct json *j = &r->json;
    report_json_begin(r, "convert");
    json_key(j, "input");
    json_text(j, c->input);
    json_key(j, "from");
    json_text(j, c->from);
    json_key(j, "to");
    json_text(j, c->to);
    json_key(j, "version");
    json_text(j, c->version);
    json_key(j, "output");
    json_text(j, c->output);
    report_losses_json(j, c->losses);
    json_end(j);
}
