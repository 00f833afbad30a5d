#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace gpuseq {

/// Threads pinned to distinct cores (a second thread per core only after every core has one), created once
/// and woken per call, so that run() is cheap enough to be timed. The calling thread is thread 0 and is
/// pinned only during run(). Use from one thread at a time; run() does not nest within the same pool.
class ThreadPool {
 public:
  /// @param threads 0: available_cpus(); if there are more threads than usable logical CPUs, they share them
  /// @throws UsageError if negative or more than 4096; ResourceError if a thread cannot be created
  explicit ThreadPool(int threads = 0, bool pin = true);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const { return static_cast<int>(workers_.size()) + 1; }
  /// Logical CPU of each thread; empty when not pinned.
  const std::vector<int>& cpus() const { return cpus_; }

  /// Calls `work(thread)` once on every thread and returns when all are done. Rethrows the first exception.
  void run(const std::function<void(int thread)>& work);

  /// Calls `work(begin, end)` on pieces of [0, n) of at most `grain` items; idle threads take the next piece.
  void parallel_for(std::size_t n, std::size_t grain,
                    const std::function<void(std::size_t begin, std::size_t end)>& work);

 private:
  void serve(int thread, int pinned_to);
  void call(int thread) noexcept;
  void stop() noexcept;

  std::vector<int> cpus_;
  std::vector<std::thread> workers_;
  const std::function<void(int)>* work_ = nullptr;
  std::atomic<unsigned> generation_{0};  // counts calls; workers wait for a change
  std::atomic<int> unfinished_{0};       // workers that have not finished the current call
  std::atomic<bool> stopping_{false};
  std::mutex error_mutex_;
  std::exception_ptr error_;
};

/// Items per piece for n items: few enough that threads, which take eight pieces on average, finish
/// together, but at least `least`, which take longer than waking a thread, and at most `most`; one
/// piece for one thread.
std::size_t piece_size(std::size_t n, int threads, std::size_t least, std::size_t most = SIZE_MAX);

/// During its lifetime, the thread that created it stays where a pool's run() has pinned it: pinning and
/// undoing it takes three system calls, which are visible in a launch of some microseconds. Threads or
/// processes that it creates meanwhile stay there too.
class KeepPinned {
 public:
  KeepPinned();
  ~KeepPinned();
  KeepPinned(const KeepPinned&) = delete;
  KeepPinned& operator=(const KeepPinned&) = delete;
};

/// Logical CPUs that this process may use, in the order in which threads take them: a core's second one after
/// every core's first. Read once. Defined in topology.cpp, and for exported libraries, without hwloc, in
/// kernels/common/library.
const std::vector<int>& usable_cpus();

/// Number of threads that can run concurrently: as many as usable CPUs, or a control group's CPU quota
/// rounded up. Read once.
int available_cpus();

}  // namespace gpuseq
