#pragma once

#include <ucontext.h>

#include <algorithm>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

#include "kernels/pairwise_distance/cuda/block.cuh"

namespace gpuseq::pairwise_distance::testing {

/// The threads of a block as fibers. A thread runs until it meets an operation that others take part in, or
/// ends; the operation completes when all threads of the block stand at one or have ended.
class EmulatedBlock {
 public:
  explicit EmulatedBlock(u32 threads) : threads_(threads), brought_(threads), exchanged_(threads) {}

  /// @throws std::logic_error if threads end while others wait for them: any thread for a barrier's, those of
  /// its warp for an exchange's
  void run(const std::function<void(u32 thread)>& body) {
    body_ = &body;
    running_ = this;
    for (u32 i = 0; i < threads_.size(); ++i) begin(i);
    for (bool any = true; any;) {
      u32 ended = 0;
      for (u32 i = 0; i < threads_.size(); ++i) {
        current_ = i;
        if (!threads_[i].ended) swapcontext(&main_, &threads_[i].context);
        ended += threads_[i].ended;
      }
      for (u32 i = 0; ended != 0 && i < threads_.size(); ++i)
        if (!threads_[i].ended && (threads_[i].at_barrier || ended_in_warp(i)))
          throw std::logic_error("threads of a block end while others wait for them");
      any = ended != threads_.size();
      exchanged_ = brought_;
    }
    running_ = nullptr;
  }

  /// Waits for the other threads, and returns what those of the caller's warp brought.
  /// @param at_barrier  none of the block may have ended
  static const LaneWords* meet(const LaneWords& mine, bool at_barrier) {
    EmulatedBlock& block = *running_;
    const u32 thread = block.current_;
    block.brought_[thread] = mine;
    block.threads_[thread].at_barrier = at_barrier;
    swapcontext(&block.threads_[thread].context, &block.main_);
    return &block.exchanged_[thread / kWarp * kWarp];
  }

  /// The caller's place in its warp.
  static u32 lane() { return running_->current_ % kWarp; }

 private:
  static constexpr std::size_t kStackBytes = 256 * 1024;
  struct Thread {
    ucontext_t context;
    std::vector<char> stack = std::vector<char>(kStackBytes);
    bool ended = false, at_barrier = false;
  };

  bool ended_in_warp(u32 thread) const {
    return std::ranges::any_of(std::span(threads_).subspan(thread / kWarp * kWarp, kWarp), &Thread::ended);
  }

  void begin(u32 i) {
    Thread& thread = threads_[i];
    thread.ended = false;
    getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = thread.stack.data();
    thread.context.uc_stack.ss_size = thread.stack.size();
    thread.context.uc_link = &main_;
    makecontext(&thread.context, &EmulatedBlock::enter, 0);
  }
  static void enter() {
    EmulatedBlock& block = *running_;
    const u32 thread = block.current_;
    (*block.body_)(thread);
    block.threads_[thread].ended = true;
  }

  static inline EmulatedBlock* running_ = nullptr;
  std::vector<Thread> threads_;
  std::vector<LaneWords> brought_, exchanged_;
  ucontext_t main_;
  const std::function<void(u32)>* body_ = nullptr;
  u32 current_ = 0;
};

}  // namespace gpuseq::pairwise_distance::testing

namespace gpuseq::pairwise_distance {

// What block.cuh declares for programs off the device.

void sync_block() {
  testing::EmulatedBlock::meet({}, true);
}
const LaneWords* exchange_in_warp(const LaneWords& mine) {
  return testing::EmulatedBlock::meet(mine, false);
}

}  // namespace gpuseq::pairwise_distance

namespace gpuseq {

// What warp.cuh does.

u32 shuffle_xor(u32 value, u32 lanes) {
  using pairwise_distance::testing::EmulatedBlock;
  return EmulatedBlock::meet({{value}}, false)[EmulatedBlock::lane() ^ lanes].word[0];
}

}  // namespace gpuseq
