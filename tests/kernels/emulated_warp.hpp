#pragma once

#include <ucontext.h>

#include <array>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "runtime/cuda/device/warp.cuh"

namespace gpuseq::testing {

/// The 32 lanes of a warp as fibers. A lane runs until it meets a collective operation or ends; the operation
/// completes when all lanes stand at the same one, as on a GPU whose mask names every lane.
class EmulatedWarp {
 public:
  enum class Operation { none, shuffle_xor, shuffle_from, vote, sync };

  /// @throws std::logic_error if lanes meet different operations, or one ends while others wait
  void run(const std::function<void(u32 lane)>& body) {
    body_ = &body;
    for (u32 i = 0; i < kWarp; ++i) begin(i);
    running_ = this;
    for (bool any = true; any;) {
      for (u32 i = 0; i < kWarp; ++i) {
        if (lanes_[i].ended) continue;
        current_ = i;
        swapcontext(&main_, &lanes_[i].context);
      }
      any = !lanes_[0].ended;
      for (const Lane& lane : lanes_)
        if (lane.ended != lanes_[0].ended || (any && lane.operation != lanes_[0].operation))
          throw std::logic_error("the lanes of a warp diverge at a collective operation");
      for (u32 i = 0; i < kWarp; ++i) exchanged_[i] = lanes_[i].value;
    }
    running_ = nullptr;
  }

  /// Waits for the other lanes, and returns what each brought.
  static const std::array<u32, kWarp>& meet(Operation operation, u32 value) {
    EmulatedWarp& warp = *running_;
    Lane& lane = warp.lanes_[warp.current_];
    lane.operation = operation;
    lane.value = value;
    swapcontext(&lane.context, &warp.main_);
    return warp.exchanged_;
  }
  static u32 current() { return running_->current_; }

 private:
  static constexpr std::size_t kStackBytes = 256 * 1024;
  struct Lane {
    ucontext_t context;
    std::vector<char> stack = std::vector<char>(kStackBytes);
    Operation operation = Operation::none;
    u32 value = 0;
    bool ended = false;
  };

  void begin(u32 i) {
    Lane& lane = lanes_[i];
    lane.ended = false;
    lane.operation = Operation::none;
    getcontext(&lane.context);
    lane.context.uc_stack.ss_sp = lane.stack.data();
    lane.context.uc_stack.ss_size = lane.stack.size();
    lane.context.uc_link = &main_;
    makecontext(&lane.context, &EmulatedWarp::enter, 0);
  }
  static void enter() {
    EmulatedWarp& warp = *running_;
    const u32 lane = warp.current_;
    (*warp.body_)(lane);
    warp.lanes_[lane].ended = true;
  }

  static inline EmulatedWarp* running_ = nullptr;
  std::vector<Lane> lanes_ = std::vector<Lane>(kWarp);
  std::array<u32, kWarp> exchanged_{};
  ucontext_t main_;
  const std::function<void(u32)>* body_ = nullptr;
  u32 current_ = 0;
};

}  // namespace gpuseq::testing

namespace gpuseq {

// What runtime/cuda/device/warp.cuh declares for programs off the device.

u32 shuffle_xor(u32 value, u32 lanes) {
  using testing::EmulatedWarp;
  const u32 lane = EmulatedWarp::current();
  return EmulatedWarp::meet(EmulatedWarp::Operation::shuffle_xor, value)[lane ^ lanes];
}
u32 shuffle_from(u32 value, u32 source, u32 width) {
  using testing::EmulatedWarp;
  const u32 lane = EmulatedWarp::current();
  return EmulatedWarp::meet(EmulatedWarp::Operation::shuffle_from,
                            value)[lane / width * width + source % width];
}
u32 ballot(bool condition) {
  using testing::EmulatedWarp;
  u32 bits = 0;
  const auto& votes = EmulatedWarp::meet(EmulatedWarp::Operation::vote, condition ? 1 : 0);
  for (u32 i = 0; i < kWarp; ++i) bits |= votes[i] << i;
  return bits;
}
bool any_lane(bool condition) {
  return ballot(condition) != 0;
}
void sync_warp() {
  testing::EmulatedWarp::meet(testing::EmulatedWarp::Operation::sync, 0);
}

}  // namespace gpuseq
