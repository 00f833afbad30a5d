#include "probes/l2_sides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "probes/cuda/access.cuh"
#include "probes/cuda/load_path/l2_sides_arguments.cuh"
#include "probes/cuda/memory.hpp"
#include "probes/cuda/probes.hpp"
#include "probes/cuda/sm_groups.hpp"

namespace gpuseq::probes {
namespace {

constexpr u32 kNotSeen = ~u32{0};

class L2SidesSession final : public Session {
 public:
  L2SidesSession(std::shared_ptr<CudaMemory> memory, const Point& point, std::uint64_t seed)
      : memory_(std::move(memory)),
        kernel_(memory_->kernel(cuda_l2_sides_sources(point).front())),
        // More than half of a multiprocessor's shared memory, so that a second block does not fit.
        shared_bytes_(static_cast<unsigned>(
            memory_->device().attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN))),
        clocks_(memory_->device(),
                cuda::kMostMultiprocessors * static_cast<std::size_t>(point.integer("lines")) * sizeof(u32)) {
    const auto bytes = static_cast<std::size_t>(point.integer("memory_bytes"));
    at_ = {.memory = memory_->address(),
           .places = bytes / kL2LineBytes,
           .seed = seed,
           .lines = static_cast<u32>(point.integer("lines")),
           .rounds = kRounds,
           .nothing = 0};
    kernel_->allow_shared_bytes(shared_bytes_);
    std::vector<u64> image(bytes / sizeof(u64), 0);
    for (u64 place = 0; place < at_.places; ++place)
      image[place * kL2LineBytes / sizeof(u64)] = at_.memory + place * kL2LineBytes;
    memory_->contents = {};
    memory_->buffer().upload(image);
    begin_anew();
  }

  Cost cost() const override {
    return {
        .work = {static_cast<double>(blocks()) * at_.lines * (1.0 + kRounds * kL2SidesLoads), "accesses"}};
  }
  void launch() override { enqueue(); }

  /// Each chase must end at its first line, which holds its own address.
  Verification verify() override {
    begin_anew();
    enqueue();
    memory_->device().synchronize();
    const L2SidesState state = read_state();
    const std::size_t seen = rows().first.size();
    Verification result{state.wrong == 0 && seen > 0, seen * at_.lines * kRounds, {}};
    if (!result.passed)
      result.reason =
          fmt::format("{} chases of one line ended at another; {} multiprocessors looked", state.wrong, seen);
    return result;
  }

  std::optional<Resources> resources() const override {
    return kernel_->resources(blocks(), 1, shared_bytes_);
  }

  nlohmann::json facts() const override {
    const auto [numbers, clocks] = rows();
    const L2SidesState state = read_state();
    nlohmann::json facts{{"multiprocessors", numbers.size()}, {"lines", at_.lines}};
    if (numbers.empty() || state.clocks == 0) return facts;
    const CacheSides sides = cache_sides(clocks, numbers.size());
    facts["quantiles_clocks"] = sides.quantiles;
    facts["ns_per_clock"] = static_cast<double>(state.ns) / static_cast<double>(state.clocks);
    facts["on_side"] = sides.on_side;
    facts["reason"] = sides.reason;
    if (!sides.near) return facts;
    facts["near_clocks"] = *sides.near;
    facts["far_clocks"] = *sides.far;
    facts["near_share"] = *sides.near_share;
    facts["groups"] = nlohmann::json::array();
    for (const std::vector<std::size_t>& group : sides.groups) {
      nlohmann::json members = nlohmann::json::array();
      for (const std::size_t row : group) members.push_back(numbers[row]);
      facts["groups"].push_back(std::move(members));
    }
    return facts;
  }

 private:
  /// The least of several rounds counts, as other work on the device makes rounds longer.
  static constexpr u32 kRounds = 4;

  unsigned blocks() const { return static_cast<unsigned>(memory_->device().multiprocessors()); }

  void begin_anew() {
    const L2SidesState state{};
    memory_->scratch().upload(std::as_bytes(std::span(&state, 1)));
    clocks_.fill(0xff);
  }

  L2SidesState read_state() const {
    L2SidesState state{};
    memory_->scratch().download(std::as_writable_bytes(std::span(&state, 1)));
    return state;
  }

  /// Numbers of the multiprocessors that measured, and clocks per access by these and the lines.
  std::pair<std::vector<std::size_t>, std::vector<double>> rows() const {
    std::vector<u32> all(clocks_.size() / sizeof(u32));
    clocks_.download(std::as_writable_bytes(std::span(all)));
    std::pair<std::vector<std::size_t>, std::vector<double>> seen;
    for (std::size_t number = 0; number < cuda::kMostMultiprocessors; ++number) {
      const auto row = std::span(all).subspan(number * at_.lines, at_.lines);
      if (std::ranges::find(row, kNotSeen) != row.end()) continue;
      seen.first.push_back(number);
      for (const u32 clocks : row) seen.second.push_back(static_cast<double>(clocks) / kL2SidesLoads);
    }
    return seen;
  }

  void enqueue() {
    CUdeviceptr state = memory_->scratch().address(), clocks = clocks_.address();
    const std::array<void*, 3> arguments{&state, &clocks, &at_};
    kernel_->launch(blocks(), 1, shared_bytes_, arguments);
  }

  std::shared_ptr<CudaMemory> memory_;
  std::shared_ptr<cuda::Kernel> kernel_;
  unsigned shared_bytes_;
  cuda::DeviceBuffer clocks_;  // by multiprocessor number and line
  L2SidesArguments at_{};
};

}  // namespace

std::vector<KernelSource> cuda_l2_sides_sources(const Point& point) {
  const std::string& operation = point.word("operation");
  const std::string name = fmt::format("l2_sides_{}", operation);
  return {cuda_source(name, "load_path/l2_sides",
                      fmt::format("{}(L2SidesState* state, u32* clocks, L2SidesArguments lines)", name),
                      fmt::format("look_at_lines<L2Access::{}>(state, clocks, lines);", operation))};
}

std::unique_ptr<Session> prepare_cuda_l2_sides(ProbeProblem& problem, const Point& point, Device& device) {
  Point memory;
  memory.set("footprint_bytes", point.integer("memory_bytes"));
  return std::make_unique<L2SidesSession>(CudaMemory::of(problem, memory, device), point, problem.seed());
}

}  // namespace gpuseq::probes
