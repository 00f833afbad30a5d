#pragma once

#include <coroutine>
#include <exception>
#include <utility>

namespace gpuseq::exact_match {

/// A search as a coroutine that yields where it would wait for memory.
class Lane {
 public:
  struct promise_type {
    Lane get_return_object() { return Lane(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { error = std::current_exception(); }
    std::exception_ptr error;
  };

  explicit Lane(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  Lane(Lane&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Lane& operator=(Lane&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Lane() {
    if (handle_) handle_.destroy();
  }

  /// Continues to the next yield. False at the end. Rethrows the exceptions of the search.
  bool resume() {
    handle_.resume();
    if (!handle_.done()) return true;
    if (handle_.promise().error) std::rethrow_exception(handle_.promise().error);
    return false;
  }

 private:
  std::coroutine_handle<promise_type> handle_;
};

/// Prefetches an address and yields; does neither if not `yields`.
template <bool yields>
struct Fetch {
  const void* address;
  bool await_ready() const noexcept {
    if constexpr (yields) __builtin_prefetch(address);
    return !yields;
  }
  void await_suspend(std::coroutine_handle<>) const noexcept {}
  void await_resume() const noexcept {}
};

}  // namespace gpuseq::exact_match
