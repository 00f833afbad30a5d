#include "bench/plan/problem_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "bench/config/problem_files.hpp"
#include "results/journal.hpp"
#include "results/names/problem_hashes.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {

std::map<std::string, std::uint64_t> data_bytes(const SuiteConfig& config) {
  constexpr std::uint64_t kMostUnpacked = 5;  // a nucleotide is 2 bits at least
  std::map<std::string, std::uint64_t> bytes;
  for (const auto& [name, file] : config.data) {
    std::error_code error;
    const auto size = std::filesystem::file_size(file.path, error);
    if (error) continue;
    const bool packed = !file.member.empty() || file.path.extension() == ".gz";
    bytes[name] = size * (packed ? kMostUnpacked : 1);
  }
  return bytes;
}

ReadData read_data(const SuiteConfig& config, const Sweep& sweep) {
  ReadData read;
  std::unique_ptr<ScratchFolder> unpacked;
  std::set<std::string> seen;
  for (const State& state : sweep.kernels) {
    const std::string problem = fmt::format("{}/{}", state.key.family, state.key.problem.to_string());
    const bool has_data = std::ranges::any_of(
        config.data, [&](const auto& entry) { return is_named(state.key.problem, entry.first); });
    if (!has_data || !seen.insert(problem).second) continue;
    try {
      state.family->load({.point = state.key.problem,
                          .files = files_for(state.key.problem, config, unpacked),
                          .seed = config.seed,
                          .cache_dir = config.cache_dir});
      ++read.problems;
    } catch (const ResourceError& error) {
      read.remarks.push_back(fmt::format("{}: its data was not read: {}", problem, error.what()));
    }
  }
  return read;
}

void check_recorded_data(const std::filesystem::path& journal, const SuiteConfig& config,
                         const Registry& registry,
                         const std::function<bool(const Point& problem)>& is_wanted) {
  std::map<std::string, results::StateKey> problems;
  results::ProblemHashes hashes;
  results::Journal::read(journal, [&](const results::Record& record) {
    hashes.check(record, "the records");
    if (record.kind != "probe" && !record.problem_hash.empty() && is_wanted(record.state.problem))
      problems.emplace(fmt::format("{}/{}", record.state.family, record.state.problem.to_string()),
                       record.state);
  });
  std::unique_ptr<ScratchFolder> unpacked;
  for (const auto& [name, state] : problems) {
    const auto family = std::ranges::find_if(
        registry.families, [&state = state](const auto& one) { return one->name() == state.family; });
    if (family == registry.families.end()) continue;  // of tools alone
    try {
      const auto problem = (*family)->load({.point = state.problem,
                                            .files = files_for(state.problem, config, unpacked),
                                            .seed = config.seed,
                                            .cache_dir = config.cache_dir});
      hashes.check(state, problem->hash(), data_as_it_is(state.problem, config));
    } catch (const ResourceError&) {
      // The worker looks again before it measures.
    }
  }
}

}  // namespace gpuseq::bench
