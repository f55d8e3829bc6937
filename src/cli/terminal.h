/* The terminal: colour, width, pager, progress bar, and what an interrupt does. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "cli/options.h"

struct terminal {
    bool color;     /* standard output may be coloured */
    bool bar;       /* progress may be shown on standard error */
    unsigned width; /* of standard output; 0 = it is no terminal */
    pid_t pager;    /* 0 = none runs */
};

/* `to_file`: the results go elsewhere, so nothing is coloured or cut. */
void terminal_init(struct terminal *t, enum color_when color, bool no_progress, bool to_file);

/* From now on the standard streams count as no terminal, whatever they look like: mpirun gives a process a terminal of its own and passes on what comes. */
void terminal_none(void);

/* Keeps the numbers of closed standard streams from being given to files: a message must never end up in one. Using them still fails. */
void terminal_reserve_streams(void);

/* ---- pager ---- */

/* Sends standard output through $PAGER, when it is a terminal. From here on a closed pipe is a write error, not a signal. */
void terminal_start_pager(struct terminal *t);
/* Closes standard output and waits for the pager to be quit. */
void terminal_stop_pager(struct terminal *t);

/* ---- progress ---- */

struct progress {
    const struct terminal *terminal;
    const char *label;
    struct timespec begin;
};

void progress_begin(struct progress *p, const struct terminal *t, const char *label);
/* An assay_progress_fn; arg is a struct progress. Asks to stop after an interrupt. */
int progress_step(void *arg, uint64_t done_bytes, uint64_t total_bytes);
void progress_end(struct progress *p);

/* ---- interrupts ---- */

/* SIGINT, SIGTERM and SIGHUP end the process, after the bar is gone from the screen. */
void interrupt_init(void);
/* From now on the first of them only asks to stop. The second one ends the process. */
void interrupt_hold(void);
/* Forgets a signal that asked to stop; from now on one ends the process, as before interrupt_hold. */
void interrupt_release(void);
/* As interrupt_hold, while the file `path` (borrowed for good) is being written; NULL and "-" are none, and nothing is held for them.
 *
 * The library stops by itself (interrupt_asked, assay/cancel.h), usually within milliseconds. A guard thread stands behind it for what cannot ask:
 * calls of other libraries (libdw, libgit2, inflation), a write or sync that waits for the disk, and giving back gigabytes of memory. If the process is
 * still there after a moment, the guard removes the temporary file and ends it. */
void interrupt_hold_for(const char *path);
/* The same for whatever `abandon` removes; it is called by the guard while the work goes on, and `what` is borrowed for good. The first caller counts. */
void interrupt_hold_with(void (*abandon)(const void *what), const void *what);
/* The signal that asked to stop, or 0. */
int interrupt_pending(void);
/* The same as an assay_cancel_fn. */
int interrupt_asked(void *unused);
/* Ends the process by the pending signal, so that the caller's shell sees it; returns when none is pending. */
void interrupt_obey(void);

#endif
