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

/// The workers of a queue and their piece sizes.
struct QueueShape {
  u32 group_references = 1;  // references per CPU item; the grid's unit is a multiple of it
  int cpu_threads = 0;
  u32 queries_per_item = 1;  // most queries per CPU item
  /// For each GPU: pairs of a load; fewer leave it partly idle; 0: the GPU takes nothing.
  std::vector<u64> load_pairs;
  /// Cells of each GPU, taken in one piece; empty: pieces sized by speed during the launch.
  std::vector<double> planned_cells = {};
};

/// The pairs of a problem. GPUs take rectangles of queries and references from the front, CPU threads
/// take single groups of references from the back. Piece sizes are planned, or follow from the measured
/// speeds and the remaining work, so that all workers finish together ("guided self-scheduling",
/// Polychronopoulos and Kuck 1987).
class HybridQueue {
 public:
  struct CpuItem {
    Range queries;
    u32 group = 0;
  };

  /// @param grid  must outlive the queue
  HybridQueue(const WorkGrid& grid, QueueShape shape, Speeds speeds);

  /// nullopt: no work is left, though a GPU may still return its piece.
  std::optional<CpuItem> take_for_cpu();
  /// nullopt: no work is left, or the CPU finishes the rest sooner.
  std::optional<Rectangle> take_for_gpu(std::size_t gpu);

  void finished_by_cpu(u64 cells, double seconds);
  void finished_by_gpu(std::size_t gpu, const Rectangle& part, double seconds);
  /// The GPU failed: other workers compute its piece, and it takes no more.
  void give_back(std::size_t gpu, const Rectangle& part);

  /// Sets the threads that take the remaining work.
  void set_cpu_threads(int threads) { shape_.cpu_threads = threads; }
  /// Pairs that are not taken yet.
  u64 pairs_left() const;
  Speeds speeds() const;

 private:
  /// Speed in this launch; before the first piece, that of an earlier launch; before that, an assumed speed.
  struct Measured {
    static Measured of(double earlier, double assumed) {
      return {.speed = earlier > 0 ? earlier : assumed, .measured = earlier > 0};
    }
    double cells = 0, seconds = 0;
    double speed = 0;
    bool measured = false;
    double value() const { return seconds > 0 ? cells / seconds : speed; }
    bool known() const { return measured || seconds > 0; }
    double held = 0;  // cells in progress
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
  Rectangle block_ = {};  // the block that the CPU works on, without the groups that are taken
  std::vector<std::optional<Rectangle>> planned_;
  Measured cpu_;
  std::vector<Measured> gpus_;
};

}  // namespace gpuseq::papara
