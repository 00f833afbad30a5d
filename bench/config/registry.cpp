#include "bench/config/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "kernels/exact_match/family.hpp"
#include "kernels/fm_index/family.hpp"
#include "kernels/fm_locate/family.hpp"
#include "kernels/fm_mismatch/family.hpp"
#include "kernels/pairwise_distance/family.hpp"
#include "kernels/papara/family.hpp"
#include "kernels/profile_hmm/family.hpp"
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

const Family& Registry::family(std::string_view name) const {
  return *find(families, name, "family");
}
std::shared_ptr<const Family> Registry::shared_family(std::string_view name) const {
  return find(families, name, "family");
}
const Family& Registry::probe(std::string_view name) const {
  return *find(probes, name, "probe");
}

Registry make_registry() {
  Registry registry;
  for (auto& probe : probes::make_probes()) registry.probes.push_back(std::move(probe));
  registry.families.push_back(fm_index::make_family());
  registry.families.push_back(papara::make_family());
  registry.families.push_back(profile_hmm::make_family());
  registry.families.push_back(pairwise_distance::make_family());
  registry.families.push_back(exact_match::make_family());
  registry.families.push_back(fm_locate::make_family());
  registry.families.push_back(fm_mismatch::make_family());
#ifdef GPUSEQ_HAVE_CUDA
  cuda::find_sm_windows_by(&probes::find_sm_windows);
#else
  registry.with_cuda = false;
#endif
  return registry;
}

}  // namespace gpuseq::bench
