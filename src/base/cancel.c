/* One question for each thread of the program; see base/cancel.h. */
#include "base/cancel.h"

#include <stdatomic.h>
#include <stddef.h>

struct cancel {
    assay_cancel_fn fn; /* NULL = nobody is asked */
    void *arg;
    atomic_bool is_cancelled;
    atomic_flag is_asking;
};

static _Thread_local struct cancel own = { .is_asking = ATOMIC_FLAG_INIT };
static _Thread_local struct cancel *joined; /* NULL = a thread of the program */

struct cancel *cancel_of_thread(void) { return joined ? joined : &own; }

void cancel_join(struct cancel *of) { joined = of; }

void assay_cancel_set(assay_cancel_fn fn, void *arg)
{
    own.fn = fn;
    own.arg = arg;
    atomic_store_explicit(&own.is_cancelled, false, memory_order_relaxed);
}

bool assay_cancelled(void) { return atomic_load_explicit(&cancel_of_thread()->is_cancelled, memory_order_relaxed); }

int cancel_end(int rc, assay_error *err) { return assay_cancelled() ? error_cancelled(err) : rc; }

bool cancel_due(void)
{
    struct cancel *c = cancel_of_thread();
    if (!c->fn) return false;
    if (atomic_load_explicit(&c->is_cancelled, memory_order_relaxed)) return true;
    if (atomic_flag_test_and_set_explicit(&c->is_asking, memory_order_acquire)) return false;
    bool is_cancelled = c->fn(c->arg) != 0;
    if (is_cancelled) atomic_store_explicit(&c->is_cancelled, true, memory_order_relaxed);
    atomic_flag_clear_explicit(&c->is_asking, memory_order_release);
    return is_cancelled;
}
