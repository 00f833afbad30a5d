#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "probes/cpu/chase.hpp"
#include "probes/cpu/kernels.hpp"
#include "probes/cpu/probes.hpp"
#include "probes/cuda/access.cuh"
#include "runtime/system/numa.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::probes {
namespace {

using Clock = std::chrono::steady_clock;

/// Thread 0 follows pointers while the load threads read or write their own memory in order, with a
/// pause after each piece.
class LoadedLatency final : public Session {
 public:
  /// @param memory  has the footprint and after it `load_bytes` for each load thread
  /// @param cpus  logical CPUs to which threads are bound, in order; empty: distinct cores
  LoadedLatency(std::shared_ptr<CpuMemory> memory, const Point& point, int threads, std::uint64_t seed,
                std::vector<int> cpus = {})
      : memory_(std::move(memory)),
        footprint_bytes_(static_cast<std::size_t>(point.integer("footprint_bytes"))),
        load_bytes_(static_cast<std::size_t>(point.integer("load_bytes"))),
        pause_(point.integer("pause_ns")),
        writes_(point.word("operation") == "write"),
        chase_(memory_, footprint_bytes_, static_cast<std::size_t>(point.integer("stride_bytes")), seed),
        cpus_(std::move(cpus)),
        threads_(threads, cpus_.empty()) {
    // Each load thread writes its own memory: unwritten pages all map to the same page, which caches hold.
    on_each([&](int thread) { thread == 0 ? chase_.follow(chase_.warming_accesses()) : fill(thread); });
  }

  Cost cost() const override { return {.work = {static_cast<double>(Chase::kAccesses), "accesses"}}; }

  void launch() override { follow_under_load(Chase::kAccesses); }

  Verification verify() override {
    Verification result = chase_.verify([this](std::uint64_t accesses) { follow_under_load(accesses); });
    if (!result.passed) return result;
    // Exclusive or of all words of the load threads' memory.
    std::vector<std::uint32_t> found(static_cast<std::size_t>(threads_.size()), 0);
    on_each([&](int thread) {
      if (thread == 0) return;
      if (writes_) fill(thread);
      found[static_cast<std::size_t>(thread)] = read_in_order(load_of(thread), load_bytes_, 1);
    });
    const std::uint64_t granules = load_bytes_ / kGranuleBytes;
    const std::uint32_t expected = expected_checksum(granules);
    for (std::size_t thread = 1; thread < found.size(); ++thread)
      if (Verification load = compare_checksums(found[thread], expected, granules); !load.passed) return load;
    return result;
  }

  nlohmann::json facts() const override {
    return {{"latency_ns", latency_ns_},
            {"load_bytes_per_s", load_bytes_per_s_},
            {"threads", threads_.size()},
            {"nodes", chase_.nodes()}};
  }

 private:
  /// Calls `work(thread)` on every thread, on its CPU.
  void on_each(const std::function<void(int thread)>& work) {
    if (cpus_.empty()) return threads_.run(work);
    threads_.run([&](int thread) {
      const StayOn here(cpus_[static_cast<std::size_t>(thread) % cpus_.size()]);
      work(thread);
    });
  }

  std::byte* load_of(int thread) {
    return memory_->data() + footprint_bytes_ + static_cast<std::size_t>(thread - 1) * load_bytes_;
  }

  void fill(int thread) { fill_granules(load_of(thread), 0, load_bytes_ / kGranuleBytes); }

  /// Streams pieces in order, repeatedly, until the chase ends. @returns the bytes
  std::uint64_t stream(int thread) {
    std::byte* const load = load_of(thread);
    std::uint64_t bytes = 0;
    std::size_t at = 0;
    while (!over_.load(std::memory_order_relaxed)) {
      if (writes_)
        write_in_order(load + at, kPieceBytes, 1, static_cast<std::uint32_t>(bytes), false);
      else
        unused_.fetch_xor(read_in_order(load + at, kPieceBytes, 1), std::memory_order_relaxed);
      bytes += kPieceBytes;
      at = at + kPieceBytes < load_bytes_ ? at + kPieceBytes : 0;
      if (pause_.count() > 0)
        for (const auto end = Clock::now() + pause_;
             Clock::now() < end && !over_.load(std::memory_order_relaxed);) {
        }
    }
    return bytes;
  }

  void follow_under_load(std::uint64_t accesses) {
    const int loaders = threads_.size() - 1;
    std::atomic<int> streaming{0};
    std::atomic<std::uint64_t> bytes{0};
    over_ = false;
    double seconds = 0;
    on_each([&](int thread) {
      if (thread > 0) {
        ++streaming;
        bytes += stream(thread);
        return;
      }
      while (streaming.load() < loaders) std::this_thread::yield();
      const auto begin = Clock::now();
      chase_.follow(accesses);
      seconds = std::chrono::duration<double>(Clock::now() - begin).count();
      over_ = true;
    });
    latency_ns_ = 1e9 * seconds / static_cast<double>(accesses);
    load_bytes_per_s_ = seconds > 0 ? static_cast<double>(bytes) / seconds : 0;
  }

  std::shared_ptr<CpuMemory> memory_;
  std::size_t footprint_bytes_, load_bytes_;
  std::chrono::nanoseconds pause_;
  bool writes_;
  Chase chase_;
  std::vector<int> cpus_;
  ThreadPool threads_;
  std::atomic<bool> over_{false};
  std::atomic<std::uint32_t> unused_{0};
  double latency_ns_ = 0, load_bytes_per_s_ = 0;
};

/// The point with memory for the load threads added.
Point with_load(const Point& point, int threads) {
  Point all = point;
  all.set("footprint_bytes", point.integer("footprint_bytes") + (threads - 1) * point.integer("load_bytes"));
  return all;
}

}  // namespace

std::unique_ptr<Session> prepare_cpu_loaded_latency(ProbeProblem& problem, const Point& point,
                                                    Device& device) {
  const std::int64_t asked = point.integer("threads");
  const int threads = asked == 0 ? available_cpus() : static_cast<int>(asked);
  return std::make_unique<LoadedLatency>(CpuMemory::of(problem, with_load(point, threads), device), point,
                                         threads, problem.seed());
}

std::unique_ptr<Session> prepare_cpu_numa_latency(ProbeProblem& problem, const Point& point, Device& device) {
  return prepare_numa_latency_on(read_topology(), problem, point, device);
}

std::unique_ptr<Session> prepare_numa_latency_on(const Topology& topology, ProbeProblem& problem,
                                                 const Point& point, Device& device) {
  std::vector<int> cpus = cpus_of_node(topology, static_cast<int>(point.integer("node")));
  cpus_of_node(topology, static_cast<int>(point.integer("memory_node")));  // throws if there is no such node
  const std::int64_t asked = point.integer("threads");
  const int threads = static_cast<int>(asked == 0 ? static_cast<std::int64_t>(cpus.size()) : asked);
  return std::make_unique<LoadedLatency>(CpuMemory::of(problem, with_load(point, threads), device), point,
                                         threads, problem.seed(), std::move(cpus));
}

}  // namespace gpuseq::probes
