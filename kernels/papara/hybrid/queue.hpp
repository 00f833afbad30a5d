#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "kernels/papara/data/alignment_data.hpp"

namespace gpuseq::papara {

/// Cells per second; 0: not measured yet.
struct Speeds {
  double cpu_thread = 0;
  std::vector<double> gpus;
};

/// What is shared out, and how.
struct QueueShape {
  std::vector<u64> cells;  // of each query against all references
  u32 groups = 0;          // of references, for the CPU
  int cpu_threads = 0;
  u32 queries_per_item = 1;        // the most of a CPU item
  std::vector<u32> least_queries;  // of each GPU: fewer leave it partly idle
};

/// The queries of a problem, from which GPUs take many at a time from the front, against all references, and
/// CPU threads single groups of references from the back. What a worker takes follows from the measured
/// speeds and from what remains, so that all finish together ("guided self-scheduling", Polychronopoulos and
/// Kuck 1987).
class HybridQueue {
 public:
  struct CpuItem {
    Range queries;
    u32 group = 0;
  };

  HybridQueue(QueueShape shape, Speeds speeds);

  /// Waits while a GPU may still give back what it took. nullopt: everything is taken and done.
  std::optional<CpuItem> take_for_cpu();
  /// nullopt: nothing is left, or the CPU finishes what is left sooner.
  std::optional<Range> take_for_gpu(std::size_t gpu);

  void finished_by_cpu(u64 cells, double seconds);
  void finished_by_gpu(std::size_t gpu, Range queries, double seconds);
  /// The GPU failed: others do what it took, and it takes no more.
  void give_back(std::size_t gpu, Range queries);

  u64 cells(Range queries) const { return before_[queries.end] - before_[queries.begin]; }
  /// Queries that nobody took.
  u64 left() const;
  Speeds speeds() const;

 private:
  /// Speed of this launch; before its first piece, of an earlier one; before that, assumed.
  struct Measured {
    static Measured of(double earlier, double assumed) {
      return {.speed = earlier > 0 ? earlier : assumed, .measured = earlier > 0};
    }
    double cells = 0, seconds = 0;
    double speed = 0;
    bool measured = false;
    double value() const { return seconds > 0 ? cells / seconds : speed; }
    bool known() const { return measured || seconds > 0; }
    double held = 0;  // cells that are in work
    std::chrono::steady_clock::time_point since = {};
  };

  double cpu_speed() const { return cpu_.value() * shape_.cpu_threads; }
  double all_speed() const;
  u64 cells_left() const;
  double seconds_left() const;
  u32 least(std::size_t gpu) const { return std::max(shape_.least_queries[gpu], 1u); }
  double held_now(std::size_t gpu) const;
  double cells_for_gpu(std::size_t gpu, double load) const;
  void open_block();

  const QueueShape shape_;
  std::vector<u64> before_;  // cells of the queries before each
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Range> left_;
  CpuItem block_;         // queries that the CPU works on, and the next group
  std::size_t held_ = 0;  // pieces at GPUs
  Measured cpu_;
  std::vector<Measured> gpus_;
  std::vector<bool> failed_;
};

}  // namespace gpuseq::papara
