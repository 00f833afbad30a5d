#include "runtime/system/threads.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "runtime/contract/errors.hpp"
#include "runtime/system/pool_watch.hpp"
#include "runtime/system/proc_files.hpp"

namespace gpuseq {

namespace {

// About 20 to 50 microseconds: longer than the gap between the launches of a sampler, much shorter than a
// scheduler's time slice.
constexpr int kSpins = 2000;

constexpr int kMostThreads = 4096;

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Spins for a while, then sleeps, until `value` differs from `old`.
template <typename T>
void wait_while_equal(const std::atomic<T>& value, T old) {
  for (int i = 0; i < kSpins; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    relax();
  }
  value.wait(old, std::memory_order_acquire);
}

// Best effort: a sandbox may forbid pinning, and the result is the same without it.
void pin_this_thread(int cpu) {
  if (cpu < 0 || cpu >= CPU_SETSIZE) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(cpu), &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

/// The calling thread's affinity, before and after a pool pins it.
class Affinity {
 public:
  /// @returns whether restore() can undo it
  bool pin(int cpu) {
    if (pinned_to_ == cpu) return true;
    if (pinned_to_ < 0 && pthread_getaffinity_np(pthread_self(), sizeof before_, &before_) != 0) return false;
    pin_this_thread(cpu);
    pinned_to_ = cpu;
    return true;
  }
  void restore() {
    if (pinned_to_ >= 0) pthread_setaffinity_np(pthread_self(), sizeof before_, &before_);
    pinned_to_ = -1;
  }

  /// -1: not pinned.
  int pinned_to() const { return pinned_to_; }

  int keepers = 0;  // number of living KeepPinned objects

 private:
  cpu_set_t before_{};
  int pinned_to_ = -1;
};

thread_local Affinity affinity;

thread_local PoolWatch* innermost_watch = nullptr;

/// Pins the calling thread and undoes it, so that threads that it creates later may use every core.
class ScopedPin {
 public:
  explicit ScopedPin(int cpu) : before_(affinity.pinned_to()), active_(cpu >= 0 && affinity.pin(cpu)) {}
  ~ScopedPin() {
    if (!active_) return;
    if (before_ >= 0)
      affinity.pin(before_);  // pinned by another pool that runs this pool's work
    else if (affinity.keepers == 0)
      affinity.restore();
  }
  ScopedPin(const ScopedPin&) = delete;
  ScopedPin& operator=(const ScopedPin&) = delete;

 private:
  int before_;
  bool active_;
};

}  // namespace

std::size_t piece_size(std::size_t n, int threads, std::size_t least, std::size_t most) {
  constexpr std::size_t kPiecesPerThread = 8;
  if (threads <= 1) return std::max<std::size_t>(n, 1);
  return std::clamp(n / (kPiecesPerThread * static_cast<std::size_t>(threads)), least, most);
}

KeepPinned::KeepPinned() {
  ++affinity.keepers;
}

KeepPinned::~KeepPinned() {
  if (--affinity.keepers == 0) affinity.restore();
}

PoolWatch::PoolWatch() : outer_(std::exchange(innermost_watch, this)) {}

PoolWatch::~PoolWatch() {
  innermost_watch = outer_;
}

ThreadPool::ThreadPool(int threads, bool pin) {
  if (threads < 0 || threads > kMostThreads)
    throw UsageError(fmt::format("threads: found {}, allowed: 0 (all) to {}", threads, kMostThreads));
  const std::vector<int>& available = usable_cpus();
  if (threads == 0) threads = available_cpus();
  for (int i = 0; pin && i < threads; ++i)
    cpus_.push_back(available[static_cast<std::size_t>(i) % available.size()]);
  try {
    for (int i = 1; i < threads; ++i)
      workers_.emplace_back(
          [this, i, cpu = pin ? cpus_[static_cast<std::size_t>(i)] : -1] { serve(i, cpu); });
  } catch (const std::system_error& error) {
    stop();
    throw ResourceError(fmt::format("cannot start {} threads: {}", threads, error.what()));
  }
}

ThreadPool::~ThreadPool() {
  if (innermost_watch != nullptr && innermost_watch->pool_ == this) innermost_watch->pool_ = nullptr;
  stop();
}

void ThreadPool::stop() noexcept {
  stopping_ = true;
  generation_.fetch_add(1, std::memory_order_release);
  generation_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::call(int thread) noexcept {
  try {
    (*work_)(thread);
  } catch (...) {
    const std::lock_guard lock(error_mutex_);
    if (!error_) error_ = std::current_exception();
  }
}

void ThreadPool::serve(int thread, int pinned_to) {
  pin_this_thread(pinned_to);
  for (unsigned seen = 0;; ++seen) {
    wait_while_equal(generation_, seen);
    if (stopping_) return;
    call(thread);
    if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1) unfinished_.notify_one();
  }
}

void ThreadPool::run(const std::function<void(int)>& work) {
  if (PoolWatch* watch = innermost_watch; watch && (!watch->pool_ || watch->pool_->size() <= size()))
    watch->pool_ = this;
  const ScopedPin pin(cpus_.empty() ? -1 : cpus_.front());
  work_ = &work;
  error_ = nullptr;
  unfinished_.store(static_cast<int>(workers_.size()), std::memory_order_relaxed);
  generation_.fetch_add(1, std::memory_order_release);
  generation_.notify_all();
  call(0);
  for (int left = unfinished_.load(std::memory_order_acquire); left > 0;
       left = unfinished_.load(std::memory_order_acquire))
    wait_while_equal(unfinished_, left);
  work_ = nullptr;
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void ThreadPool::parallel_for(std::size_t n, std::size_t grain,
                              const std::function<void(std::size_t, std::size_t)>& work) {
  grain = std::max<std::size_t>(grain, 1);
  const std::size_t pieces = n / grain + (n % grain != 0);
  std::atomic<std::size_t> next{0};
  run([&](int) {
    for (std::size_t piece = next++; piece < pieces; piece = next++)
      work(piece * grain, std::min(n, piece * grain + grain));
  });
}

int available_cpus() {
  static const int count = threads_within(usable_cpus().size(), least_cpu_quota());
  return count;
}

}  // namespace gpuseq
