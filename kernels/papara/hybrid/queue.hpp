#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "kernels/papara/hybrid/area.hpp"

namespace gpuseq::papara {

/// Cells per second; 0: not measured yet.
struct Speeds {
  double cpu_thread = 0;
  std::vector<double> gpus;
};

/// Who takes from a queue, and how.
struct QueueShape {
  u32 group_references = 1;  // what a CPU item has; the grid's unit is a multiple of it
  int cpu_threads = 0;
  u32 queries_per_item = 1;  // the most of a CPU item
  /// Pairs of each GPU's load: fewer leave it partly idle; 0: it takes nothing.
  std::vector<u64> load_pairs;
  /// Cells of each GPU, which it takes at once; empty: pieces, as speeds say while it goes on.
  std::vector<double> planned_cells = {};
};

/// The pairs of a problem, from which GPUs take rectangles of queries and references from the front, and CPU
/// threads single groups of references from the back. What a worker takes is planned, or follows from the
/// measured speeds and from what remains, so that all finish together ("guided self-scheduling",
/// Polychronopoulos and Kuck 1987).
class HybridQueue {
 public:
  struct CpuItem {
    Range queries;
    u32 group = 0;
  };

  /// @param grid  must outlive the queue
  HybridQueue(const WorkGrid& grid, QueueShape shape, Speeds speeds);

  /// nullopt: nothing is left, though a GPU may still give back what it took.
  std::optional<CpuItem> take_for_cpu();
  /// nullopt: nothing is left, or the CPU finishes what is left sooner.
  std::optional<Rectangle> take_for_gpu(std::size_t gpu);

  void finished_by_cpu(u64 cells, double seconds);
  void finished_by_gpu(std::size_t gpu, const Rectangle& part, double seconds);
  /// The GPU failed: others do what it took, and it takes no more.
  void give_back(std::size_t gpu, const Rectangle& part);

  /// Others take what is left.
  void set_cpu_threads(int threads) { shape_.cpu_threads = threads; }
  /// Pairs that nobody took.
  u64 pairs_left() const;
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

  bool works(std::size_t gpu) const { return shape_.load_pairs[gpu] > 0; }
  double cpu_speed() const { return cpu_.value() * shape_.cpu_threads; }
  double all_speed() const;
  double seconds_left() const;
  double held_now(std::size_t gpu) const;
  double cells_for_gpu(std::size_t gpu) const;
  void plan();
  void open_block();

  const WorkGrid& grid_;
  QueueShape shape_;
  mutable std::mutex mutex_;
  Area area_;
  Rectangle block_ = {};  // what the CPU works on, less the groups that were taken
  std::vector<std::optional<Rectangle>> planned_;
  Measured cpu_;
  std::vector<Measured> gpus_;
};

}  // namespace gpuseq::papara
