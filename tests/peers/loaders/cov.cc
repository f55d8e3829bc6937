// Reads a report of cov's store with the library of the original (libs/cov-api of cov 0.26), for tests/peers/robustness.py:
//
//   cov-loader OBJECTS REPORT     OBJECTS: the folder "objects/coverage" of a store; REPORT: the id of a report
//
// Prints what `cov show` adds up from: each file with its figures and the hits of its lines, one line for each file. The library says no more than that an
// object could not be loaded; so does this.
#include <cov/db.hh>
#include <cov/report.hh>
#include <cstdio>
#include <cstring>
#include <string>

namespace {
int fail(char const* what, git::oid const& id) {
    std::fprintf(stderr, "cannot load the %s %s\n", what, id.str().c_str());
    return 1;
}

std::string hits_of(cov::line_coverage const& lines) {
    std::string text;
    for (auto const& run : lines.coverage()) text += fmt::format(" {}{}", run.is_null ? "-" : "", static_cast<unsigned>(run.value));
    return text;
}
}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    auto const store = cov::backend::loose_backend(argv[1]);
    auto const id = git::oid::from(argv[2]);
    auto const report = store->lookup<cov::report>(id);
    if (!report) return fail("report", id);
    auto const files = store->lookup<cov::files>(report->file_list_id());
    if (!files) return fail("list of files", report->file_list_id());
    for (auto const& file : files->entries()) {
        auto const& stats = file->stats();
        std::string hits;
        if (!file->line_coverage().is_zero()) {
            auto const lines = store->lookup<cov::line_coverage>(file->line_coverage());
            if (!lines) return fail("lines", file->line_coverage());
            hits = hits_of(*lines);
        }
        auto const path = std::string{file->path()};
        std::printf("%s %u %u %u%s\n", path.c_str(), stats.lines_total, stats.lines.relevant, stats.lines.visited, hits.c_str());
    }
    return 0;
}
