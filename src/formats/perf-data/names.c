/* What types, features and events are called. */
#include <stdio.h>

#include "formats/perf-data/perf_data.h"

static const char *const kernel_types[] = {
    NULL,
    "MMAP",
    "LOST",
    "COMM",
    "EXIT",
    "THROTTLE",
    "UNTHROTTLE",
    "FORK",
    "READ",
    "SAMPLE",
    "MMAP2",
    "AUX",
    "ITRACE_START",
    "LOST_SAMPLES",
    "SWITCH",
    "SWITCH_CPU_WIDE",
    "NAMESPACES",
    "KSYMBOL",
    "BPF_EVENT",
    "CGROUP",
    "TEXT_POKE",
    "AUX_OUTPUT_HW_ID",
    "CALLCHAIN_DEFERRED",
};
static const char *const user_types[] = {
    "HEADER_ATTR",   "HEADER_EVENT_TYPE", "HEADER_TRACING_DATA", "HEADER_BUILD_ID", "FINISHED_ROUND",   "ID_INDEX",
    "AUXTRACE_INFO", "AUXTRACE",          "AUXTRACE_ERROR",      "THREAD_MAP",      "CPU_MAP",          "STAT_CONFIG",
    "STAT",          "STAT_ROUND",        "EVENT_UPDATE",        "TIME_CONV",       "HEADER_FEATURE",   "COMPRESSED",
    "FINISHED_INIT", "COMPRESSED2",       "BPF_METADATA",        "SCHEDSTAT_CPU",   "SCHEDSTAT_DOMAIN",
};

const char *pd_type_name(uint32_t type)
{
    if (type <= PD_LAST_KERNEL) return kernel_types[type];
    return type >= PD_HEADER_ATTR && type <= PD_LAST_USER ? user_types[type - PD_HEADER_ATTR] : NULL;
}

const char *pd_feature_name(uint32_t number)
{
    static const char *const names[] = {
        "RESERVED",   "TRACING_DATA", "BUILD_ID",   "HOSTNAME",        "OSRELEASE",    "VERSION",         "ARCH",         "NRCPUS",        "CPUDESC",
        "CPUID",      "TOTAL_MEM",    "CMDLINE",    "EVENT_DESC",      "CPU_TOPOLOGY", "NUMA_TOPOLOGY",   "BRANCH_STACK", "PMU_MAPPINGS",  "GROUP_DESC",
        "AUXTRACE",   "STAT",         "CACHE",      "SAMPLE_TIME",     "MEM_TOPOLOGY", "CLOCKID",         "DIR_FORMAT",   "BPF_PROG_INFO", "BPF_BTF",
        "COMPRESSED", "CPU_PMU_CAPS", "CLOCK_DATA", "HYBRID_TOPOLOGY", "PMU_CAPS",     "CPU_DOMAIN_INFO",
    };
    return number < sizeof names / sizeof *names ? names[number] : "?";
}

static const char *event_name(const struct pd_attr *a)
{
    static const char *const hardware[] = { "cycles",        "instructions", "cache-references",        "cache-misses",           "branches",
                                            "branch-misses", "bus-cycles",   "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles" };
    static const char *const software[] = { "cpu-clock",        "task-clock",   "page-faults",  "context-switches",
                                            "cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
                                            "emulation-faults", "dummy",        "bpf-output",   "cgroup-switches" };
    if (a->type == 0 && (uint32_t)a->config < sizeof hardware / sizeof *hardware) return hardware[(uint32_t)a->config];
    if (a->type == 1 && a->config < sizeof software / sizeof *software) return software[a->config];
    return NULL;
}

assay_slice pd_event_label(struct pd_decoder *d, const struct pd_attr *a)
{
    char buf[96];
    const char *name = event_name(a), *modifier = "";
    if (pd_has(a, PD_EXCLUDE_KERNEL) && !pd_has(a, PD_EXCLUDE_USER)) modifier = ":u";
    if (!pd_has(a, PD_EXCLUDE_KERNEL) && pd_has(a, PD_EXCLUDE_USER)) modifier = ":k";
    if (name)
        snprintf(buf, sizeof buf, "%s%s", name, modifier);
    else
        snprintf(buf, sizeof buf, "type%lu:config0x%llx%s", (unsigned long)a->type, (unsigned long long)a->config, modifier);
    const char *copy = arena_copy(&d->text, slice_of(buf));
    d->failed |= !copy;
    return slice_of(copy);
}
