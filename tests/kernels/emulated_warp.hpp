#pragma once

#include <array>
#include <functional>
#include <stdexcept>
#include <vector>

#include "runtime/cuda/device/warp.cuh"
#include "tests/kernels/fiber.hpp"

namespace gpuseq::testing {

/// The 32 lanes of a warp as fibers. A lane runs until it meets a collective operation or ends; the
/// operation completes when all lanes are at the same one, as on a GPU whose mask names every lane.
class EmulatedWarp {
 public:
  enum class Operation { none, shuffle_xor, shuffle_from, vote, sync };

  /// @throws std::logic_error if lanes meet different operations, or one ends while others wait
  void run(const std::function<void(u32 lane)>& body) {
    body_ = &body;
    for (Lane& lane : lanes_) {
      lane.fiber.begin(&EmulatedWarp::run_current);
      lane.operation = Operation::none;
    }
    running_ = this;
    for (bool any = true; any;) {
      for (u32 i = 0; i < kWarp; ++i) {
        if (lanes_[i].fiber.ended()) continue;
        current_ = i;
        lanes_[i].fiber.enter();
      }
      any = !lanes_[0].fiber.ended();
      for (const Lane& lane : lanes_)
        if (lane.fiber.ended() == any || (any && lane.operation != lanes_[0].operation))
          throw std::logic_error("the lanes of a warp diverge at a collective operation");
      for (u32 i = 0; i < kWarp; ++i) exchanged_[i] = lanes_[i].value;
    }
    running_ = nullptr;
  }

  /// Waits for the other lanes, and returns the value of each.
  static const std::array<u32, kWarp>& meet(Operation operation, u32 value) {
    EmulatedWarp& warp = *running_;
    Lane& lane = warp.lanes_[warp.current_];
    lane.operation = operation;
    lane.value = value;
    lane.fiber.leave();
    return warp.exchanged_;
  }
  static u32 current() { return running_->current_; }

 private:
  struct Lane {
    Fiber fiber;
    Operation operation = Operation::none;
    u32 value = 0;
  };

  static void run_current() { (*running_->body_)(running_->current_); }

  static inline EmulatedWarp* running_ = nullptr;
  std::vector<Lane> lanes_ = std::vector<Lane>(kWarp);
  std::array<u32, kWarp> exchanged_{};
  const std::function<void(u32)>* body_ = nullptr;
  u32 current_ = 0;
};

}  // namespace gpuseq::testing

namespace gpuseq {

// Functions that runtime/cuda/device/warp.cuh declares for programs off the device.

inline u32 shuffle_xor(u32 value, u32 lanes) {
  using testing::EmulatedWarp;
  const u32 lane = EmulatedWarp::current();
  return EmulatedWarp::meet(EmulatedWarp::Operation::shuffle_xor, value)[lane ^ lanes];
}
inline u32 shuffle_from(u32 value, u32 source, u32 width) {
  using testing::EmulatedWarp;
  const u32 lane = EmulatedWarp::current();
  return EmulatedWarp::meet(EmulatedWarp::Operation::shuffle_from,
                            value)[lane / width * width + source % width];
}
inline u32 ballot(bool condition) {
  using testing::EmulatedWarp;
  u32 bits = 0;
  const auto& votes = EmulatedWarp::meet(EmulatedWarp::Operation::vote, condition ? 1 : 0);
  for (u32 i = 0; i < kWarp; ++i) bits |= votes[i] << i;
  return bits;
}
inline bool any_lane(bool condition) {
  return ballot(condition) != 0;
}
inline void sync_warp() {
  testing::EmulatedWarp::meet(testing::EmulatedWarp::Operation::sync, 0);
}

}  // namespace gpuseq
