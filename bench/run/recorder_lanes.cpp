#include <algorithm>
#include <deque>
#include <exception>
#include <map>
#include <utility>

#include "bench/plan/other_devices.hpp"
#include "bench/run/recorder.hpp"

namespace gpuseq::bench {
namespace {

/// The cases of one GPU, and the case that its worker measures.
struct Queue {
  std::deque<std::size_t> left = {};  // places in the list of states
  std::size_t at = 0;
  bool is_busy = false;
  results::Record record = {};
  std::exception_ptr error = {};
};

}  // namespace

std::unique_ptr<Lanes> Recorder::make_lanes(const std::vector<std::string>& gpus) const {
  return std::make_unique<Lanes>(gpus, make_measurer_);
}

void Recorder::use_lanes(std::unique_ptr<Lanes> lanes) {
  lanes_ = std::move(lanes);
}

bool Recorder::is_for_a_lane(const State& state) const {
  return lanes_ && lanes_->has(state.key.device) && !uses_other_devices(state.key);
}

std::vector<std::string> Recorder::beside(const State& state) const {
  if (!is_for_a_lane(state)) return {};
  std::vector<std::string> others = lanes_->devices();
  std::erase(others, state.key.device);
  return others;
}

/// Hands each GPU its next state as soon as its worker has ended the one before. Records are completed and
/// appended by this thread alone.
bool Recorder::run_in_lanes(const std::vector<State>& repetitions, std::size_t least) {
  std::map<std::string, Queue> queues;
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < repetitions.size(); ++i)
    if (is_for_a_lane(repetitions[i]))
      queues[repetitions[i].key.device].left.push_back(i);
    else
      others.push_back(i);
  bool is_cut = false;
  std::exception_ptr error;
  const auto begin_next = [&](const std::string& device, Queue& queue) {
    const State& state = repetitions[queue.left.front()];
    const bool is_least = queue.left.front() < least;
    is_cut = is_over(is_least);
    if (is_cut) return;
    queue.at = queue.left.front();
    queue.left.pop_front();
    queue.is_busy = true;
    begin(state);
    lanes_->begin(device, [&state, &queue, most = most_time(is_least)](RemoteMeasurer& worker) {
      try {
        queue.record = worker.measure(state, most);
      } catch (...) {
        queue.error = std::current_exception();
      }
    });
  };
  const auto end = [&](Queue& queue) {
    queue.is_busy = false;
    try {
      if (queue.error) std::rethrow_exception(std::exchange(queue.error, {}));
      begin(repetitions[queue.at]);  // of several, the one whose line follows
      finish(repetitions[queue.at], std::move(queue.record));
    } catch (...) {
      error = std::current_exception();  // the other workers end their cases
    }
  };
  while (true) {
    for (auto& [device, queue] : queues)
      if (queue.is_busy && lanes_->is_idle(device)) end(queue);
    for (auto& [device, queue] : queues)
      if (!queue.is_busy && !queue.left.empty() && !is_cut && !error) begin_next(device, queue);
    if (std::ranges::none_of(queues, [](const auto& one) { return one.second.is_busy; })) break;
    lanes_->wait();
    journal_.flush_if_due();
  }
  if (error) std::rethrow_exception(error);
  if (is_cut) return false;
  return run_behind_lanes(repetitions, others, least);
}

bool Recorder::run_behind_lanes(const std::vector<State>& repetitions, const std::vector<std::size_t>& places,
                                std::size_t least) {
  const bool on_gpus = std::ranges::any_of(
      places, [&](std::size_t i) { return repetitions[i].variant->device == DeviceKind::cuda; });
  if (on_gpus) lanes_->end_workers();
  bool all_measured = true;
  for (const std::size_t i : places) {
    all_measured = !is_over(i < least);
    if (!all_measured) break;
    measure(repetitions[i], most_time(i < least));
  }
  if (on_gpus) measurer_.end_worker();
  return all_measured;
}

}  // namespace gpuseq::bench
