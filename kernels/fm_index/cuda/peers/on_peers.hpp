#pragma once

#include <memory>
#include <vector>

#include "kernels/fm_index/cuda/device_search.hpp"
#include "kernels/fm_index/cuda/peers/device_index.hpp"
#include "kernels/fm_index/cuda/routes.hpp"
#include "kernels/fm_index/problem.hpp"

namespace gpuseq::fm_index {

/// An upper estimate of SearchOnPeers::held(), for the first devices of a machine.
HeldMemory held_on_peers(const SearchPoint& at, const SearchSizes& sizes);

/// The base of sessions of several devices. The time is from before any device begins to after all have
/// ended, by events of the state's device.
class SearchOnPeers : public SearchSession {
 public:
  SearchOnPeers(FmProblem& problem, const SearchPoint& at, cuda::CudaDevice& device,
                const cuda::Peers& peers);

  /// Resources on the device of the case; devices of the same model have the same kernel and grid.
  std::optional<Resources> resources() const override;
  HeldMemory held() const override;
  /// Devices take their queries, and give their answers, one after the other.
  std::map<std::string, std::vector<double>> side_samples_s() override;
  nlohmann::json facts() const override;
  std::vector<std::string> notes() const override;
  std::vector<Device*> devices_at_work() const override;

 protected:
  /// The data of one of the devices.
  struct Part {
    std::shared_ptr<cuda::Kernel> kernel = {};
    cuda::DeviceBuffer intervals = {};
    SearchArguments arguments = {};
    unsigned blocks = 1;
    std::size_t query_bytes = 0, workspace_bytes = 0;  // without these
    double upload_s = 0;                               // of queries
  };

  /// @param queries  of which each has an interval in memory of the part's device
  void prepare(std::size_t part, const QueryView& queries);

  SearchPoint at_;
  cuda::CudaDevice& device_;
  std::shared_ptr<const DeviceIndex> index_on_;  // before the memory of its devices
  std::vector<Part> parts_;                      // of each device
  double route_s_ = 0;                           // of one_hot_routed
  std::vector<double> download_s_;
  bool launched_ = false;
  std::vector<std::string> notes_;
};

/// The windows of one_hot_routed on a device and its peers. @throws as host_index()
std::vector<Windows> windows_of_all(FmProblem& problem, const SearchPoint& at, cuda::CudaDevice& device,
                                    const cuda::Peers& peers);

}  // namespace gpuseq::fm_index
