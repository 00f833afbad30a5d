#include "kernels/fm_index/cuda/peers/routed_session.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "kernels/fm_index/cuda/peers/on_peers.hpp"
#include "runtime/cuda/peers/meeting.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::fm_index {
namespace {

using cuda::CudaDevice;

/// Devices take a step at the same time, and wait for each other before the next.
class RoutedOnPeers final : public SearchOnPeers {
 public:
  /// @param windows  of each device
  RoutedOnPeers(FmProblem& problem, const SearchPoint& at, CudaDevice& device, const cuda::Peers& peers,
                const std::vector<Windows>& windows)
      : SearchOnPeers(problem, at, device, peers) {
    const auto start = std::chrono::steady_clock::now();
    const RoutedQueries routed = route(problem.queries(), at.prefix_symbols, at.policy.k);
    steps_ = steps_of_devices(routed, at.policy.k, at.gpus);
    route_s_ = seconds_since(start);
    Crossing crossing{.devices = at.gpus};
    const std::size_t inbox_bytes = 2 * routed.pitch * interval_bytes(at.policy);  // by parity of the step
    for (u32 i = 0; i < at.gpus; ++i) {
      for (u32 other = 0; other < at.gpus; ++other)
        cuda::allow_access(index_on_->device(other), index_on_->device(i));
      inboxes_.emplace_back(index_on_->device(i), inbox_bytes);
      crossing.inboxes[i] = inboxes_[i].as<void>();
    }
    for (u32 i = 0; i < at.gpus; ++i) {
      prepare(i, {nullptr, nullptr, nullptr, static_cast<u32>(count())});
      crossing.device = i;
      routes_.emplace_back(routed, at.windows, windows[i].window_of, at.streams, index_on_->device(i),
                           crossing);
      parts_[i].query_bytes = routes_[i].bytes();
      parts_[i].workspace_bytes = inbox_bytes;
      parts_[i].upload_s = routes_[i].upload_s();
      notes_.insert(notes_.end(), windows[i].notes.begin(), windows[i].notes.end());
    }
    for (u32 batch = 0; batch < routes_[0].batches(); ++batch) {
      std::vector<cuda::DeviceStream> streams;
      for (u32 i = 0; i < at.gpus; ++i) streams.push_back({&index_on_->device(i), routes_[i].stream(batch)});
      meetings_.push_back(std::make_unique<cuda::Meeting>(streams));
    }
  }

  void launch() override {
    launched_ = true;
    if (count() == 0) return;
    meetings_[0]->meet();
    for (DeviceRoutes& routes : routes_) routes.begin();
    for (u32 step = kOpeningStep; step == kOpeningStep || step < routes_[0].steps(); ++step)
      for (u32 batch = 0; batch < routes_[0].batches(); ++batch) {
        // The first step's intervals are looked up where it is taken.
        if (step != kOpeningStep && step > 0) meetings_[batch]->meet();
        for (std::size_t i = 0; i < parts_.size(); ++i)
          routes_[i].enqueue(step, batch, *parts_[i].kernel, at_.policy, parts_[i].blocks,
                             parts_[i].arguments);
      }
    for (DeviceRoutes& routes : routes_) routes.end();
    meetings_[0]->meet();
  }

  /// A query's is where its last step was taken.
  std::vector<Interval<u64>> answers() override {
    if (!launched_) launch();
    device_.synchronize();  // with it the launches of its peers are done
    std::vector<Interval<u64>> answers(count()), found(count());
    double seconds = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      seconds += download_intervals(at_.policy, parts_[i].intervals, index_on_->device(i), found);
      for (std::size_t query = 0; query < count(); ++query)
        if (steps_.last_device[query] == i) answers[query] = found[query];
    }
    download_s_.push_back(seconds);
    return answers;
  }

  nlohmann::json facts() const override {
    nlohmann::json facts = SearchOnPeers::facts();
    facts["first_share"] = steps_.first_share;
    facts["largest_share"] = steps_.largest_share;
    facts["crossing_share"] = steps_.crossing_share;
    return facts;
  }

 protected:
  /// The blocks that the state's device reads in its part: no launch ends earlier, however fast the other
  /// devices are.
  Traffic traffic() const override {
    Traffic traffic = SearchSession::traffic();
    traffic.blocks *= steps_.first_share;
    for (TrafficClass& one : traffic.classes) one.blocks *= steps_.first_share;
    keep_to_window(traffic, at_.gpus * at_.windows);
    return traffic;
  }

 private:
  std::size_t count() const { return problem_.queries().begin.size(); }

  StepsOfDevices steps_;
  std::vector<cuda::DeviceBuffer> inboxes_;  // of each device
  std::vector<DeviceRoutes> routes_;
  std::vector<std::unique_ptr<cuda::Meeting>> meetings_;  // of each batch's streams
};

}  // namespace

StepsOfDevices steps_of_devices(const RoutedQueries& queries, u32 k, u32 devices) {
  const std::size_t count = queries.openings.size();
  const u32 words = 1u << (2 * k);
  StepsOfDevices of{.last_device = std::vector<u8>(count)};
  std::vector<u64> taken(devices);
  u64 crossing = 0;
  for (u32 step = 0; step < queries.steps; ++step)
    for (std::size_t query = 0; query < count; ++query) {
      if (!queries.steps_of.empty() && step >= queries.steps_of[query]) continue;
      const u8 device =
          static_cast<u8>(device_of_word(queries.words[step * queries.pitch + query], words, devices));
      ++taken[device];
      crossing += step > 0 && device != of.last_device[query];
      of.last_device[query] = device;
    }
  const auto all = static_cast<double>(std::max<u64>(1, std::reduce(taken.begin(), taken.end())));
  of.first_share = static_cast<double>(taken[0]) / all;
  of.largest_share = static_cast<double>(std::ranges::max(taken)) / all;
  of.crossing_share = static_cast<double>(crossing) / all;
  return of;
}

std::unique_ptr<SearchSession> prepare_routed_on_peers(FmProblem& problem, const SearchPoint& at,
                                                       CudaDevice& device, const cuda::Peers& peers) {
  return std::make_unique<RoutedOnPeers>(problem, at, device, peers,
                                         windows_of_all(problem, at, device, peers));
}

}  // namespace gpuseq::fm_index
