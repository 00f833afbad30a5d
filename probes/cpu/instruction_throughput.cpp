#include <algorithm>
#include <atomic>
#include <cstring>

#include "probes/cpu/instruction_kernels.hpp"
#include "probes/cpu/probes.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::probes {
namespace {

constexpr std::uint64_t kInstructionsPerLaunch = 30'000'000;  // per thread: some milliseconds
constexpr std::uint64_t kCheckedRounds = 3;

struct alignas(kLoopAlignment) LoopMemory {
  std::byte bytes[kLoopBytes];
};

/// Lanes that overflow every width when added up, indexes for a shuffle in the low half of each byte, and
/// floating point numbers below 1 that are not subnormal, which are slow on some CPUs.
void fill(LoopMemory& memory) {
  for (std::size_t i = 0; i < kLoopBytes; ++i)
    memory.bytes[i] = static_cast<std::byte>(0x30 + (i * 37 + i / 64 * 11 + 5) % 16);
}

/// Every thread executes the loop in its own registers and memory.
class InstructionThroughput final : public Session {
 public:
  explicit InstructionThroughput(const Point& point)
      : loop_(cpu_loop(point.word("target"), point.word("operation"))),
        threads_(static_cast<int>(point.integer("threads"))) {}

  Cost cost() const override {
    return {.work = {static_cast<double>(threads_.size()) * kRounds * kInstructionsPerRound, "operations"}};
  }

  /// Threads take pieces as they finish, so that a thread delayed by the system does not delay the others.
  void launch() override {
    sums_.resize(static_cast<std::size_t>(threads_.size()));
    std::atomic<std::uint64_t> taken{0};
    const std::uint64_t pieces = kPiecesPerThread * static_cast<std::uint64_t>(threads_.size());
    threads_.run([&](int thread) {
      LoopMemory memory;
      fill(memory);
      while (taken.fetch_add(1, std::memory_order_relaxed) < pieces)
        sums_[static_cast<std::size_t>(thread)] = loop_.run(memory.bytes, kRounds / kPiecesPerThread);
    });
  }

  Verification verify() override {
    LoopMemory memory;
    fill(memory);
    const std::uint64_t expected = loop_.expected(memory.bytes, kCheckedRounds);
    run(kCheckedRounds);
    Verification result{wrong_sums(expected) == 0,
                        kCheckedRounds * kInstructionsPerRound * static_cast<std::uint64_t>(threads_.size()),
                        {}};
    if (!result.passed)
      result.reason = std::to_string(wrong_sums(expected)) + " threads ended with other lanes than expected";
    return result;
  }

  nlohmann::json facts() const override {
    return {{"threads", threads_.size()}, {"pipe", pipes_of(DeviceKind::cpu, loop_.operation.name)}};
  }

 private:
  static constexpr std::uint64_t kPiecesPerThread = 64;
  static constexpr std::uint64_t kRounds =
      kInstructionsPerLaunch / kInstructionsPerRound / kPiecesPerThread * kPiecesPerThread;

  std::uint64_t wrong_sums(std::uint64_t expected) const {
    return static_cast<std::uint64_t>(sums_.size()) -
           static_cast<std::uint64_t>(std::count(sums_.begin(), sums_.end(), expected));
  }

  void run(std::uint64_t rounds) {
    sums_.assign(static_cast<std::size_t>(threads_.size()), 0);
    threads_.run([&](int thread) {
      LoopMemory memory;
      fill(memory);
      sums_[static_cast<std::size_t>(thread)] = loop_.run(memory.bytes, rounds);
    });
  }

  CpuLoop loop_;
  ThreadPool threads_;
  std::vector<std::uint64_t> sums_;  // for each thread, of the last run
};

}  // namespace

std::unique_ptr<Session> prepare_cpu_instruction_throughput(ProbeProblem&, const Point& point, Device&) {
  return std::make_unique<InstructionThroughput>(point);
}

}  // namespace gpuseq::probes
