#include <fmt/format.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "probes/cuda/access.cuh"
#include "probes/cuda/chase.hpp"
#include "probes/cuda/memory.hpp"
#include "probes/cuda/probes.hpp"

namespace gpuseq::probes {
namespace {

constexpr u32 kClusterGranules = kClusterBytes / kGranuleBytes;
constexpr u32 kReadRounds = 1001;  // 1 ms at 32 bytes per clock; odd, as words of even rounds cancel out
constexpr u32 kCheckedReadRounds = 3;

/// The common part of both operations' sessions, with as many clusters as are resident.
class ClusterSession : public Session {
 public:
  ClusterSession(std::shared_ptr<CudaMemory> memory, const Point& point)
      : memory_(std::move(memory)),
        kernel_(memory_->kernel(cuda_cluster_sources(point).front())),
        cluster_(static_cast<unsigned>(point.integer("cluster_blocks"))),
        threads_(static_cast<unsigned>(point.integer("threads_per_block"))),
        clusters_(static_cast<unsigned>(kernel_->resident_clusters(cluster_, threads_))) {
    memory_->contents = {};
  }

  std::optional<Resources> resources() const override { return kernel_->resources(blocks(), threads_, 0); }
  nlohmann::json facts() const override {
    return {{"resident_clusters", clusters_}, {"multiprocessors", memory_->device().multiprocessors()}};
  }

 protected:
  unsigned blocks() const { return clusters_ * cluster_; }

  std::shared_ptr<CudaMemory> memory_;
  std::shared_ptr<cuda::Kernel> kernel_;
  unsigned cluster_, threads_, clusters_;
};

class ClusterRead final : public ClusterSession {
 public:
  ClusterRead(std::shared_ptr<CudaMemory> memory, const Point& point)
      : ClusterSession(std::move(memory), point) {
    sums_ = cuda::DeviceBuffer(memory_->device(), blocks() * sizeof(u32));
  }

  Cost cost() const override {
    return {.work = {static_cast<double>(blocks()) * kClusterBytes * kReadRounds, "bytes"}};
  }
  void launch() override { enqueue(kReadRounds); }

  /// Each block must have read the memory of the next block of its cluster.
  Verification verify() override {
    sums_.fill(0);
    enqueue(kCheckedReadRounds);
    memory_->device().synchronize();
    std::vector<u32> sums(blocks());
    sums_.download(std::as_writable_bytes(std::span(sums)));
    for (unsigned block = 0; block < blocks(); ++block) {
      const unsigned next = block / cluster_ * cluster_ + (block + 1) % cluster_;
      if (sums[block] != block_checksum(next, kClusterBytes))
        return {false, block, fmt::format("block {} did not read the data of block {}", block, next)};
    }
    return {true, std::uint64_t{blocks()} * kClusterGranules * kCheckedReadRounds, {}};
  }

 private:
  void enqueue(u32 rounds) {
    u32 nothing = 0;
    CUdeviceptr sums = sums_.address();
    const std::array<void*, 3> arguments{&rounds, &nothing, &sums};
    kernel_->launch(blocks(), threads_, 0, arguments);
  }

  cuda::DeviceBuffer sums_;
};

/// One cluster, in which one lane works.
class ClusterFollow final : public ClusterSession {
 public:
  ClusterFollow(std::shared_ptr<CudaMemory> memory, const Point& point, std::uint64_t seed)
      : ClusterSession(std::move(memory), point), seed_(seed) {}

  Cost cost() const override { return {.work = {static_cast<double>(kLoads), "accesses"}}; }
  void launch() override {
    enqueue(kLoads);
    launched_ = true;
  }

  Verification verify() override {
    launched_ = false;
    Verification result{true, 0, {}};
    for (const u64 steps : {u64{1}, u64{kClusterGranules / 2 + 1}, u64{kClusterGranules}}) {
      enqueue(steps);
      const u64 found = read_chase(*memory_).at,
                expected =
                    node_at(steps % kClusterGranules, kClusterGranules, bits_below(kClusterGranules), seed_);
      result.checked += steps;
      if (found == expected || !result.passed) continue;
      result.passed = false;
      result.reason = fmt::format("after {} loads it is at node {}, expected {}", steps, found, expected);
    }
    return result;
  }

  nlohmann::json facts() const override {
    nlohmann::json facts = ClusterSession::facts();
    if (launched_) add_latency(facts, read_chase(*memory_), kLoads);
    return facts;
  }

 private:
  static constexpr u64 kLoads = u64{8} * kClusterGranules;

  void enqueue(u64 loads) {
    CUdeviceptr state = memory_->scratch().address();
    u64 seed = seed_;
    const std::array<void*, 3> arguments{&state, &loads, &seed};
    kernel_->launch(cluster_, threads_, 0, arguments);
  }

  std::uint64_t seed_;
  bool launched_ = false;
};

}  // namespace

std::vector<KernelSource> cuda_cluster_sources(const Point& point) {
  const bool reads = point.word("operation") == "read";
  const std::int64_t blocks = point.integer("cluster_blocks"), threads = point.integer("threads_per_block");
  const std::string name = fmt::format("cluster_{}_{}_{}", point.word("operation"), blocks, threads);
  const std::string kernel = fmt::format("ClusterKernel<{}, {}>::", blocks, threads);
  KernelSource source = cuda_source(
      name, "cooperation/cluster",
      fmt::format("__cluster_dims__({}, 1, 1) __launch_bounds__({}) {}({})", blocks, threads, name,
                  reads ? "u32 rounds, u32 nothing, u32* sums" : "Chase* chase, u64 loads, u64 seed"),
      kernel + (reads ? "read(rounds, nothing, sums);" : "follow_next(chase, loads, seed);"));
  source.least_architecture = 90;
  return {source};
}

std::unique_ptr<Session> prepare_cuda_cluster(ProbeProblem& problem, const Point& point, Device& device) {
  auto memory = CudaMemory::of(problem, {}, device);
  if (point.word("operation") == "read") return std::make_unique<ClusterRead>(std::move(memory), point);
  return std::make_unique<ClusterFollow>(std::move(memory), point, problem.seed());
}

}  // namespace gpuseq::probes
