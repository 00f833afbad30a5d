#include "kernels/pairwise_distance/cuda/session.hpp"

#include <algorithm>
#include <vector>

#include "runtime/cuda/peers/on_gpus.hpp"

namespace gpuseq::pairwise_distance {
namespace {

/// A pair that a part does not compute is 0 there; one that two compute is the same in both.
void merge(std::vector<u32>& to, const std::vector<u32>& part) {
  std::ranges::transform(to, part, to.begin(), [](u32 a, u32 b) { return std::max(a, b); });
}

class DistancesOnGpus final : public cuda::OnGpus<DistanceSession, DistanceSession> {
 public:
  DistancesOnGpus(DistanceProblem& problem, const TilePolicy& policy, bool ahead_of_time,
                  cuda::CudaDevice& device, const cuda::Peers& peers)
      : OnGpus(problem, device, peers) {
    for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu)
      parts_.push_back(make_session(problem, policy, ahead_of_time, gpus_[gpu], {gpu, gpus_.size()}));
  }

  const Distances& distances() override {
    if (!launched_) launch();
    found_ = parts_[0]->distances();
    for (std::size_t gpu = 1; gpu < parts_.size(); ++gpu) {
      const Distances& part = parts_[gpu]->distances();
      merge(found_.sum, part.sum);
      merge(found_.compared, part.compared);
    }
    return found_;
  }

  Cost cost() const override {
    return {.work = work(),
            .held = held(),
            .instructions = instructions_of_each(parts_[0]->cost().instructions.value().operations)};
  }

  nlohmann::json facts() const override {
    nlohmann::json facts = parts_[0]->facts();
    facts.update(gpus_.facts());
    return facts;
  }

 private:
  Distances found_;
};

}  // namespace

std::unique_ptr<DistanceSession> make_session_on_gpus(DistanceProblem& problem, const TilePolicy& policy,
                                                      bool ahead_of_time, cuda::CudaDevice& device,
                                                      const cuda::Peers& peers) {
  return std::make_unique<DistancesOnGpus>(problem, policy, ahead_of_time, device, peers);
}

}  // namespace gpuseq::pairwise_distance
