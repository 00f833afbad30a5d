#include "kernels/pairwise_distance/cuda/session.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>

#include "kernels/common/load_kernel.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/embedded.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::pairwise_distance {
namespace {

GPUSEQ_EMBEDDED(pairwise_distance_fatbin)

}  // namespace

CudaDistances::CudaDistances(DistanceProblem& problem, cuda::CudaDevice& device)
    : DistanceSession(problem), device_(device) {}

void CudaDistances::allocate(u64 packed_bytes) {
  if (problem_.memory_limit() > 0)
    throw DoesNotFit(
        "the paper's kernels and several GPUs compute all distances at once; use a tiled variant");
  packed_bytes_ = packed_bytes;
  const bool missing = problem_.instances().has_missing();
  const u64 matrix_bytes = count() * count() * sizeof(u32);
  const u64 needed = packed_bytes + matrix_bytes * (missing ? 2 : 1);
  if (needed > device_.free_bytes())
    throw DoesNotFit(fmt::format(
        "{} instances of {} attributes need {} bytes, and their distances {}{}; {} has {} free (margin "
        "subtracted)",
        count(), problem_.instances().attributes, packed_bytes, matrix_bytes,
        missing ? " twice (sums and attributes compared)" : "", device_.id(), device_.free_bytes()));
  sums_ = cuda::DeviceBuffer(device_, matrix_bytes);
  if (missing) compared_ = cuda::DeviceBuffer(device_, matrix_bytes);
}

template <class Policy>
void CudaDistances::load(const TunedKernel<Policy>& kernels, const Policy& policy, bool ahead_of_time) {
  name_ = kernels.name(policy);
  const auto start = std::chrono::steady_clock::now();
  kernel_ = load_kernel(kernels, policy, ahead_of_time, embedded_pairwise_distance_fatbin(), device_headers(),
                        device_, problem_.cache_dir());
  load_s_ = seconds_since(start);
  if (shared_bytes_ > 0) kernel_->allow_shared_bytes(shared_bytes_);
}

template void CudaDistances::load(const TunedKernel<LadderPolicy>&, const LadderPolicy&, bool);
template void CudaDistances::load(const TunedKernel<TilePolicy>&, const TilePolicy&, bool);

std::shared_ptr<cuda::Kernel> load_tile_kernel(const TilePolicy& policy, bool ahead_of_time,
                                               cuda::CudaDevice& device,
                                               const std::filesystem::path& cache_dir) {
  return load_kernel(tile_kernels(), policy, ahead_of_time, embedded_pairwise_distance_fatbin(),
                     device_headers(), device, cache_dir);
}

void CudaDistances::run(void* arguments) {
  std::array<void*, 1> pointers{arguments};
  if (blocks_ > 0) kernel_->launch(blocks_, threads_, shared_bytes_, pointers);
  launched_ = true;
}

const Distances& CudaDistances::distances() {
  if (!launched_) launch();
  device_.synchronize();
  if (found_.sum.empty()) require_pairs_fit(problem_.instances());
  found_.count = count();
  found_.sum.resize(count() * count());
  if (problem_.instances().has_missing()) found_.compared.resize(count() * count());
  download_s_.push_back(device_.time_s([&] {
    sums_.download(std::as_writable_bytes(std::span(found_.sum)));
    compared_.download(std::as_writable_bytes(std::span(found_.compared)));
  }));
  return found_;
}

std::optional<Resources> CudaDistances::resources() const {
  return kernel_->resources(blocks_, threads_, shared_bytes_);
}

Cost CudaDistances::cost() const {
  return {.work = work(), .held = held(), .instructions = instructions()};
}

HeldMemory CudaDistances::held() const {
  return HeldMemory()
      .add("instances", instance_bytes())
      .add(kOutputPart, sums_.size() + compared_.size())
      .add(kWorkspacePart, workspace_bytes());
}

std::map<std::string, std::vector<double>> CudaDistances::side_samples_s() {
  std::map<std::string, std::vector<double>> samples{{"upload", {upload_s_}}, {"load_kernel", {load_s_}}};
  if (!download_s_.empty()) samples["download"] = download_s_;
  return samples;
}

nlohmann::json CudaDistances::facts() const {
  nlohmann::json facts = DistanceSession::facts();
  facts["kernel"] = name_;
  facts["packed_bytes"] = packed_bytes_;
  return facts;
}

}  // namespace gpuseq::pairwise_distance
