#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

#include "kernels/pairwise_distance/cuda/block.cuh"
#include "tests/kernels/fiber.hpp"

namespace gpuseq::pairwise_distance::testing {

/// The threads of a block as fibers. A thread runs until it meets an operation that others take part
/// in, or ends; the operation completes when all threads of the block are at one or have ended.
class EmulatedBlock {
 public:
  explicit EmulatedBlock(u32 threads) : threads_(threads), brought_(threads), exchanged_(threads) {}

  /// @throws std::logic_error if threads end while others wait for them: any thread for a barrier's, those of
  /// its warp for an exchange's
  void run(const std::function<void(u32 thread)>& body) {
    body_ = &body;
    running_ = this;
    for (Thread& thread : threads_) thread.fiber.begin(&EmulatedBlock::run_current);
    for (bool any = true; any;) {
      u32 ended = 0;
      for (u32 i = 0; i < threads_.size(); ++i) {
        current_ = i;
        if (!threads_[i].fiber.ended()) threads_[i].fiber.enter();
        ended += threads_[i].fiber.ended();
      }
      for (u32 i = 0; ended != 0 && i < threads_.size(); ++i)
        if (!threads_[i].fiber.ended() && (threads_[i].at_barrier || ended_in_warp(i)))
          throw std::logic_error("threads of a block end while others wait for them");
      any = ended != threads_.size();
      exchanged_ = brought_;
    }
    running_ = nullptr;
  }

  /// Waits for the other threads, and returns the values of those of the caller's warp.
  /// @param at_barrier  none of the block may have ended
  static const LaneWords* meet(const LaneWords& mine, bool at_barrier) {
    EmulatedBlock& block = *running_;
    const u32 thread = block.current_;
    block.brought_[thread] = mine;
    block.threads_[thread].at_barrier = at_barrier;
    block.threads_[thread].fiber.leave();
    return &block.exchanged_[thread / kWarp * kWarp];
  }

  /// The caller's place in its warp.
  static u32 lane() { return running_->current_ % kWarp; }

 private:
  struct Thread {
    gpuseq::testing::Fiber fiber;
    bool at_barrier = false;
  };

  bool ended_in_warp(u32 thread) const {
    return std::ranges::any_of(std::span(threads_).subspan(thread / kWarp * kWarp, kWarp),
                               [](const Thread& thread) { return thread.fiber.ended(); });
  }

  static void run_current() { (*running_->body_)(running_->current_); }

  static inline EmulatedBlock* running_ = nullptr;
  std::vector<Thread> threads_;
  std::vector<LaneWords> brought_, exchanged_;
  const std::function<void(u32)>* body_ = nullptr;
  u32 current_ = 0;
};

}  // namespace gpuseq::pairwise_distance::testing

namespace gpuseq::pairwise_distance {

// Functions that block.cuh declares for programs off the device.

inline void sync_block() {
  testing::EmulatedBlock::meet({}, true);
}
const LaneWords* exchange_in_warp(const LaneWords& mine) {
  return testing::EmulatedBlock::meet(mine, false);
}

}  // namespace gpuseq::pairwise_distance

namespace gpuseq {

// Functions of warp.cuh.

inline u32 shuffle_xor(u32 value, u32 lanes) {
  using pairwise_distance::testing::EmulatedBlock;
  return EmulatedBlock::meet({{value}}, false)[EmulatedBlock::lane() ^ lanes].word[0];
}

}  // namespace gpuseq
