/* One planted defect for every rule, with its severity, line and offset; and for every rule a text that is nearly wrong but is not. */
#include "cg.h"

#include <zlib.h>

enum flavour { CALLGRIND, CACHEGRIND };

/* `@` at the start of a line marks where the rule must be reported; it is no part of the text. No mark: the finding has no place. */
struct defect {
    const char *rule;
    int severity;
    enum flavour flavour;
    const char *text;
    size_t len;
};

#define E ASSAY_ERROR
#define W ASSAY_WARNING
#define I ASSAY_INFO
#define TEXT(literal) (literal), sizeof(literal) - 1
#define F "events: Ir\nfn=f\n"
#define X "version: 1\ncreator: xdebug 3.2.0 (PHP 8.2.35)\ncmd: x.php\npart: 1\npositions: line\n\nevents: Time_(10ns)\n\n"
#define LEAF "fl=(1) x.php\nfn=(1) f\n3 10\n\n"
#define MAIN "fl=(1)\nfn=(2) {main}\n1 5\n"

static const struct defect defects[] = {
    { "CG01", E, CALLGRIND, TEXT("version: 1\nfn=f\n") },
    { "CG01", E, CALLGRIND, TEXT("version: 1\n@events:\nfn=f\n") },
    { "CG01", E, CALLGRIND, TEXT("@events: \t \nfn=f\n") },
    { "CG02", E, CALLGRIND, TEXT("fn=f\n@1 2\nevents: Ir\n") },
    { "CG02", E, CALLGRIND, TEXT(F "1 1\npart: 2\nfn=f\n@+1 1\nevents: Ir\n") },
    { "CG03", E, CALLGRIND, TEXT("@version: 2\n" F "1 1\n") },
    { "CG03", E, CALLGRIND, TEXT("# c\n@version: x\n" F "1 1\n") },
    { "CG03", E, CALLGRIND, TEXT("@version:\n" F "1 1\n") },
    { "CG03", E, CALLGRIND, TEXT("@version: 99999999999999999999999\n" F "1 1\n") },
    { "CG04", E, CALLGRIND, TEXT("events: Ir\n@fn=(3)\n1 1\n") },
    { "CG04", E, CALLGRIND, TEXT("events: Ir\nfl=(3) a.c\n@fn=(3)\n1 1\n") },
    { "CG04", E, CALLGRIND, TEXT("events: Ir\nfn=(1) f\n1 1\npart: 2\nevents: Ir\n@fn=(1)\n1 1\n") },
    { "CG04", E, CALLGRIND, TEXT(F "@cob=(2000000000)\n1 1\n") },
    { "CG05", W, CALLGRIND, TEXT("events: Ir\nfn=(1) f\n1 1\n@fn=(1) g\n1 1\n") },
    { "CG05", W, CALLGRIND, TEXT("events: Ir\nfn=(2000000000) f\n1 1\n@fn=(2000000000) g\n1 1\n") },
    { "CG06", E, CALLGRIND, TEXT(F "@1 2 3\n") },
    { "CG06", E, CALLGRIND, TEXT("events: A B\nfn=f\n1 1 1\n@+1 2 3 0\n") },
    { "CG07", E, CALLGRIND, TEXT(F "@1x 2\n") },
    { "CG07", E, CALLGRIND, TEXT(F "1 1\n@1 2x\n") },
    { "CG07", E, CALLGRIND, TEXT(F "@1 -\n") },
    { "CG07", E, CALLGRIND, TEXT(F "@0x 1\n") },
    { "CG07", E, CALLGRIND, TEXT(F "@4294967296 1\n") },
    { "CG07", E, CALLGRIND, TEXT(F "4294967295 1\n@+1 1\n") },
    { "CG07", E, CALLGRIND, TEXT("positions: instr line\n" F "@0x10\n") },
    { "CG07", E, CALLGRIND, TEXT("positions: instr\n" F "@0x10000000000000000 1\n") },
    { "CG07", E, CALLGRIND, TEXT(F "cfn=g\n@calls=x 1\n") },
    { "CG07", E, CALLGRIND, TEXT(F "cfn=g\n@calls=-1 1\n") },
    { "CG07", E, CALLGRIND, TEXT(F "@jcnd=1;2 3\n") },
    { "CG07", E, CALLGRIND, TEXT(F "1 1\n@totals: 1x\n") },
    { "CG08", E, CALLGRIND, TEXT(F "5 1\n@-6 1\n") },
    { "CG08", E, CALLGRIND, TEXT("positions: instr line\n" F "0x10 5 1\n@-17 * 1\n") },
    { "CG09", E, CALLGRIND, TEXT(F "cfn=g\n@calls=1 1\nfn=h\n1 1\n") },
    { "CG09", E, CALLGRIND, TEXT(F "@jump=1 5\nfn=h\n1 1\n") },
    { "CG09", E, CALLGRIND, TEXT(F "@jcnd=1/2 5\ntotals: 0\n") },
    { "CG09", E, CALLGRIND, TEXT(F "cfn=g\n@calls=1 1\n") },
    { "CG18", W, CALLGRIND, TEXT(F "cfn=g\n@calls=1 1") },
    { "CG09", E, CALLGRIND, TEXT(F "cfn=g\n@calls=1 1\nsummary: 4") },
    { "CG09", E, CALLGRIND, TEXT(F "cfn=g\n@calls=1 1\n# end") },
    { "CG09", E, CALLGRIND, TEXT(F "cfn=g\n@calls=1 1\npart: 2\nevents: Ir\nfn=f\n1 1\n") },
    { "CG10", E, CALLGRIND, TEXT(F "@calls=1 1\n1 1\n") },
    { "CG10", E, CALLGRIND, TEXT(F "cfn=g\ncalls=1 1\n1 1\npart: 2\nevents: Ir\nfn=f\n@calls=1 1\n1 1\n") },
    { "CG11", E, CALLGRIND, TEXT("events: Ir\n@1 1\n") },
    { "CG11", E, CALLGRIND, TEXT(F "1 1\npart: 2\nevents: Ir\n@1 1\n") },
    { "CG12", W, CALLGRIND, TEXT(F "@hello\n1 1\n") },
    { "CG12", W, CALLGRIND, TEXT("@colour: red\n" F "1 1\n") },
    { "CG12", W, CALLGRIND, TEXT("@=== NEW PROFILING FILE ===\n" F "1 1\n") },
    { "CG12", W, CALLGRIND, TEXT(F "@ 1 1\n1 1\n") },
    { "CG13", E, CALLGRIND, TEXT(F "1 1\n+2 5\n@totals: 5\n") },
    { "CG13", E, CALLGRIND, TEXT("events: A B\nfn=f\n1 6 1\n@totals: 6\n") },
    { "CG13", E, CACHEGRIND, TEXT("cmd: x\n" F "1 6\n@summary: 5\n") },
    { "CG13", E, CACHEGRIND, TEXT("cmd: x\n" F "1 6\n@summary: 7\n") },
    { "CG14", W, CALLGRIND, TEXT("@summary: 5\n" F "1 1\n+2 5\n") },
    { "CG15", W, CALLGRIND, TEXT(F "1 1\npart: 2\n@events: Dr\nfn=f\n1 1\n") },
    { "CG15", W, CALLGRIND, TEXT(F "1 1\n@events: Ir Dr\nfn=f\n1 1\n") },
    { "CG16", E, CALLGRIND, TEXT(F "@1 9223372036854775808\n") },
    { "CG16", E, CALLGRIND, TEXT(F "@1 -9223372036854775809\n") },
    { "CG16", E, CALLGRIND, TEXT(F "@1 0x8000000000000000\n") },
    { "CG16", E, CALLGRIND, TEXT(F "1 9223372036854775807\n2 1\n") },
    { "CG16", E, CALLGRIND, TEXT("@summary: 9223372036854775808\n" F "1 1\n") },
    { "CG17", W, CALLGRIND, TEXT("@positions: line foo\n" F "1 1\n") },
    { "CG17", W, CALLGRIND, TEXT("@positions:\n" F "1 1\n") },
    { "CG18", W, CALLGRIND, TEXT(F "1 1\n@1 2x") },
    { "CG18", W, CALLGRIND, TEXT(F "1 1\n@+") },
    { "CG18", W, CALLGRIND, TEXT(F "1 1\n@fn=(1") },
    { "CG18", W, CALLGRIND, TEXT(F "1 1\n@ca") },
    { "CG18", W, CALLGRIND, TEXT(F "1 1\ncfn=g\n@calls=") },
    { "CG18", W, CALLGRIND, TEXT(F "1 1\n@jcnd=1/") },
    { "CG19", W, CALLGRIND, TEXT(X LEAF MAIN "cfl=(1)\ncfn=(9) other\ncalls=1 0 0\n@4 10\n\nsummary: 20\n") },
    { "CG19", W, CALLGRIND, TEXT(X LEAF MAIN "cfl=(1)\ncfn=(1)\ncalls=1 0 0\n@4 10\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n5 10\n\nsummary: 30\n") },
    { "CG20", W, CALLGRIND, TEXT(X LEAF "summary: 10\n") },
    { "CG20", W, CALLGRIND, TEXT(X LEAF MAIN "\n") },
    { "CG21", E, CALLGRIND, TEXT("events: Ir\n@fn=f\0g\n1 1\n") },
    { "CG21", E, CALLGRIND, TEXT("@cmd: a\0b\n" F "1 1\n") },
    { "CG21", E, CALLGRIND, TEXT(F "@\0\0\n1 1\n") },
    { "CG22", W, CALLGRIND, TEXT("@events: A B A\nfn=f\n1 1\n") },
    { "CG23", W, CALLGRIND, TEXT(X LEAF MAIN "cfl=(1)\ncfn=(1)\ncalls=1 0 0\n@4 13\n\nsummary: 20\n") },
    { "CG23", W, CALLGRIND,
      TEXT(X "fl=a\nfn=leaf\n1 10\n\nfl=a\nfn=leaf\n1 10\n\nfl=a\nfn=leaf\n1 10\n\nfl=a\nfn=mid\n2 5\ncfl=a\ncfn=leaf\ncalls=1 0 0\n2 "
             "10\ncfl=a\ncfn=leaf\ncalls=1 0 0\n2 10\ncfl=a\ncfn=leaf\ncalls=1 0 0\n2 10\n\nfl=a\nfn={main}\n9 1\ncfl=a\ncfn=mid\ncalls=1 0 0\n@4 "
             "40\n\nsummary: 41\n") },
    { "CG14", W, CALLGRIND, TEXT("creator: xdebug 3.2.0\nevents: Time_(10ns) Memory_(bytes)\n\nfl=a\nfn={main}\n1 10 500\n\n@summary: 8 500\n") },
    { "CG23", W, CALLGRIND, TEXT(X LEAF MAIN "cfl=(1)\ncfn=(1)\ncalls=1 0 0\n@4 7\n\nsummary: 20\n") },
    { "CG25", I, CALLGRIND, TEXT(F "cfn=g\ncalls=0 7\n@3 2138\n") },
    { "CG26", I, CALLGRIND, TEXT(F "1 1\ncfn=g\ncalls=2 1\n2 3\n\nfn=g\n1 1\ncfn=f\ncalls=1 1\n2 1\n\n") },
    { "CG27", W, CALLGRIND, TEXT("@event: X = 3\n" F "1 1\n") },
    { "CG27", W, CALLGRIND, TEXT("@event: X = Ir Ir\n" F "1 1\n") },
    { "CG27", W, CALLGRIND, TEXT("@event: X =  : no formula\n" F "1 1\n") },
    { "CG27", W, CALLGRIND, TEXT("event: Y = 2 Ir\n@event: X = Y + 3*X : long\n" F "1 1\n") },
    { "CG27", W, CALLGRIND, TEXT("@event: X = Y + Ir\nevent: Y = Ir - X\n" F "1 1\n") },
    { "CG28", W, CALLGRIND, TEXT(X "fl=(1) x.php\nfn=(2) {main}\n1 5\n\nfl=(1)\n@fn=(2)\n1 5\n\nsummary: 20\n") },
    { "CG28", W, CALLGRIND, TEXT(X "fl=(1) x.php\nfn=(2) {main}\n1 5\n\n@summary: 6000\n") },
    { "CG29", W, CALLGRIND, TEXT(F "@1 -5\n") },
    { "CG30", I, CALLGRIND, TEXT("events: Ir\nfn=(1) f\nfn=(2) g\n1 1\n") },
    { "CG30", I, CALLGRIND, TEXT(F "1 1\ncfn=g\n") },
    { "CG31", E, CALLGRIND, TEXT("creator: callgrind-3.19.0\n" F "1 1\n@") },
    { "CG31", E, CALLGRIND, TEXT("creator: callgrind-3.19.0\npart: 1\n" F "1 1\ntotals: 1\npart: 2\n" F "1 1\n@") },
};

static const struct defect near_misses[] = {
    { "CG01", E, CALLGRIND, TEXT("fn=f\nevents: Ir\n1 1\n") },
    { "CG02", E, CALLGRIND, TEXT("fn=f\nevents: Ir\n1 1\n") },
    { "CG03", E, CALLGRIND, TEXT("version: 0.9.6\nfn=f\nevents: Ir\n1 1\n") },
    { "CG03", E, CALLGRIND, TEXT("version: 1.7\n" F "1 1\n") },
    { "CG04", E, CALLGRIND, TEXT("events: Ir\nfn=(0) f\n1 1\nfn=(0)\n2 2\n") },
    { "CG04", E, CALLGRIND, TEXT("events: Ir\nfn=(below main)\n1 1\nfn=(12\n2 2\nfn=()\n1 1\nfn=(1a) x\n1 1\n") },
    { "CG05", W, CALLGRIND, TEXT("events: Ir\nfl=(1) a.c\nfn=(1) f\n1 1\nfn=(1) f\n1 1\npart: 2\nevents: Ir\nfn=(1) g\n1 1\n") },
    { "CG06", E, CALLGRIND, TEXT("events: A B \nfn=f\n1 2 3 \t\n2 5\n3\n") },
    { "CG07", E, CALLGRIND, TEXT("positions: instr line\n" F "0xffffffffffffffff 4294967295 0x7F \n+0 -0 1\n10+3 7-9 1\n10:12 * 1\ntotals: 129\n") },
    { "CG08", E, CALLGRIND, TEXT(F "5 1\n-5 1\n") },
    { "CG09", E, CALLGRIND, TEXT(F "cfn=g\ncalls=1 1\n# word\n\n  \n+3 5\njump=1 2\n* \njcnd=1/2 3\n#\n4") },
    { "CG10", E, CALLGRIND, TEXT(F "cfn=g\ncalls=1 1\n1 1\ncalls=1 1\n2 1\n") },
    { "CG11", E, CALLGRIND, TEXT("events: Ir\nfn=\n1 1\n") },
    { "CG12", W, CALLGRIND, TEXT("\n==== NEW PROFILING FILE ==============================================\n# hello\n \t \n" F "1 1\n") },
    { "CG13", E, CALLGRIND, TEXT("events: A B\nfn=f\n1 1\n+2 5\ncfn=g\ncalls=1 1\n1 100\ntotals: 6\nsummary: 7\n") },
    { "CG13", E, CACHEGRIND, TEXT("cmd: x\nevents: A B\nfn=f\n1 1\n+2 5\nsummary: 6 0\n") },
    { "CG14", W, CALLGRIND, TEXT("summary: 6\n" F "1 1\n+2 5\n") },
    { "CG14", W, CACHEGRIND, TEXT("cmd: x\n" F "1 6\nsummary: 5\n") },
    { "CG15", W, CALLGRIND, TEXT(F "1 1\npart: 2\nevents:  Ir \nfn=f\n1 1\n") },
    { "CG16", E, CALLGRIND, TEXT(F "1 9223372036854775807\n1 -9223372036854775808\n1 0x7fffffffffffffff\n") },
    { "CG17", W, CALLGRIND, TEXT("positions: instr line\n" F "1 1\npositions: instr\n" F "1 1\n") },
    { "CG18", W, CALLGRIND, TEXT(F "1 2x\n1 2") },
    { "CG18", W, CALLGRIND, TEXT(F "1 1\nfn=(1) f") },
    { "CG19", W, CALLGRIND, TEXT(X LEAF MAIN "cfl=(1)\ncfn=(1)\ncalls=1 0 0\n4 10\n\nsummary: 20\n") },
    { "CG19", W, CALLGRIND, TEXT(X LEAF MAIN "cfl=(1)\ncfn=(1)\ncalls=1 0 0\n4 10\ncfl=(1)\ncfn=(7) g\ncalls=1 0 0\n5 10\n") }, /* cut */
    { "CG19", W, CALLGRIND, TEXT("version: 1\ncreator: callgrind-3.19\n" F "1 1\ncfn=g\ncalls=1 0\n1 1\n") },
    { "CG20", W, CALLGRIND, TEXT(X LEAF MAIN "\nsummary: 20\n") },
    { "CG20", W, CALLGRIND, TEXT("version: 1\ncreator: callgrind-3.19\n" F "1 1\n") },
    { "CG21", E, CALLGRIND, TEXT("cmd: \001\002\n" F "1 1\n") },
    { "CG22", W, CALLGRIND, TEXT("events: A AA a\nfn=f\n1 1\npart: 2\nevents: A AA a\n") },
    /* each figure is rounded by itself: one unit for each call of the callee, and one */
    { "CG23", W, CALLGRIND,
      TEXT(X "fl=a\nfn=leaf\n1 10\n\nfl=a\nfn=leaf\n1 10\n\nfl=a\nfn=leaf\n1 10\n\nfl=a\nfn=mid\n2 5\ncfl=a\ncfn=leaf\ncalls=1 0 0\n2 "
             "10\ncfl=a\ncfn=leaf\ncalls=1 0 0\n2 10\ncfl=a\ncfn=leaf\ncalls=1 0 0\n2 10\n\nfl=a\nfn={main}\n9 1\ncfl=a\ncfn=mid\ncalls=1 0 0\n4 "
             "39\n\nsummary: 40\n") },
    /* the second figure of Xdebug's summary is a peak, and half a unit of each line of the first may be rounding */
    { "CG14", W, CALLGRIND, TEXT("creator: xdebug 3.2.0\nevents: Time_(10ns) Memory_(bytes)\n\nfl=a\nfn={main}\n1 10 500\n\nsummary: 10 400\n") },
    { "CG14", W, CALLGRIND, TEXT("creator: xdebug 3.2.0\nevents: Time_(10ns) Memory_(bytes)\n\nfl=a\nfn={main}\n1 10 500\n\nsummary: 9 500\n") },
    { "CG23", W, CALLGRIND, TEXT(X LEAF MAIN "cfl=(1)\ncfn=(1)\ncalls=1 0 0\n4 12\n\nsummary: 20\n") },
    { "CG23", W, CALLGRIND, TEXT(X LEAF MAIN "cfl=(1)\ncfn=(1)\ncalls=1 0 0\n4 8\n\nsummary: 20\n") },
    /* a run that is no tree must not spoil the figures of the next */
    { "CG23", W, CALLGRIND,
      TEXT(X LEAF MAIN "cfl=(1)\ncfn=(9) other\ncalls=1 0 0\n4 10\n\n" LEAF "summary: 20\n\n" X LEAF MAIN
                       "cfl=(1)\ncfn=(1)\ncalls=1 0 0\n4 10\n\nsummary: 20\n") },
    { "CG25", I, CALLGRIND, TEXT(F "cfn=g\ncalls=0 7\n3\ncalls=0 7\n3 0\ncalls=1 7\n3 9\n") },
    { "CG26", I, CALLGRIND, TEXT(F "1 1\ncfn=f\ncalls=5 1\n2 300\n") },
    { "CG27", W, CALLGRIND, TEXT("event: X = 2 Ir + 3*Y - Z\nevent: Y = - Ir\nevent: Ir : long = name\n" F "1 1\n") },
    { "CG28", W, CALLGRIND, TEXT(X "fl=(1) x.php\nfn=(2) {main}\n1 5\n\nsummary: 5999\n\n" X "fl=(1) x.php\nfn=(2) {main}\n1 5\n\nsummary: 5\n") },
    { "CG29", W, CALLGRIND, TEXT(F "1 -0\n1 0\n5 +3\n-3 7\n") },
    { "CG31", E, CALLGRIND, TEXT("creator: callgrind-3.19.0\n" F "1 1\n\ntotals: 1\n") },
    { "CG31", E, CALLGRIND, TEXT("creator: something else\n" F "1 1\n") },
    { "CG30", I, CALLGRIND, TEXT("events: Ir\nfn=(1) f\nfl=a.c\nfn=(1)\n1 1\ncfn=(2) g\ncalls=1 1\n1 1\n") },
};

/* ---- running them ---- */

struct planted {
    char text[1024];
    size_t len;
    uint64_t off, line;
    bool has_place;
};

static struct planted plant(const struct defect *d)
{
    struct planted p = { .line = 1 };
    bool is_start = true;
    assert_true(d->len < sizeof p.text);
    for (size_t i = 0; i < d->len; i++) {
        if (is_start && d->text[i] == '@') {
            p.has_place = true;
            p.off = p.len;
            continue;
        }
        is_start = d->text[i] == '\n';
        if (is_start && !p.has_place) p.line++;
        p.text[p.len++] = d->text[i];
    }
    if (!p.has_place) p.line = 0;
    return p;
}

static struct findings check(struct cg_job *j, const void *text, size_t len, enum flavour flavour)
{
    struct findings found;
    cg_open(j, text, len);
    findings_init(&found, &j->mem);
    assert_int_equal((flavour == CACHEGRIND ? cachegrind_check : callgrind_check)(&j->job, &found, &j->err), 0);
    assert_false(found.failed);
    return found;
}

static void check_end(struct cg_job *j, struct findings *found)
{
    findings_done(found);
    cg_close(j);
}

static const assay_finding *find(const struct findings *found, const char *rule)
{
    for (size_t i = 0; i < found->list.len; i++)
        if (strcmp(found->list.at[i].rule, rule) == 0) return &found->list.at[i];
    return NULL;
}

static void each_rule_finds_its_planted_defect_where_it_stands(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof defects / sizeof *defects; i++) {
        const struct defect *d = &defects[i];
        struct planted p = plant(d);
        struct cg_job j;
        struct findings found = check(&j, p.text, p.len, d->flavour);
        const assay_finding *f = find(&found, d->rule);
        if (!f) fail_msg("defect %zu: no %s in:\n%s", i, d->rule, p.text);
        if (f->severity != d->severity) fail_msg("defect %zu: %s has severity %d", i, d->rule, f->severity);
        if (f->line != p.line) fail_msg("defect %zu: %s in line %llu, not %llu", i, d->rule, (unsigned long long)f->line, (unsigned long long)p.line);
        if (f->has_offset != p.has_place) fail_msg("defect %zu: %s has %s offset", i, d->rule, f->has_offset ? "an" : "no");
        if (p.has_place && f->offset != p.off)
            fail_msg("defect %zu: %s at %llu, not %llu", i, d->rule, (unsigned long long)f->offset, (unsigned long long)p.off);
        if (!*f->message) fail_msg("defect %zu: %s says nothing", i, d->rule);
        check_end(&j, &found);
    }
}

static void what_is_only_nearly_wrong_is_not_reported(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof near_misses / sizeof *near_misses; i++) {
        const struct defect *d = &near_misses[i];
        struct cg_job j;
        struct findings found = check(&j, d->text, d->len, d->flavour);
        const assay_finding *f = find(&found, d->rule);
        if (f) fail_msg("near miss %zu: %s in line %llu (%s) of:\n%s", i, d->rule, (unsigned long long)f->line, f->message, d->text);
        check_end(&j, &found);
    }
}

static bool has_rule(const struct defect *list, size_t count, const char *rule)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].rule, rule) == 0) return true;
    return false;
}

static void every_rule_has_a_defect_and_a_near_miss(void **state)
{
    (void)state;
    for (int n = 1; n <= 30; n++) {
        char rule[8];
        snprintf(rule, sizeof rule, "CG%02d", n);
        if (n == 24) continue; /* compressed input has tests of its own below */
        if (!has_rule(defects, sizeof defects / sizeof *defects, rule)) fail_msg("no defect for %s", rule);
        if (!has_rule(near_misses, sizeof near_misses / sizeof *near_misses, rule)) fail_msg("no near miss for %s", rule);
    }
}

/* ---- what a table of texts cannot hold ---- */

static size_t gzip(const char *text, size_t len, unsigned char *out, size_t cap)
{
    z_stream z = { 0 };
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (unsigned char *)(uintptr_t)text;
    z.avail_in = (unsigned)len;
    z.next_out = out;
    z.avail_out = (unsigned)cap;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return cap - z.avail_out;
}

static void a_cut_gzip_gives_CG24_in_the_packed_file_and_what_was_unpacked(void **state)
{
    (void)state;
    static const char text[] = F "1 1\n2 2\n3 3\n";
    unsigned char compressed[256];
    struct cg_job j;
    size_t len = gzip(text, sizeof text - 1, compressed, sizeof compressed);
    struct findings found = check(&j, compressed, len - 4, CALLGRIND);
    const assay_finding *f = find(&found, "CG24");
    assert_non_null(f);
    assert_int_equal(f->severity, ASSAY_ERROR);
    assert_true(f->has_offset);
    assert_in_range(f->offset, 1, len - 4);
    assert_int_equal(f->line, 0);
    assert_null(find(&found, "CG01"));
    check_end(&j, &found);
}

static void a_whole_gzip_of_two_members_gives_no_CG24(void **state)
{
    (void)state;
    unsigned char compressed[512];
    struct cg_job j;
    size_t len = gzip(F "1 1\n", strlen(F "1 1\n"), compressed, sizeof compressed);
    len += gzip("2 2x\n", 5, compressed + len, sizeof compressed - len);
    struct findings found = check(&j, compressed, len, CALLGRIND);
    assert_null(find(&found, "CG24"));
    /* places are those of the unpacked text */
    const assay_finding *f = find(&found, "CG07");
    assert_non_null(f);
    assert_int_equal(f->offset, strlen(F "1 1\n"));
    assert_int_equal(f->line, 4);
    check_end(&j, &found);
}

static void the_201st_event_is_left_out_with_CG06(void **state)
{
    (void)state;
    struct text t = { 0 };
    struct cg_job j;
    for (int count = 200; count <= 201; count++) {
        t.len = 0;
        text_printf(&t, "version: 1\nevents:");
        for (int i = 0; i < count; i++) text_printf(&t, " E%d", i);
        text_printf(&t, "\nfn=f\n1 1\n");
        struct findings found = check(&j, t.at, t.len, CALLGRIND);
        const assay_finding *f = find(&found, "CG06");
        assert_int_equal(f != NULL, count == 201);
        if (f) assert_int_equal(f->line, 2);
        if (f) assert_int_equal(f->offset, 11);
        check_end(&j, &found);
    }
    text_free(&t);
}

static void all_findings_are_reported_and_repeats_are_counted(void **state)
{
    (void)state;
    struct text t = { 0 };
    struct cg_job j;
    text_printf(&t, F);
    for (int i = 0; i < 250; i++) text_printf(&t, "1 x\n2 -1\n");
    struct findings found = check(&j, t.at, t.len, CALLGRIND);
    assert_int_equal(found.errors, 250);
    assert_int_equal(found.warnings, 250);
    check_end(&j, &found);
    text_free(&t);
}

/* A derived event that uses itself through two others is found once for each of the three. */
static void a_circle_of_formulas_is_reported_for_each_of_its_members(void **state)
{
    (void)state;
    static const char text[] = "event: A = B\nevent: B = 2 C\nevent: C = A + Ir\nevent: D = A\n" F "1 1\n";
    struct cg_job j;
    struct findings found = check(&j, text, sizeof text - 1, CALLGRIND);
    assert_int_equal(found.warnings, 3);
    assert_int_equal(found.list.at[0].line, 1);
    assert_int_equal(found.list.at[2].line, 3);
    check_end(&j, &found);
}

static void a_sound_text_gives_nothing_at_all(void **state)
{
    (void)state;
    static const char text[] =
        "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 7\ncmd:  ./a\npart: 1\n\n\ndesc: I1 cache: \ndesc: Trigger: Program termination\n\n"
        "positions: line\nevents: Ir \nsummary: 42\n\nob=(1) /bin/a\nfl=(1) a.c\nfn=(1) main\n3 12\ncfn=(2) f\ncalls=3 9\n+2 30\n\nfn=(2)\n9 30\n\ntotals: "
        "42\n";
    struct cg_job j;
    struct findings found = check(&j, text, sizeof text - 1, CALLGRIND);
    for (size_t i = 0; i < found.list.len; i++) print_error("%s: %s\n", found.list.at[i].rule, found.list.at[i].message);
    assert_int_equal(found.list.len, 0);
    check_end(&j, &found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect_where_it_stands),
        cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(every_rule_has_a_defect_and_a_near_miss),
        cmocka_unit_test(a_cut_gzip_gives_CG24_in_the_packed_file_and_what_was_unpacked),
        cmocka_unit_test(a_whole_gzip_of_two_members_gives_no_CG24),
        cmocka_unit_test(the_201st_event_is_left_out_with_CG06),
        cmocka_unit_test(all_findings_are_reported_and_repeats_are_counted),
        cmocka_unit_test(a_circle_of_formulas_is_reported_for_each_of_its_members),
        cmocka_unit_test(a_sound_text_gives_nothing_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
