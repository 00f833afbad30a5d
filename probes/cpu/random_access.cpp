#include <algorithm>
#include <atomic>

#include "probes/cpu/kernels.hpp"
#include "probes/cpu/memory.hpp"
#include "probes/cpu/probes.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::probes {
namespace {

// Per thread and launch: a few milliseconds in the caches, tens of milliseconds in memory.
constexpr std::uint64_t kBytesPerThread = std::uint64_t{128} << 20;
constexpr std::uint64_t kMostAccesses = std::uint64_t{1} << 20;
constexpr std::uint64_t kCheckedAccesses = 1000;  // per stream

class RandomAccess final : public Session {
 public:
  RandomAccess(std::shared_ptr<CpuMemory> memory, const Point& point, std::uint64_t seed)
      : memory_(std::move(memory)), threads_(static_cast<int>(point.integer("threads"))), seed_(seed) {
    const auto footprint = static_cast<std::uint64_t>(point.integer("footprint_bytes"));
    accesses_.block_bytes = static_cast<std::uint64_t>(point.integer("block_bytes"));
    accesses_.blocks = footprint / accesses_.block_bytes;
    accesses_.dependent = point.word("access") == "dependent";
    const std::string& prefetch = point.word("prefetch");
    prefetch_ = prefetch == "software"      ? Prefetch::to_l1
                : prefetch == "software_l2" ? Prefetch::to_l2
                                            : Prefetch::none;
    streams_ = static_cast<std::size_t>(point.integer("in_flight"));
    accesses_.generators = streams_ * static_cast<std::uint64_t>(threads_.size());
    const std::uint64_t per_thread = std::min(kMostAccesses, kBytesPerThread / accesses_.block_bytes);
    accesses_.accesses_per_generator = std::max<std::uint64_t>(1, per_thread / streams_);
    memory_->hold_granules(footprint);
  }

  Cost cost() const override {
    return {.work = {blocks_per_launch() * static_cast<double>(accesses_.block_bytes), "bytes"},
            .traffic = Traffic{.blocks = blocks_per_launch(),
                               .block_bytes = accesses_.block_bytes,
                               .footprint_bytes = accesses_.blocks * accesses_.block_bytes,
                               .access = accesses_.dependent ? "dependent" : "independent"}};
  }

  void launch() override { run(accesses_, launch_seed(seed_, launches_++)); }

  Verification verify() override {
    RandomAccesses few = accesses_;
    few.accesses_per_generator = std::min(few.accesses_per_generator, kCheckedAccesses);
    few.seed = launch_seed(seed_, launches_++);
    run(few, few.seed);
    return compare_checksums(checksum_, expected_checksum(few), few.generators * few.accesses_per_generator);
  }

  nlohmann::json facts() const override {
    nlohmann::json facts{{"threads", threads_.size()}, {"instruction_set", vector_target()}};
    // A core executes independent accesses ahead: then more are in flight than there are streams.
    if (accesses_.dependent) facts["accesses_in_flight"] = accesses_.generators;
    return facts;
  }

 private:
  double blocks_per_launch() const {
    return static_cast<double>(accesses_.generators) * static_cast<double>(accesses_.accesses_per_generator);
  }

  void run(const RandomAccesses& accesses, std::uint64_t seed) {
    std::atomic<std::uint32_t> checksum{0};
    threads_.run([&](int thread) {
      checksum ^= read_at_random({.memory = memory_->data(),
                                  .blocks = accesses.blocks,
                                  .block_bytes = accesses.block_bytes,
                                  .generators = streams_,
                                  .accesses_per_generator = accesses.accesses_per_generator,
                                  .first_generator = streams_ * static_cast<std::uint64_t>(thread),
                                  .seed = seed,
                                  .dependent = accesses.dependent,
                                  .prefetch = prefetch_});
    });
    checksum_ = checksum;
  }

  std::shared_ptr<CpuMemory> memory_;
  ThreadPool threads_;
  std::uint64_t seed_;
  RandomAccesses accesses_;
  std::size_t streams_ = 1;
  Prefetch prefetch_ = Prefetch::none;
  std::uint64_t launches_ = 0;
  std::uint32_t checksum_ = 0;
};

}  // namespace

std::unique_ptr<Session> prepare_cpu_random_access(ProbeProblem& problem, const Point& point,
                                                   Device& device) {
  return std::make_unique<RandomAccess>(CpuMemory::of(problem, point, device), point, problem.seed());
}

}  // namespace gpuseq::probes
