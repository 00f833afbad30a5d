#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace gpuseq::exact_match {

/// A thread that processes items in order, with a short queue of waiting items.
template <typename Item>
class Stage {
 public:
  Stage(std::size_t waiting, std::function<void(Item&)> work)
      : most_(waiting), work_(std::move(work)), thread_([this] { serve(); }) {}
  /// Processes waiting items first, unless the work has failed.
  ~Stage() {
    end();
    if (thread_.joinable()) thread_.join();
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  /// Blocks while the queue is full. Rethrows exceptions of the work.
  void put(Item item) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return error_ != nullptr || items_.size() < most_; });
    if (error_ != nullptr) std::rethrow_exception(error_);
    items_.push_back(std::move(item));
    changed_.notify_all();
  }
  /// Returns when all items are done. Rethrows exceptions of the work.
  void finish() {
    end();
    thread_.join();
    if (error_ != nullptr) std::rethrow_exception(error_);
  }

 private:
  void end() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }
  void serve() {
    while (true) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return ended_ || !items_.empty(); });
      if (items_.empty()) return;
      Item item = std::move(items_.front());
      items_.pop_front();
      changed_.notify_all();
      lock.unlock();
      try {
        work_(item);
      } catch (...) {
        const std::lock_guard failed(mutex_);
        error_ = std::current_exception();
        changed_.notify_all();
        return;
      }
    }
  }

  const std::size_t most_;
  std::function<void(Item&)> work_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
  std::exception_ptr error_;
  bool ended_ = false;
  std::thread thread_;  // last member: it uses all of the above
};

}  // namespace gpuseq::exact_match
