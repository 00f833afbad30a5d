#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "probes/cuda/access.cuh"
#include "probes/cuda/chase.hpp"
#include "probes/cuda/load_path/chain.hpp"
#include "probes/cuda/load_path/load_path_arguments.cuh"
#include "probes/cuda/memory.hpp"
#include "probes/cuda/probes.hpp"
#include "runtime/cuda/texture.hpp"

namespace gpuseq::probes {
namespace {

constexpr const char* kNothing = "nothing";
constexpr std::uint64_t kTexelBytes = bytes_of(cuda::Texel::u32x4);

/// One lane follows a chain of loads by one path. The footprint is that of the chain; a second chain with as
/// many nodes, which may evict it, is stored after it.
class LoadPathSession final : public Session {
 public:
  LoadPathSession(std::shared_ptr<CudaMemory> memory, const Point& point, std::uint64_t seed)
      : memory_(std::move(memory)),
        kernel_(memory_->kernel(cuda_load_path_sources(point).front())),
        path_(point.word("path")),
        evicted_by_(point.word("evicted_by")),
        bytes_(static_cast<std::size_t>(point.integer("footprint_bytes"))) {
    chain_.stride_bytes = static_cast<std::uint64_t>(point.integer("stride_bytes"));
    chain_.nodes = bytes_ / chain_.stride_bytes;
    chain_.ascending = point.word("order") == "ascending";
    chain_.seed = seed;
    // Nodes that the second chain evicted are missed only in the next round.
    loads_ = evicts() ? chain_.nodes : timed_loads(chain_.nodes);
    lay_out();
  }

  Cost cost() const override {
    return {.work = {static_cast<double>(chain_.nodes * (evicts() ? 2 : 1) + loads_), "accesses"}};
  }
  void launch() override {
    enqueue(loads_);
    launched_ = true;
  }

  /// Checks where chains of some lengths end.
  Verification verify() override {
    launched_ = false;
    Verification result{true, 0, {}};
    for (const std::uint64_t steps : {chain_.nodes / 2 + 1, chain_.nodes, 3 * chain_.nodes + 1}) {
      enqueue(steps);
      const u64 found = read_chase(*memory_).at, expected = address(0, path_, steps);
      result.checked += steps;
      if (found == expected || !result.passed) continue;
      result.passed = false;
      result.reason = fmt::format("after {} loads the chain is at {}, expected {}", steps, found, expected);
    }
    return result;
  }

  std::optional<Resources> resources() const override { return kernel_->resources(1, 1, 0); }

  nlohmann::json facts() const override {
    nlohmann::json facts{{"nodes", chain_.nodes}, {"timed_loads", loads_}};
    if (!launched_) return facts;
    add_latency(facts, read_chase(*memory_), loads_);
    return facts;
  }

 private:
  bool evicts() const { return evicted_by_ != kNothing; }

  static std::uint64_t unit_of(const std::string& path) { return path == "texture" ? kTexelBytes : 1; }
  /// A path's address of the beginning of a memory region.
  u64 base_of(std::size_t region, const std::string& path) const {
    const bool by_offset = path == "texture" || path == "constant" || path == "shared";
    return (by_offset ? 0 : memory_->address()) + region / unit_of(path);
  }
  u64 address(std::size_t region, const std::string& path, std::uint64_t position) const {
    return chain_.address(position, base_of(region, path), unit_of(path));
  }
  void write(std::span<std::byte> image, std::size_t region, const std::string& path) const {
    chain_.write(image.subspan(region, bytes_), base_of(region, path), unit_of(path));
  }

  void lay_out() {
    std::vector<std::byte> image(evicts() ? 2 * bytes_ : bytes_);
    write(image, 0, path_);
    if (evicts()) write(image, bytes_, evicted_by_);
    memory_->contents = {};
    memory_->buffer().upload(image);
    if (path_ == "texture" || evicted_by_ == "texture")
      texture_ = cuda::LinearTexture(memory_->device(), cuda::Texel::u32x4, memory_->buffer());
    if (path_ == "constant" || evicted_by_ == "constant") {
      // Chains by other paths do not read the part that is cut off.
      image.resize(std::min<std::size_t>(image.size(), kConstantNodesBytes));
      kernel_->set_variable("load_path_constants", image);
    }
  }

  void enqueue(u64 loads) {
    CUdeviceptr state = memory_->scratch().address();
    LoadPathArguments chains{.first = address(0, path_, 0),
                             .other_first = evicts() ? address(bytes_, evicted_by_, 0) : 0,
                             .texture = texture_.object(),
                             .nodes = memory_->address(),
                             .node_count = chain_.nodes,
                             .stride_bytes = chain_.stride_bytes,
                             .warming = chain_.nodes,
                             .between = evicts() ? chain_.nodes : 0,
                             .loads = loads};
    const std::array<void*, 2> arguments{&state, &chains};
    kernel_->launch(1, 1, 0, arguments);
  }

  std::shared_ptr<CudaMemory> memory_;
  std::shared_ptr<cuda::Kernel> kernel_;
  cuda::LinearTexture texture_;
  std::string path_, evicted_by_;
  std::size_t bytes_;
  LoadChain chain_;
  std::uint64_t loads_ = 1;
  bool launched_ = false;
};

}  // namespace

std::vector<KernelSource> cuda_load_path_sources(const Point& point) {
  const std::string &path = point.word("path"), &evicted_by = point.word("evicted_by");
  const std::string& other = evicted_by == kNothing ? path : evicted_by;
  const std::string name = fmt::format("load_path_{}_{}", path, other);
  return {cuda_source(
      name, "load_path/load_path", fmt::format("{}(Chase* chase, LoadPathArguments chains)", name),
      fmt::format("LoadPathKernel<LoadPath::{}, LoadPath::{}>::run(chase, chains);", path, other))};
}

std::unique_ptr<Session> prepare_cuda_load_path(ProbeProblem& problem, const Point& point, Device& device) {
  Point memory = point;
  if (point.word("evicted_by") != kNothing)
    memory.set("footprint_bytes", 2 * point.integer("footprint_bytes"));
  return std::make_unique<LoadPathSession>(CudaMemory::of(problem, memory, device), point, problem.seed());
}

}  // namespace gpuseq::probes
