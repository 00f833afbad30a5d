#pragma once

#include <memory>
#include <utility>

#include "runtime/cuda/peers/group.hpp"

namespace gpuseq::cuda {

/// The base of a family's session on several GPUs.
/// @tparam Base  the base of all sessions of the family
/// @tparam Part  work of one GPU: launch(), or enqueue(); held() and resources()
template <class Base, class Part>
class OnGpus : public Base {
 public:
  void launch() override {
    gpus_.launch(enqueue());
    launched_ = true;
  }
  /// The resources on the first GPU. GPUs of one model have the same kernel and grid.
  std::optional<Resources> resources() const override { return parts_[0]->resources(); }
  std::vector<Device*> devices_at_work() const override { return gpus_.devices(); }
  std::map<std::string, std::vector<double>> side_samples_s() override { return gpus_.alone_s(enqueue()); }

  HeldMemory held() const override {
    HeldMemory held;
    for (std::size_t gpu = 0; gpu < parts_.size(); ++gpu) gpus_.add(held, parts_[gpu]->held(), gpu);
    return held;
  }

 protected:
  template <class Problem>
  OnGpus(Problem& problem, CudaDevice& device, Peers peers)
      : Base(problem), gpus_(device, std::move(peers)) {}

  /// @param operations  of a GPU if it had all of the problem
  Instructions instructions_of_each(const std::map<std::string, double>& operations) const {
    Instructions all;
    for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu)
      all.by_device.push_back({gpus_.probed_as(gpu), operations});
    return all;
  }

  Group gpus_;  // before the memory of its devices
  std::vector<std::unique_ptr<Part>> parts_;
  bool launched_ = false;

 private:
  Group::Enqueue enqueue() const {
    return [this](std::size_t gpu) {
      if constexpr (requires(Part & part) { part.enqueue(); })
        parts_[gpu]->enqueue();
      else
        parts_[gpu]->launch();
    };
  }
};

}  // namespace gpuseq::cuda
