/* The terminal; see terminal.h. The only global of the command lives here: a signal handler has no other way to be heard. */
#include "cli/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/output_file.h"
#include "base/slice.h"

enum { WIDTH_DEFAULT = 80, BAR_WIDTH = 24, LABEL_WIDTH = 40, BAR_AFTER_MS = 1000, STOP_WITHIN_MS = 40 };

static const char erase_line[] = "\r\033[K";

static volatile sig_atomic_t pending, is_held, is_bar_shown, is_guarded;
static sem_t asked_to_stop; /* of the guard */
static bool is_none;        /* terminal_none */

static bool is_dumb(void)
{
    const char *term = getenv("TERM");
    return !term || !*term || strcmp(term, "dumb") == 0;
}

static unsigned screen_width(void)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col) return size.ws_col;
    long n = columns ? strtol(columns, NULL, 10) : 0;
    return n >= 20 && n <= 10000 ? (unsigned)n : WIDTH_DEFAULT;
}

void terminal_none(void) { is_none = true; }

void terminal_init(struct terminal *t, enum color_when color, bool no_progress, bool to_file)
{
    const char *no_color = getenv("NO_COLOR");
    bool on_screen = !to_file && !is_none && isatty(STDOUT_FILENO);
    *t = (struct terminal){ .width = on_screen ? screen_width() : 0 };
    t->color = color == COLOR_ALWAYS || (color == COLOR_AUTO && on_screen && !is_dumb() && !(no_color && *no_color));
    t->bar = !no_progress && !is_none && isatty(STDERR_FILENO) && !is_dumb();
}

void terminal_reserve_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) >= 0) continue;
        /* Opened the wrong way round, so that reading or writing is refused as it would be on the closed stream. */
        if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) return;
    }
}

/* ---- pager ---- */

static const char *pager_command(void)
{
    const char *pager = getenv("PAGER");
    if (!pager) return "if command -v less >/dev/null 2>&1; then exec less -FRX; else exec cat; fi";
    return *pager && strcmp(pager, "cat") != 0 ? pager : NULL;
}

static void run_pager(const char *command, const int ends[2])
{
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    close(ends[1]);
    signal(SIGPIPE, SIG_DFL);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

void terminal_start_pager(struct terminal *t)
{
    const char *command = pager_command();
    int ends[2];
    if (!t->width || !command || pipe(ends) != 0) return;
    pid_t child = fork();
    if (child == 0) run_pager(command, ends);
    if (child > 0) {
        t->pager = child;
        dup2(ends[1], STDOUT_FILENO);
        signal(SIGPIPE, SIG_IGN);
        /* A bar would be drawn across the pager's screen. */
        t->bar = false;
        interrupt_hold();
    }
    close(ends[0]);
    close(ends[1]);
}

void terminal_stop_pager(struct terminal *t)
{
    int status;
    if (!t->pager) return;
    close(STDOUT_FILENO);
    /* The second ^C is the pager's business: without it nobody would put the screen right. */
    signal(SIGINT, SIG_IGN);
    while (waitpid(t->pager, &status, 0) < 0 && errno == EINTR) continue;
    signal(SIGINT, SIG_DFL);
    t->pager = 0;
}

/* ---- progress ---- */

static int64_t elapsed_ms(const struct timespec *since)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)(now.tv_sec - since->tv_sec) * 1000 + (now.tv_nsec - since->tv_nsec) / 1000000;
}

void progress_begin(struct progress *p, const struct terminal *t, const char *label)
{
    *p = (struct progress){ .terminal = t, .label = label };
    clock_gettime(CLOCK_MONOTONIC, &p->begin);
}

static void draw(const struct progress *p, uint64_t done, uint64_t total)
{
    char bar[BAR_WIDTH + 1];
    assay_slice label = slice_of(p->label);
    /* The name of a file must not send codes to the terminal; one that could is not worth escaping here. */
    for (size_t i = 0; i < label.len; i++)
        if (label.data[i] < 0x20 || label.data[i] > 0x7e) label = SLICE("reading");
    if (label.len > LABEL_WIDTH) label = (assay_slice){ label.data + label.len - LABEL_WIDTH, LABEL_WIDTH };
    if (total && done <= total) {
        double share = (double)done / (double)total;
        size_t full = (size_t)(share * BAR_WIDTH);
        memset(bar, '.', BAR_WIDTH);
        memset(bar, '#', full < BAR_WIDTH ? full : BAR_WIDTH);
        bar[BAR_WIDTH] = '\0';
        fprintf(stderr, "%s%.*s [%s] %3d%%", erase_line, (int)label.len, label.data, bar, (int)(share * 100));
    } else
        fprintf(stderr, "%s%.*s %llu MB", erase_line, (int)label.len, label.data, (unsigned long long)(done / 1000000));
    fflush(stderr);
}

int progress_step(void *arg, uint64_t done_bytes, uint64_t total_bytes)
{
    const struct progress *p = arg;
    if (p->terminal->bar && elapsed_ms(&p->begin) >= BAR_AFTER_MS) {
        is_bar_shown = 1;
        draw(p, done_bytes, total_bytes);
    }
    return interrupt_pending();
}

void progress_end(struct progress *p)
{
    (void)p;
    if (!is_bar_shown) return;
    fputs(erase_line, stderr);
    fflush(stderr);
    is_bar_shown = 0;
}

/* ---- interrupts ---- */

/* Stays in place. With SA_RESETHAND the second of two signals that are sent at once, as timeout(1) sends them to a process and to its group, can find
 * the default action before a handler that puts itself back has run. */
static void on_signal(int number)
{
    if (is_held && (is_guarded || !pending)) {
        pending = number;
        if (is_guarded) sem_post(&asked_to_stop); /* the guard ends the process, with nothing left behind */
        return;
    }
    if (is_bar_shown && write(STDERR_FILENO, erase_line, sizeof erase_line - 1) < 0) is_bar_shown = 0;
    signal(number, SIG_DFL);
    raise(number); /* delivered when the handler returns */
}

static void catch_signal(int number)
{
    struct sigaction action = { .sa_handler = on_signal }, old;
    sigemptyset(&action.sa_mask);
    /* If we were started with the signal ignored (nohup, a background job), it stays ignored. */
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler != SIG_IGN) sigaction(number, &action, NULL);
}

void interrupt_init(void)
{
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
    catch_signal(SIGHUP);
}

void interrupt_hold(void) { is_held = 1; }

void interrupt_release(void)
{
    pending = 0;
    is_held = 0;
}

/* What is to be removed. */
struct guarded {
    void (*abandon)(const void *what);
    const void *what;
};

static struct guarded guarded;

/* Ends a process that does not end by itself. */
static void *guard(void *unused)
{
    const struct timespec moment = { 0, STOP_WITHIN_MS * 1000000L };
    (void)unused;
    while (sem_wait(&asked_to_stop) != 0) continue;
    nanosleep(&moment, NULL);
    guarded.abandon(guarded.what);
    if (is_bar_shown && write(STDERR_FILENO, erase_line, sizeof erase_line - 1) < 0) is_bar_shown = 0;
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_UNBLOCK, &all, NULL);
    interrupt_obey();
    return NULL;
}

void interrupt_hold_with(void (*abandon)(const void *what), const void *what)
{
    sigset_t all, old;
    pthread_t thread;
    interrupt_hold();
    if (is_guarded || sem_init(&asked_to_stop, 0, 0) != 0) return;
    guarded = (struct guarded){ abandon, what };
    /* no signal is ever handled by the guard itself */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    is_guarded = pthread_create(&thread, NULL, guard, NULL) == 0;
    if (is_guarded) pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static void abandon_file(const void *path) { output_file_abandon(path); }

void interrupt_hold_for(const char *path)
{
    if (path && strcmp(path, "-") != 0) interrupt_hold_with(abandon_file, path);
}

int interrupt_pending(void) { return pending; }

int interrupt_asked(void *unused)
{
    (void)unused;
    return interrupt_pending();
}

void interrupt_obey(void)
{
    int number = pending;
    if (!number) return;
    signal(number, SIG_DFL);
    raise(number);
}
