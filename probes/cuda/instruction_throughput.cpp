#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "probes/cuda/memory.hpp"
#include "probes/cuda/probes.hpp"
#include "probes/instruction_operations.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::probes {
namespace {

// 1 ms at 64 lanes per clock and 2 GHz, to hide the 5 microseconds of a launch. Products take longer in
// proportion to their sums.
constexpr std::uint64_t kOperationsPerMultiprocessor = 150'000'000;
constexpr u32 kCheckedRounds = 2, kCheckedThreads = 32;
static_assert(kCheckedThreads * sizeof(u32) <= CudaMemory::kScratchBytes);

class InstructionThroughput final : public Session {
 public:
  InstructionThroughput(std::shared_ptr<CudaMemory> memory, const Point& point)
      : memory_(std::move(memory)),
        kernel_(memory_->kernel(cuda_instruction_throughput_sources(point).front())),
        shape_(launch_shape(point, memory_->device(), *kernel_)),
        name_(point.word("operation")),
        loop_(name_) {
    const auto wanted = kOperationsPerMultiprocessor / loop_.first->words *
                        static_cast<std::uint64_t>(memory_->device().multiprocessors());
    rounds_ = static_cast<u32>(std::max<std::uint64_t>(1, wanted / operations_per_round()));
  }

  Cost cost() const override {
    return {.work = {static_cast<double>(operations_per_round()) * rounds_, "operations"}};
  }

  void launch() override { enqueue(rounds_, 0); }

  Verification verify() override {
    clear_checksum(*memory_);
    enqueue(kCheckedRounds, kCheckedThreads);
    memory_->device().synchronize();
    std::array<u32, kCheckedThreads> found{};
    memory_->scratch().download(std::as_writable_bytes(std::span(found)));
    const std::vector<u32> expected = loop_.expected_results(kCheckedRounds);
    for (u32 lane = 0; lane < kCheckedThreads; ++lane)
      if (found[lane] != expected[lane])
        return {false, lane,
                fmt::format("lane {} ended with {:08x}, expected {:08x}", lane, found[lane], expected[lane])};
    return {true, u64{kCheckedRounds} * loop_.steps * loop_.chains * kCheckedThreads, {}};
  }

  std::optional<Resources> resources() const override {
    return kernel_->resources(shape_.blocks, shape_.threads_per_block, 0);
  }

  nlohmann::json facts() const override {
    nlohmann::json facts{{"chains", loop_.chains},
                         {"multiprocessors", memory_->device().multiprocessors()},
                         {"pipe", pipes_of(DeviceKind::cuda, name_)}};
    // Matrix products: multiply-adds of a lane in one product.
    if (const u32 products = loop_.first->products * loop_.first->words; products > 0)
      facts["multiply_adds"] = products;
    if (const auto clock = memory_->device().max_clock_mhz(); clock.value)
      facts["max_clock_mhz"] = *clock.value;
    return facts;
  }

 private:
  std::uint64_t operations_per_round() const { return shape_.threads() * loop_.chains * loop_.steps; }

  void enqueue(u32 rounds, u32 stores) {
    CUdeviceptr result = memory_->scratch().address();
    const std::array<void*, 3> arguments{&rounds, &stores, &result};
    kernel_->launch(shape_.blocks, shape_.threads_per_block, 0, arguments);
  }

  std::shared_ptr<CudaMemory> memory_;
  std::shared_ptr<cuda::Kernel> kernel_;
  LaunchShape shape_;
  std::string name_;
  CudaLoop loop_;
  u32 rounds_ = 1;
};

std::string operand_text(Operands kind) {
  return fmt::format("static_cast<Operands>({})", static_cast<int>(kind));
}

std::string function_text(const CudaOperation& operation) {
  return fmt::format("[](u32 x, u32 y, u32 z) -> u32 {{ return {}; }}", operation.code);
}

std::string body_of_words(const CudaLoop& loop) {
  return fmt::format("InstructionKernel<{}, {}, {}, {}>::run({}, {}, rounds, stores, result);",
                     operand_text(loop.first->operands), operand_text(loop.second->operands), loop.chains,
                     loop.steps, function_text(*loop.first), function_text(*loop.second));
}

/// Traps if compiled for an architecture without this product.
std::string body_of_products(const CudaOperation& operation, const CudaLoop& loop) {
  const bool of_four = operation.of == CudaOperation::Of::four_warps;
  return fmt::format(
      "ProductKernel<{}, {}, {}, {}, {}>::run([](u32 (&x)[{}], u64 z) {{\n"
      "#if {}\n{};\n#else\n__trap();\n#endif\n}}, rounds, stores, result);",
      operand_text(operation.operands), operation.words, loop.chains, loop.steps / operation.at_once, of_four,
      operation.words, of_four ? "defined(__CUDA_ARCH_FEAT_SM90_ALL)" : "__CUDA_ARCH__ >= 800",
      operation.code);
}

}  // namespace

std::vector<KernelSource> cuda_instruction_throughput_sources(const Point& point) {
  const CudaLoop loop(point.word("operation"));
  const CudaOperation& operation = *loop.first;
  std::string name = "instruction_throughput_" + point.word("operation");
  if (const std::size_t plus = name.find('+'); plus != name.npos) name.replace(plus, 1, "_and_");
  std::string bounds = std::to_string(point.integer("threads_per_block"));
  const bool products = operation.of != CudaOperation::Of::thread;
  // Operations of several instructions, such as products on some architectures, need more registers than this
  // number of resident blocks allows.
  if (loop.single_instructions() && !products)
    bounds += ", " + std::to_string(point.integer("blocks_per_sm"));
  KernelSource source =
      cuda_source(name, products ? "matrix_products" : "instruction_throughput",
                  fmt::format("__launch_bounds__({}) {}(u32 rounds, u32 stores, u32* result)", bounds, name),
                  products ? body_of_products(operation, loop) : body_of_words(loop));
  source.least_architecture = std::max(loop.first->least_architecture, loop.second->least_architecture);
  source.own_architecture = operation.own_architecture;
  return {source};
}

std::unique_ptr<Session> prepare_cuda_instruction_throughput(ProbeProblem& problem, const Point& point,
                                                             Device& device) {
  return std::make_unique<InstructionThroughput>(CudaMemory::of(problem, point, device), point);
}

}  // namespace gpuseq::probes
