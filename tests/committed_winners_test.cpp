#include <gtest/gtest.h>

#include <exception>
#include <filesystem>
#include <string>

#include "bench/config/registry.hpp"
#include "results/journal.hpp"
#include "tests/results/committed_runs.hpp"

// A default build compiles a part of the kernels' shapes (GPUSEQ_ALL_SHAPES) and of the CUDA kernels
// (compiled_by = nvcc).

namespace gpuseq {
namespace {

/// Why this build cannot run a state. An axis or a family that is gone since the run is no reason.
std::string why_not_compiled(const Family& family, const results::StateKey& state) {
  try {
    const Variant& variant = family.variant(state.variant);
    const Point point = variant.space.complete(state.point);
    static_cast<void>(variant.cost({.point = point, .problem = state.problem}));
  } catch (const std::exception& error) {
    const std::string what = error.what();
    const bool left_out = what.find("GPUSEQ_") != std::string::npos || what.find("nvcc") != std::string::npos;
    return left_out ? what : "";
  }
  return "";
}

TEST(CommittedWinners, AreCompiledInADefaultBuild) {
  const bench::Registry registry = bench::make_registry();
  std::size_t winners = 0;
  for (const std::filesystem::path& run : results::committed_runs())
    for (const results::Record& record : results::Journal::load(run / results::kRecordsFile)) {
      if (record.phase != "winner" || record.kind != "kernel") continue;
      const auto family = registry.shared_family(record.state.family);
      EXPECT_EQ(why_not_compiled(*family, record.state), "") << run << ": " << record.state.to_string();
      ++winners;
    }
  EXPECT_GT(winners, 0u);
}

}  // namespace
}  // namespace gpuseq
