#pragma once

#include <ucontext.h>

#include <functional>
#include <stdexcept>
#include <vector>

#include "kernels/pairwise_distance/cuda/block.cuh"

namespace gpuseq::pairwise_distance::testing {

/// The threads of a block as fibers. A thread runs until it meets an operation that others take part in, or
/// ends; the operation completes when all threads of the block stand at one.
class EmulatedBlock {
 public:
  explicit EmulatedBlock(u32 threads) : threads_(threads), brought_(threads), exchanged_(threads) {}

  /// @throws std::logic_error if threads end while others wait for them
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
      if (ended != 0 && ended != threads_.size())
        throw std::logic_error("threads of a block end while others wait for them");
      any = ended == 0;
      exchanged_ = brought_;
    }
    running_ = nullptr;
  }

  /// Waits for the other threads, and returns what those of the caller's warp brought.
  static const LaneWords* meet(const LaneWords& mine) {
    EmulatedBlock& block = *running_;
    const u32 thread = block.current_;
    block.brought_[thread] = mine;
    swapcontext(&block.threads_[thread].context, &block.main_);
    return &block.exchanged_[thread / kWarp * kWarp];
  }

 private:
  static constexpr std::size_t kStackBytes = 256 * 1024;
  struct Thread {
    ucontext_t context;
    std::vector<char> stack = std::vector<char>(kStackBytes);
    bool ended = false;
  };

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
  testing::EmulatedBlock::meet({});
}
const LaneWords* exchange_in_warp(const LaneWords& mine) {
  return testing::EmulatedBlock::meet(mine);
}

}  // namespace gpuseq::pairwise_distance
