#include "bench/measure/reference_loop.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "results/record.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kShortest = 5;  // remembered runs

/// Eight chains: no known core adds more at a time, so that operands are always ready. The empty statement
/// hides the values of all registers from the compiler, including the summand: cores that add constants
/// during register renaming have to issue these additions.
[[gnu::noinline]] void add_in_chains() {
  constexpr int kRounds = 80'000;  // eight additions each, at four per cycle and 4 GHz
  std::uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, step = 3;
  for (int i = 0; i < kRounds; ++i) {
    a += step;
    b += step;
    c += step;
    d += step;
    e += step;
    f += step;
    g += step;
    h += step;
    asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f), "+r"(g), "+r"(h), "+r"(step));
  }
}

/// The loop starts in all threads when the last one is ready. A thread that is delayed after that is slow.
double slowest_s(ThreadPool& pool) {
  std::atomic<int> missing{pool.size()};
  std::atomic<bool> all_are_here{false};
  Clock::time_point start;
  std::vector<double> seconds(static_cast<std::size_t>(pool.size()));
  pool.run([&](int thread) {
    if (missing.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      start = Clock::now();
      all_are_here.store(true, std::memory_order_release);
    } else {
      while (!all_are_here.load(std::memory_order_acquire)) {
      }
    }
    add_in_chains();
    seconds[static_cast<std::size_t>(thread)] = seconds_since(start);
  });
  return std::ranges::max(seconds);
}

}  // namespace

double reference_loop_s(ThreadPool* pool) {
  if (pool != nullptr) return slowest_s(*pool);
  const Clock::time_point start = Clock::now();
  add_in_chains();
  return seconds_since(start);
}

std::optional<ReferenceLoopRun> ReferenceLoop::take(ThreadPool* pool) {
  const int threads = pool == nullptr ? 1 : pool->size();
  if (threads > available_cpus()) return std::nullopt;
  double seconds = loop_(pool);
  if (!(seconds > 0)) return std::nullopt;
  Seen& seen = seen_[threads];
  const auto is_slow = [&] {
    return !seen.shortest_s.empty() &&
           seconds >= results::ReferenceLoopTimes::kDisturbed * seen.shortest_s.back();
  };
  if (is_slow()) seconds = std::min(seconds, loop_(pool));
  if (!(seconds > 0)) return std::nullopt;
  if (!is_slow()) seen.last_quiet = Clock::now();
  seen.shortest_s.insert(std::ranges::upper_bound(seen.shortest_s, seconds), seconds);
  if (seen.shortest_s.size() > kShortest) seen.shortest_s.pop_back();
  return ReferenceLoopRun{threads, seconds};
}

double ReferenceLoop::disturbed_for_s(int threads) const {
  return seconds_since(seen_.at(threads).last_quiet);
}

}  // namespace gpuseq::bench
