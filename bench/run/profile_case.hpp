#pragma once

#include "bench/run/run.hpp"

namespace gpuseq::bench {

/// `run --profile CASE`: prepares one case in this process and launches it once, for ncu and perf. Nothing is
/// checked, warmed up, timed or recorded.
/// @param name  as records, pages and --benchmark_list_tests have it; its data are those of the config
/// @throws UsageError for a name of no case, with near names; ResourceError if it cannot run here
ExitCode profile_case(const RunOptions& options, const std::string& name, const Registry& registry);

}  // namespace gpuseq::bench
