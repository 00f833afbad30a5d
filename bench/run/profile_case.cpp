#include "bench/run/profile_case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "bench/config/problem_files.hpp"
#include "bench/measure/nvtx.hpp"
#include "bench/run/invocation.hpp"
#include "bench/tools/family.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/contract/nearest_word.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {
namespace {

std::vector<std::string> name_parts(const std::string& name) {
  std::vector<std::string> parts{""};
  for (const char letter : name) {
    if (letter == '/')
      parts.emplace_back();
    else
      parts.back() += letter;
  }
  return parts;
}

/// The case of a name, whose points may leave out axes at their defaults.
results::StateKey key_of(const std::string& name, const Registry& registry) {
  const std::vector<std::string> parts = name_parts(name);
  if (parts.size() != 5) throw UsageError("a name has five parts: family/variant/problem/point/device");
  const Family& family = registry.family(parts[0]);
  const Variant& variant = family.variant(parts[1]);
  if (variant.device != kind_of_device(parts[4]))
    throw UsageError(fmt::format("{} does not run on {}", variant.name, parts[4]));
  return {.family = parts[0],
          .variant = parts[1],
          .problem = family.problem_space().complete(Point::parse(parts[2])),
          .point = variant.space.complete(Point::parse(parts[3])),
          .device = parts[4]};
}

/// Names of the config's cases of the variant that is nearest.
std::string near_names(const std::string& name, const SuiteConfig& config, const Registry& registry) {
  constexpr std::size_t kMost = 3;
  const Sweep sweep = plan(config, with_tools_of(config, registry), devices_of(config));
  std::map<std::string, std::vector<std::string>> by_variant;
  const auto take = [&](const std::vector<State>& states) {
    for (const State& state : states) by_variant[state.key.variant].push_back(state.key.to_string());
  };
  take(sweep.kernels);
  for (const SizedStates& states : sweep.sized) take(states);
  std::vector<std::string_view> variants;
  variants.reserve(by_variant.size());
  for (const auto& [variant, names] : by_variant) variants.push_back(variant);
  const std::vector<std::string> parts = name_parts(name);
  const std::string nearest(nearest_word(parts[parts.size() > 1 ? 1 : 0], variants));
  if (nearest.empty()) return "; --benchmark_list_tests prints the names of a config";
  std::vector<std::string> near = by_variant[nearest];
  near.resize(std::min(near.size(), kMost));
  return fmt::format("; near it: {}", fmt::join(near, ", "));
}

}  // namespace

ExitCode profile_case(const RunOptions& options, const std::string& name, const Registry& registry) {
  const SuiteConfig config = load_chosen(options.config, registry);
  const Registry known = with_tools_of(config, registry);
  results::StateKey key;
  try {
    key = key_of(name, known);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("--profile: found no case {}: {}{}", name, error.what(),
                                 near_names(name, config, registry)));
  }
  const Family& family = known.family(key.family);
  check_data(config);
  const auto device = open_device(key.device);
  std::unique_ptr<ScratchFolder> unpacked;
  const auto problem = family.load({.point = key.problem,
                                    .files = files_for(key.problem, config, unpacked),
                                    .seed = config.seed,
                                    .cache_dir = config.cache_dir});
  const auto session = family.variant(key.variant).prepare(*problem, key.point, *device);
  device->synchronize();
  {
    const NvtxRange range(key.to_string());
    session->launch();
    device->synchronize();
  }
  say("{}: launched once; `run` checks its answers\n", key.to_string());
  return ExitCode::fine;
}

}  // namespace gpuseq::bench
