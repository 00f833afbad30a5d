#pragma once

#include <cstdio>
#include <filesystem>

#include "bench/base/registry.hpp"
#include "reports/report.hpp"

namespace gpuseq::bench {

/// Says where the page of a report is, and why there are no plots on it if there are none.
void print_page(const reports::ReportResult& result, std::FILE* out);

/// What `exec` takes of the families, for the lines of a page.
reports::ExecUses exec_uses(const Registry& registry);

/// Writes plots/ and report.html of a run folder, and says where. A report that fails is an error of its own:
/// the records are there all the same. @throws UsageError, ResourceError
void write_report_of(const std::filesystem::path& dir, const std::filesystem::path& published,
                     const Registry& registry, std::FILE* out);

}  // namespace gpuseq::bench
