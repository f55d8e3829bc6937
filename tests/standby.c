/* Keeps a program ready instead of starting it anew for each run of a test: linking it with its thirty libraries takes most of a short run.
 *
 *     LD_PRELOAD=standby.so ASSAY_STANDBY=FD:PROGRAM PROGRAM
 *
 * The program stops before its own constructors and main(), with everything loaded. For each message on the socket FD it forks, and the child
 * goes on as if it had just been started, with the arguments, the environment, the folder and the streams of the message. So it is the very
 * program that is tested, and whatever it does at its start (seeds, locale) it does in each run. support.py is the other side. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* A message: number of arguments, number of variables (two uint32_t), then strings that end with 0: the folder, the arguments, the variables.
 * Two descriptors go with it: standard output and standard error. The answer is the status of waitpid(), an int. */
enum { MESSAGE_MAX = 128 << 10, WORDS_MAX = 4096, HEAD = 2 * sizeof(uint32_t) };

typedef int main_fn(int, char **, char **);
typedef int start_fn(main_fn *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

__attribute__((visibility("default"))) int __libc_start_main(main_fn *program, int argc, char **argv, void (*init)(void), void (*fini)(void),
                                                             void (*rtld_fini)(void), void *stack_end);

static char message[MESSAGE_MAX];
static char *words[WORDS_MAX + 2];

/* Bytes of the next message, 0 at the end. */
static size_t receive(int fd, int streams[2])
{
    union {
        struct cmsghdr align;
        char room[CMSG_SPACE(2 * sizeof(int))];
    } control;
    struct iovec part = { message, sizeof message - 1 };
    struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room };
    ssize_t n;
    do n = recvmsg(fd, &m, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    struct cmsghdr *c = n < (ssize_t)HEAD ? NULL : CMSG_FIRSTHDR(&m);
    if (!c || c->cmsg_type != SCM_RIGHTS || c->cmsg_len != CMSG_LEN(2 * sizeof(int))) return 0;
    memcpy(streams, CMSG_DATA(c), 2 * sizeof(int));
    message[n] = '\0';
    return (size_t)n;
}

/* In the child: takes the streams, the folder and the words of the message. Returns the number of arguments. The C library expects the variables
 * right after the arguments, as the kernel would have put them. */
static int become(int fd, const int streams[2], size_t len)
{
    uint32_t argc, vars;
    char *next = message + HEAD, *end = message + len;
    memcpy(&argc, message, sizeof argc);
    memcpy(&vars, message + sizeof argc, sizeof vars);
    close(fd);
    if (argc == 0 || argc + (uint64_t)vars > WORDS_MAX || dup2(streams[0], 1) < 0 || dup2(streams[1], 2) < 0 || (*next && chdir(next) != 0)) _exit(126);
    close(streams[0]);
    close(streams[1]);
    next += strlen(next) + 1;
    for (uint32_t i = 0; i < argc + vars; i++) {
        if (next >= end) _exit(126);
        words[i + (i >= argc)] = next;
        next += strlen(next) + 1;
    }
    environ = words + argc + 1; /* a program that is linked dynamically has it already */
    return (int)argc;
}

/* The number of arguments in a child; the program that waits never returns. */
static int wait_for_work(int fd)
{
    int streams[2], status;
    for (size_t len; (len = receive(fd, streams)) > 0;) {
        pid_t child = fork();
        if (child == 0) return become(fd, streams, len);
        close(streams[0]);
        close(streams[1]);
        if (child < 0 || waitpid(child, &status, 0) != child || send(fd, &status, sizeof status, MSG_NOSIGNAL) != sizeof status) _exit(1);
    }
    _exit(0);
}

int __libc_start_main(main_fn *program, int argc, char **argv, void (*init)(void), void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    void *symbol = dlsym(RTLD_NEXT, "__libc_start_main");
    start_fn *start;
    memcpy(&start, &symbol, sizeof start);
    const char *told = getenv("ASSAY_STANDBY"), *name = told ? strchr(told, ':') : NULL;
    if (name && strcmp(name + 1, argv[0]) == 0) { /* not what it starts itself, as the symbolizer of a sanitizer */
        argc = wait_for_work(atoi(told));
        argv = words;
    }
    return start(program, argc, argv, init, fini, rtld_fini, stack_end);
}
