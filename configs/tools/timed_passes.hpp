#pragma once

// Shared by our external tools: the clock and the threads.

#include <algorithm>
#include <atomic>
#include <barrier>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

[[noreturn]] inline void fail(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::exit(1);
}

inline std::size_t threads_from(std::string_view given) {
  std::size_t threads = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), threads);
  if (error != std::errc() || end != given.data() + given.size() || threads == 0 || threads > 4096)
    fail("found " + std::string(given) + " threads; allowed: 1 to 4096");
  return threads;
}

/// How items are dealt out.
struct Pieces {
  std::size_t items = 0;
  std::size_t piece = 1;  // items that a thread takes at a time
  std::size_t warm_up =
      0;  // items that are done before the clock starts, so that no thread or page is new to it
};

/// Does all items in passes, by threads that run already, for a tenth of a second, one pass at least: a short
/// one alone would tell how threads wake up.
/// @param make_worker  called by each thread; gives a function of the first item and the one after the last
/// @returns seconds of the median pass; of the mean one where the clock's steps are longer than a pass
template <class MakeWorker>
double timed_passes(std::size_t threads, const Pieces& pieces, const MakeWorker& make_worker) {
  using Clock = std::chrono::steady_clock;
  constexpr double kTimedS = 0.1;
  std::barrier together(static_cast<std::ptrdiff_t>(threads));
  std::atomic<std::size_t> warm_up = 0, next = 0;
  constexpr std::size_t kMostPasses = 1'000'000;  // for a clock that does not advance
  std::vector<double> seconds;
  double all_s = 0;
  bool more = true;  // the leader writes it, between barriers
  const auto take = [&](auto& worker, std::atomic<std::size_t>& from, std::size_t end) {
    for (std::size_t begin; (begin = from.fetch_add(pieces.piece)) < end;)
      worker(begin, std::min(begin + pieces.piece, end));
  };
  const auto work = [&](bool leader) {
    auto worker = make_worker();
    take(worker, warm_up, std::min(pieces.warm_up, pieces.items));
    together.arrive_and_wait();
    const auto start = Clock::now();
    while (more) {
      const auto begin = Clock::now();
      together.arrive_and_wait();
      take(worker, next, pieces.items);
      together.arrive_and_wait();
      if (leader) {
        const auto end = Clock::now();
        seconds.push_back(std::chrono::duration<double>(end - begin).count());
        all_s = std::chrono::duration<double>(end - start).count();
        more = all_s < kTimedS && seconds.size() < kMostPasses;
        next = 0;
      }
      together.arrive_and_wait();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back(work, false);
    work(true);
  }
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle > 0 ? *middle : all_s / static_cast<double>(seconds.size());
}
