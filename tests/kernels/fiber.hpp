#pragma once

#include <setjmp.h>
#include <ucontext.h>

#include <cstddef>
#include <memory>

namespace gpuseq::testing {

/// A function with a stack of its own that gives the processor back before it has ended, and goes on from
/// there. Contexts only begin one: each swapcontext asks the kernel for the mask of signals, which took most
/// of the time of warps that exchange words.
class Fiber {
 public:
  Fiber() = default;
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// The next enter() runs `body` from its start.
  void begin(void (*body)()) {
    body_ = body;
    // One that has ended waits in run() for its next body; one that was left for good has no way back there.
    begun_ = begun_ && ended_;
    ended_ = false;
  }

  /// Goes on with the body until it leaves or ends.
  void enter() {
    if (_setjmp(outside_) != 0) return;
    if (begun_) jump(inside_, 1);
    begun_ = true;
    entered_ = this;
    getcontext(&start_);
    start_.uc_stack.ss_sp = stack_.get();
    start_.uc_stack.ss_size = kStackBytes;
    makecontext(&start_, &Fiber::run, 0);
    setcontext(&start_);
  }

  /// Called by the body: returns when the fiber is entered again.
  void leave() {
    if (_setjmp(inside_) == 0) jump(outside_, 1);
  }

  bool ended() const { return ended_; }

 private:
  static constexpr std::size_t kStackBytes = 256 * 1024;

  // By its own name: the replacement by _FORTIFY_SOURCE refuses to jump to another stack.
  [[noreturn]] static void jump(jmp_buf to, int value) __asm__("_longjmp");

  static void run() {
    Fiber& fiber = *entered_;
    for (;;) {
      fiber.body_();
      fiber.ended_ = true;
      fiber.leave();
    }
  }

  static inline Fiber* entered_ = nullptr;
  std::unique_ptr<char[]> stack_ = std::make_unique_for_overwrite<char[]>(kStackBytes);
  void (*body_)() = nullptr;
  ucontext_t start_{};
  jmp_buf inside_{}, outside_{};
  bool begun_ = false, ended_ = false;
};

}  // namespace gpuseq::testing
