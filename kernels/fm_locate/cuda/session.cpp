#include "kernels/fm_locate/cuda/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "kernels/common/device_copy.hpp"
#include "kernels/common/load_kernel.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/embedded.hpp"

namespace gpuseq::fm_locate {
namespace {

GPUSEQ_EMBEDDED(fm_locate_fatbin)

using cuda::CudaDevice;
using cuda::DeviceBuffer;

/// An index in device memory.
struct DeviceIndex {
  DeviceIndex(const Index& index, CudaDevice& on)
      : device(&on), lines(on, index.lines.size()), samples(on, index.samples.size()) {
    upload_s = on.time_s([&] {
      lines.upload(bytes_of(index.lines));
      samples.upload(bytes_of(index.samples));
    });
  }
  const CudaDevice* device;
  DeviceBuffer lines, samples;
  double upload_s = 0;
};

std::shared_ptr<const Index> host_index(LocateProblem& problem, const Layout& layout,
                                        const CudaDevice& device) {
  const u64 bases = problem.reference().text.size();
  const u64 bytes = bytes_of_lines(layout, bases) + bytes_of_samples(layout, bases);
  if (bytes > device.total_bytes())
    throw DoesNotFit(fmt::format("an index of {} bytes does not fit on {}, which has {} bytes", bytes,
                                 device.id(), device.total_bytes()));
  return problem.index(layout);
}

class CudaWalk final : public LocateSession {
 public:
  CudaWalk(LocateProblem& problem, const Layout& layout, const WalkPoint& at, CudaDevice& device)
      : LocateSession(problem, host_index(problem, layout, device), kSectorBytes),
        policy_(at.policy),
        device_(device),
        kernel_(load_kernel(locate_kernels(), at.policy, at.ahead_of_time, embedded_fm_locate_fatbin(),
                            device_headers(), device, problem.cache_dir())),
        device_index_(device_copy_of<DeviceIndex>(*index_, device)),
        first_row_(device, problem.occurrences().first_row.size() * sizeof(u32)),
        begin_(device, problem.occurrences().begin.size() * sizeof(u32)),
        positions_(device, total() * sizeof(u32)) {
    upload_s_ = device_.time_s([&] {
      first_row_.upload(problem.occurrences().first_row);
      begin_.upload(problem.occurrences().begin);
    });
    arguments_ = {.index = index_->view,
                  .occurrences = {first_row_.as<const u32>(), begin_.as<const u32>(),
                                  problem.occurrences().view().queries},
                  .positions = positions_.as<u32>(),
                  .total = total()};
    arguments_.index.lines = device_index_->lines.as<const u8>();
    arguments_.index.samples = device_index_->samples.as<const u32>();
    choose_grid();
  }

  void launch() override {
    launched_ = true;
    if (total() == 0) return;
    std::array<void*, 1> arguments{&arguments_};
    kernel_->launch(blocks_, policy_.threads_per_block, policy_.shared_bytes(), arguments);
  }

  std::vector<u32> positions() override {
    if (!launched_) launch();
    std::vector<u32> found(total());
    download_s_.push_back(
        device_.time_s([&] { positions_.download(std::as_writable_bytes(std::span(found))); }));
    return found;
  }

  std::optional<Resources> resources() const override {
    return kernel_->resources(blocks_, policy_.threads_per_block, policy_.shared_bytes());
  }

  /// The upload time of a reused index is that of its first upload.
  std::map<std::string, std::vector<double>> side_samples_s() override {
    std::map<std::string, std::vector<double>> samples{{"upload", {upload_s_}},
                                                       {"upload_index", {device_index_->upload_s}}};
    if (!download_s_.empty()) samples["download"] = download_s_;
    return samples;
  }

  nlohmann::json facts() const override {
    nlohmann::json facts = LocateSession::facts();
    facts["resident_threads"] = std::uint64_t{blocks_} * policy_.threads_per_block;
    return facts;
  }

 private:
  /// One walk per lane.
  double in_flight() const override {
    return std::min(static_cast<double>(blocks_) * policy_.threads_per_block, static_cast<double>(total()));
  }

  u32 total() const { return problem_.occurrences().total(); }

  /// One wave of blocks, or fewer if the work needs fewer.
  void choose_grid() {
    kernel_->allow_shared_bytes(policy_.shared_bytes());
    const auto resident =
        static_cast<u64>(kernel_->resident_blocks(policy_.threads_per_block, policy_.shared_bytes()));
    const u64 of_block = u64{policy_.threads_per_block} / kWarp * policy_.walks_of_warp;
    const u64 needed = (total() + of_block - 1) / of_block;
    const u64 one_wave = resident * static_cast<u64>(device_.multiprocessors());
    blocks_ = static_cast<unsigned>(std::max<u64>(1, std::min(needed, one_wave)));
  }

  Policy policy_;
  CudaDevice& device_;
  std::shared_ptr<cuda::Kernel> kernel_;
  std::shared_ptr<const DeviceIndex> device_index_;
  DeviceBuffer first_row_, begin_, positions_;
  LocateArguments arguments_{};
  unsigned blocks_ = 1;
  double upload_s_ = 0;
  std::vector<double> download_s_;
  bool launched_ = false;
};

}  // namespace

std::unique_ptr<LocateSession> prepare_walk(LocateProblem& problem, const Layout& layout, const WalkPoint& at,
                                            cuda::CudaDevice& device) {
  return std::make_unique<CudaWalk>(problem, layout, at, device);
}

}  // namespace gpuseq::fm_locate
