#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

#include "probes/cpu/kernels.hpp"
#include "probes/cpu/memory.hpp"
#include "probes/cpu/probes.hpp"
#include "probes/cuda/access.cuh"
#include "runtime/system/threads.hpp"
#include "runtime/system/topology.hpp"

namespace gpuseq::probes {
namespace {

constexpr std::size_t kLineBytes = 64;
constexpr std::uint64_t kBytesPerLaunch = std::uint64_t{256} << 20;

enum class Operation { read, write, copy };

Operation operation_of(const std::string& word) {
  return word == "read" ? Operation::read : word == "write" ? Operation::write : Operation::copy;
}

/// Every thread processes its own piece of the footprint (of each half, when copying) in order.
class Sequential final : public Session {
 public:
  Sequential(std::shared_ptr<CpuMemory> memory, const Point& point)
      : memory_(std::move(memory)),
        threads_(static_cast<int>(point.integer("threads"))),
        operation_(operation_of(point.word("operation"))) {
    const auto footprint = static_cast<std::size_t>(point.integer("footprint_bytes"));
    bytes_ = operation_ == Operation::copy ? footprint / 2 / kLineBytes * kLineBytes : footprint;
    passes_ = std::max<std::uint64_t>(1, kBytesPerLaunch / footprint);
    non_temporal_ = operation_ != Operation::read && footprint > read_topology().last_level_bytes();
    memory_->hold_granules(operation_ == Operation::copy ? 2 * bytes_ : bytes_);
    if (operation_ != Operation::read) memory_->contents = {};  // the contents are overwritten
  }

  Cost cost() const override {
    const double moved = operation_ == Operation::copy ? 2.0 : 1.0;  // copying reads and writes
    return {.work = {moved * static_cast<double>(bytes_) * static_cast<double>(passes_), "bytes"}};
  }

  void launch() override { run(passes_); }

  Verification verify() override {
    run(1);
    if (operation_ == Operation::read)
      return compare_checksums(checksum_, expected_checksum(bytes_ / kGranuleBytes), bytes_ / kGranuleBytes);
    std::uint64_t wrong = 0;
    const std::byte* found = memory_->data() + (operation_ == Operation::copy ? bytes_ : 0);
    for (std::size_t i = 0; i < bytes_; i += kGranuleBytes) {
      Granule granule = granule_at(i / kGranuleBytes);
      if (operation_ == Operation::write) granule = {value_, value_, value_, value_};
      wrong += std::memcmp(found + i, &granule, sizeof granule) != 0;
    }
    Verification result{wrong == 0, bytes_ / kGranuleBytes, {}};
    if (wrong)
      result.reason = std::to_string(wrong) + " granules of 16 bytes differ from the values to write";
    return result;
  }

  nlohmann::json facts() const override {
    nlohmann::json facts{
        {"threads", threads_.size()}, {"passes", passes_}, {"instruction_set", vector_target()}};
    if (operation_ != Operation::read) facts["stores"] = non_temporal_ ? "non-temporal" : "regular";
    return facts;
  }

 private:
  void run(std::uint64_t passes) {
    ++value_;
    std::atomic<std::uint32_t> checksum{0};
    threads_.run([&](int thread) {
      const auto n = static_cast<std::size_t>(threads_.size()), t = static_cast<std::size_t>(thread);
      const std::size_t lines = bytes_ / kLineBytes;
      const std::size_t begin = lines * t / n * kLineBytes, bytes = lines * (t + 1) / n * kLineBytes - begin;
      std::byte* here = memory_->data() + begin;
      switch (operation_) {
        case Operation::read:
          checksum ^= read_in_order(here, bytes, passes);
          break;
        case Operation::write:
          write_in_order(here, bytes, passes, value_, non_temporal_);
          break;
        case Operation::copy:
          copy_in_order(here + bytes_, here, bytes, passes, non_temporal_);
          break;
      }
    });
    checksum_ = checksum;
  }

  std::shared_ptr<CpuMemory> memory_;
  ThreadPool threads_;
  Operation operation_;
  std::size_t bytes_ = 0;  // bytes that are read or written
  std::uint64_t passes_ = 1;
  bool non_temporal_ = false;
  std::uint32_t value_ = 0, checksum_ = 0;
};

}  // namespace

std::unique_ptr<Session> prepare_cpu_sequential(ProbeProblem& problem, const Point& point, Device& device) {
  return std::make_unique<Sequential>(CpuMemory::of(problem, point, device), point);
}

}  // namespace gpuseq::probes
