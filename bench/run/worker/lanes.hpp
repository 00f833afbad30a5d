#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "bench/run/worker/remote_measurer.hpp"

namespace gpuseq::bench {

/// Workers that measure at the same time, one for each GPU. A worker is killed when the thread that started
/// it ends, so each has a thread of its own for as long as it lives.
class Lanes {
 public:
  using Task = std::function<void(RemoteMeasurer&)>;

  /// @param make  a measurer
  Lanes(const std::vector<std::string>& devices,
        const std::function<std::unique_ptr<RemoteMeasurer>()>& make);
  /// Waits for the tasks.
  ~Lanes();
  Lanes(const Lanes&) = delete;
  Lanes& operator=(const Lanes&) = delete;

  bool has(const std::string& device) const { return lanes_.contains(device); }
  std::vector<std::string> devices() const;
  bool is_idle(const std::string& device) const;
  /// Starts a task on an idle lane.
  void begin(const std::string& device, Task task);
  /// Waits until a task ends that had not before the last call, or a moment.
  void wait();
  /// Runs a task on a lane, behind the one that it is at. @throws the exceptions of the task
  void call(const std::string& device, const Task& task);
  /// Ends the workers, whose sessions hold memory of devices; the next tasks start others.
  void end_workers();

 private:
  struct Lane {
    std::unique_ptr<RemoteMeasurer> measurer;
    std::deque<Task> tasks;  // the first one is running
    bool is_over = false;
    std::jthread thread;
  };
  void work(Lane& lane);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t ended_ = 0, seen_ = 0;  // tasks
  std::map<std::string, Lane> lanes_;
};

}  // namespace gpuseq::bench
