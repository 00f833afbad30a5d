#include "kernels/pairwise_distance/family.hpp"
#include "kernels/pairwise_distance/problem.hpp"
#include "runtime/plugin/gpuseq_plugin.h"

namespace gpuseq::pairwise_distance {
namespace {

/// The distances that a plugin writes, checked as those of a session.
class PluginDistances final : public DistanceSession {
 public:
  explicit PluginDistances(DistanceProblem& problem) : DistanceSession(problem) {
    const Instances& data = problem.instances();
    const u64 pairs = data.count * data.count;
    distances_.count = data.count;
    distances_.sum.resize(pairs, ~u32{0});
    if (data.has_missing()) distances_.compared.resize(pairs, ~u32{0});
    const bool real = data.is_real();
    u32* const sum = distances_.sum.data();
    given = {.metric = kMetricNames[static_cast<u32>(problem.metric())].data(),
             .instances = data.count,
             .attributes = data.attributes,
             .alphabet = data.alphabet,
             .codes = real ? nullptr : data.codes.data(),
             .values = real ? data.reals.data() : nullptr,
             .missing = data.has_missing() ? data.missing.data() : nullptr};
    answers = {.sum = real ? nullptr : sum,
               .distance = real ? reinterpret_cast<float*>(sum) : nullptr,
               .compared = data.has_missing() ? distances_.compared.data() : nullptr};
  }
  Cost cost() const override { return {.work = work()}; }
  HeldMemory held() const override { return {}; }
  void launch() override {}
  const Distances& distances() override { return distances_; }

  gpuseq_pairwise_distance given{};
  gpuseq_distances answers{};

 private:
  Distances distances_;
};

PluginProblem encode(Problem& any) {
  auto& problem = dynamic_cast<DistanceProblem&>(any);
  require_pairs_fit(problem.instances());
  const auto own = std::make_shared<PluginDistances>(problem);
  return {.owner = own,
          .problem = &own->given,
          .answers = &own->answers,
          .work = own->work(),
          .check = [own = own.get()] { return own->verify(); },
          .facts = own->facts()};
}

std::uint64_t letters(const StateOutline& state) {
  const auto axis = [&](const char* name) { return static_cast<u64>(state.problem.integer(name)); };
  return state.letters("instances", axis("instance_count") * axis("attribute_count"), {"random"});
}

}  // namespace

PluginSupport plugin_support() {
  return {.family = "pairwise_distance", .encode = encode, .letters = letters};
}

}  // namespace gpuseq::pairwise_distance
