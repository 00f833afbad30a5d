#include "bench/run/worker/lanes.hpp"

#include <chrono>
#include <exception>
#include <utility>

namespace gpuseq::bench {

Lanes::Lanes(const std::vector<std::string>& devices,
             const std::function<std::unique_ptr<RemoteMeasurer>()>& make) {
  for (const std::string& device : devices) lanes_[device].measurer = make();
  for (auto& [device, lane] : lanes_) lane.thread = std::jthread([this, &lane = lane] { work(lane); });
}

Lanes::~Lanes() {
  {
    const std::lock_guard lock(mutex_);
    for (auto& [device, lane] : lanes_) lane.is_over = true;
  }
  changed_.notify_all();
}

std::vector<std::string> Lanes::devices() const {
  std::vector<std::string> devices;
  for (const auto& [device, lane] : lanes_) devices.push_back(device);
  return devices;
}

void Lanes::end_workers() {
  for (const std::string& device : devices())
    call(device, [](RemoteMeasurer& measurer) { measurer.end_worker(); });
}

bool Lanes::is_idle(const std::string& device) const {
  const std::lock_guard lock(mutex_);
  return lanes_.at(device).tasks.empty();
}

void Lanes::begin(const std::string& device, Task task) {
  {
    const std::lock_guard lock(mutex_);
    lanes_.at(device).tasks.push_back(std::move(task));
  }
  changed_.notify_all();
}

void Lanes::wait() {
  constexpr auto kMoment = std::chrono::milliseconds(200);
  std::unique_lock lock(mutex_);
  // By the system's clock, because glibc 2.28 waits by no other.
  changed_.wait_until(lock, std::chrono::system_clock::now() + kMoment, [this] { return ended_ != seen_; });
  seen_ = ended_;
}

void Lanes::call(const std::string& device, const Task& task) {
  bool has_ended = false;
  std::exception_ptr error;
  begin(device, [&](RemoteMeasurer& measurer) {
    try {
      task(measurer);
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    has_ended = true;
  });
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return has_ended; });
  if (error) std::rethrow_exception(error);
}

void Lanes::work(Lane& lane) {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return lane.is_over || !lane.tasks.empty(); });
    if (lane.tasks.empty()) break;
    const Task task = lane.tasks.front();
    lock.unlock();
    task(*lane.measurer);
    lock.lock();
    lane.tasks.pop_front();
    ++ended_;
    changed_.notify_all();
  }
  lock.unlock();
  lane.measurer.reset();  // ends its worker, which this thread started
}

}  // namespace gpuseq::bench
