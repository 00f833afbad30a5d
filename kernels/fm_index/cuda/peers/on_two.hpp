#pragma once

#include <array>
#include <memory>
#include <vector>

#include "kernels/fm_index/cuda/device_search.hpp"
#include "kernels/fm_index/cuda/peers/device_index.hpp"
#include "kernels/fm_index/problem.hpp"

namespace gpuseq::fm_index {

/// An upper estimate of SearchOnTwo::held(), for the devices of a machine with two.
HeldMemory held_on_two(const SearchPoint& at, const SearchSizes& sizes);

/// The base of sessions of two devices. The time is from before either device begins to after both have
/// ended, by events of the state's device.
class SearchOnTwo : public SearchSession {
 public:
  SearchOnTwo(FmProblem& problem, const SearchPoint& at, cuda::CudaDevice& device,
              const std::shared_ptr<cuda::CudaDevice>& peer);

  /// Of the device that the state is of; the other has the same kernel and grid if it is alike.
  std::optional<Resources> resources() const override;
  HeldMemory held() const override;
  /// Devices take their queries, and give their answers, one after the other.
  std::map<std::string, std::vector<double>> side_samples_s() override;
  nlohmann::json facts() const override;
  std::vector<std::string> notes() const override;
  std::vector<Device*> devices_at_work() const override { return {&device_, index_on_->peer()}; }

 protected:
  static constexpr std::size_t kDevices = 2;

  /// What one of the devices has.
  struct Part {
    cuda::CudaDevice* device = nullptr;
    std::shared_ptr<cuda::Kernel> kernel = {};
    cuda::DeviceBuffer intervals = {};
    SearchArguments arguments = {};
    unsigned blocks = 1;
    std::size_t query_bytes = 0, workspace_bytes = 0;  // beside these
    double upload_s = 0;                               // of queries
  };

  cuda::CudaDevice& device_of(std::size_t part) const { return part == 0 ? device_ : *index_on_->peer(); }
  /// @param queries  of which each has an interval in memory of the part's device
  void prepare(std::size_t part, const QueryView& queries);

  SearchPoint at_;
  cuda::CudaDevice& device_;
  std::shared_ptr<const DeviceIndex> index_on_;  // before what lies on its peer
  std::array<Part, kDevices> parts_;
  std::vector<double> download_s_;
  bool launched_ = false;
  std::vector<std::string> notes_;
};

}  // namespace gpuseq::fm_index
