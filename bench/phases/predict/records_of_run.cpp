#include "bench/phases/predict/records_of_run.hpp"

#include <algorithm>

#include "results/journal.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

void complete(const SearchSpace& space, Point& point) {
  try {
    point = space.complete(point);
  } catch (const UsageError&) {  // an axis or a value that is no more
  }
}

}  // namespace

std::vector<results::Record> records_of_run(const std::filesystem::path& run, const Registry& registry) {
  std::vector<results::Record> records = results::Journal::load(run / results::kRecordsFile);
  for (results::Record& record : records) {
    results::StateKey& state = record.state;
    const auto family =
        std::ranges::find_if(registry.families, [&](const auto& one) { return one->name() == state.family; });
    if (record.kind != "kernel" || family == registry.families.end()) continue;
    complete((*family)->problem_space(), state.problem);
    for (const Variant& variant : (*family)->variants())
      if (variant.name == state.variant) complete(variant.space, state.point);
  }
  return records;
}

}  // namespace gpuseq::bench
