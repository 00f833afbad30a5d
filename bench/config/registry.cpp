#include "bench/config/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "probes/probes.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/contract/nearest_word.hpp"
#ifdef GPUSEQ_HAVE_CUDA
#include "probes/cuda/sm_groups.hpp"
#endif

namespace gpuseq::bench {
namespace {

const std::shared_ptr<const Family>& find(const std::vector<std::shared_ptr<const Family>>& among,
                                          std::string_view name, std::string_view noun) {
  std::vector<std::string_view> names;
  for (const auto& candidate : among) {
    if (candidate->name() == name) return candidate;
    names.push_back(candidate->name());
  }
  throw UsageError(fmt::format("unknown {} \"{}\"; allowed: {}{}", noun, name, fmt::join(names, ", "),
                               did_you_mean(name, names)));
}

}  // namespace

std::string Registry::why_not_built(std::string_view name) const {
  if (std::ranges::find(not_built, name) == not_built.end()) return {};
  return fmt::format("this build is without the family {}; -DGPUSEQ_FAMILIES= builds all", name);
}
const Family& Registry::family(std::string_view name) const {
  return *shared_family(name);
}
std::shared_ptr<const Family> Registry::shared_family(std::string_view name) const {
  if (const std::string why = why_not_built(name); !why.empty()) throw UsageError(why);
  return find(families, name, "family");
}
const Family& Registry::probe(std::string_view name) const {
  return *find(probes, name, "probe");
}

Registry make_registry() {
  Registry registry;
  for (auto& probe : probes::make_probes()) registry.probes.push_back(std::move(probe));
  add_families(registry);
#ifdef GPUSEQ_HAVE_CUDA
  cuda::find_sm_windows_by(&probes::find_sm_windows);
#else
  registry.with_cuda = false;
#endif
  return registry;
}

}  // namespace gpuseq::bench
