/* What loops.py compiles: loops of every shape, with what must be found in comments. `@loop NAME` is the line of a loop, `@in NAMES` says which loops,
 * outermost first, the code of this line lies in ("@in" alone: none). `touch` keeps the compiler from taking a loop apart. */
__attribute__((noinline)) int touch(volatile int *p, int v)
{
    *p = *p + v;
    return *p;
}

__attribute__((noinline)) int nested(volatile int *p, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) {       /* @loop outer */
        s += touch(p, i);               /* @in outer */
        for (int j = 0; j < i; j++) {   /* @loop middle */
            s += touch(p, j);           /* @in outer middle */
            for (int k = 0; k < j; k++) /* @loop inner */
                s += touch(p, k);       /* @in outer middle inner */
        }
        s -= touch(p, 3); /* @in outer */
    }
    return s + touch(p, 9); /* @in */
}

__attribute__((noinline)) int once_or_more(volatile int *p, int n)
{
    int s = 0;
    do {
        s += touch(p, n); /* @in again */
        if (s == 77) continue;
        s ^= touch(p, 1);   /* @in again */
    } while (--n > 0);      /* @loop again */
    return s + touch(p, 2); /* @in */
}

__attribute__((noinline)) int endless(volatile int *p)
{
    int s = 0;
    for (;;) {
        s += touch(p, 1);    /* @in forever */
        if (s > 1000) break; /* @loop forever */
        s += touch(p, 2);    /* @in forever */
    }
    return touch(p, s); /* @in */
}

__attribute__((noinline)) int tangled(volatile int *p, int n)
{
    int s = touch(p, n); /* @in */
    if (n & 1) goto second;
first:
    s += touch(p, 1); /* @in knot */
    if (s > 5000) goto out;
second:
    s += touch(p, 2); /* @in knot */
    if (s < 4000) goto first;
out:
    return s;
}

__attribute__((noinline)) int machine(volatile int *p, const unsigned char *code, int n)
{
    int s = 0;
    while (n-- > 0) { /* @loop step */
        switch (*code++) {
        case 0:
            s += touch(p, 1); /* @in step */
            break;
        case 1:
            s -= touch(p, 2) * 3; /* @in step */
            break;
        case 2:
            s ^= touch(p, 4); /* @in step */
            break;
        case 3:
            for (int k = touch(p, 7); k > 0; k--) /* @loop turn */
                s |= touch(p, k);                 /* @in step turn */
            break;
        case 4:
            s = touch(p, 15) - s; /* @in step */
            break;
        case 5:
            s = touch(p, 31) * s; /* @in step */
            continue;
        case 6:
            s = touch(p, 63) / (s | 1); /* @in step */
            break;
        case 7: return touch(p, 127); /* @in */
        default: s += touch(p, 255);  /* @in step */
        }
        s += touch(p, 8); /* @in step */
    }
    return s + touch(p, 6); /* @in */
}

__attribute__((noinline)) int two_switches(volatile int *p, const unsigned char *code, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) { /* @loop each */
        switch (code[i] & 7) {
        case 0: s += touch(p, 10); break;  /* @in each */
        case 1: s -= touch(p, 11); break;  /* @in each */
        case 2: s *= touch(p, 12); break;  /* @in each */
        case 3: s ^= touch(p, 13); break;  /* @in each */
        case 4: s |= touch(p, 14); break;  /* @in each */
        case 5: s &= ~touch(p, 16); break; /* @in each */
        case 6: s += touch(p, s); break;   /* @in each */
        }
        switch (code[i] >> 3 & 7) {
        case 0: s -= touch(p, 20); break; /* @in each */
        case 1: s += touch(p, 21); break; /* @in each */
        case 2: s ^= touch(p, 22); break; /* @in each */
        case 3: s *= touch(p, 23); break; /* @in each */
        case 4: s &= touch(p, 24); break; /* @in each */
        case 5: s |= touch(p, 25); break; /* @in each */
        case 7: s -= touch(p, s); break;  /* @in each */
        }
    }
    return s + touch(p, 17); /* @in */
}

static inline __attribute__((always_inline)) int add_up(volatile int *p, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) /* @loop within */
        s += touch(p, i);       /* @in within | around within */
    return s;
}

__attribute__((noinline)) int inlined(volatile int *p, int n) { return add_up(p, n) + touch(p, 1); }

__attribute__((noinline)) int inlined_in_loop(volatile int *p, int n)
{
    int s = 0;
    while (touch(p, s) < n) /* @loop around */
        s += add_up(p, n) + 1;
    return s;
}

int main(int argc, char **argv)
{
    volatile int x = argc;
    const unsigned char *code = (const unsigned char *)argv[0];
    int s = nested(&x, argc) + once_or_more(&x, argc) + endless(&x) + tangled(&x, argc) + machine(&x, code, argc) + two_switches(&x, code, argc);
    return (s + inlined(&x, argc) + inlined_in_loop(&x, argc)) & 1;
}
