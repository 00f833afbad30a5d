#include "kernels/fm_index/cuda/peers/session.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <ranges>

#include "kernels/fm_index/cuda/peers/on_peers.hpp"
#include "kernels/fm_index/cuda/peers/routed_session.hpp"
#include "runtime/cuda/peers/group.hpp"
#include "runtime/cuda/peers/meeting.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::fm_index {
namespace {

using cuda::CudaDevice;

/// Each device has all of the index and searches a part of the queries. They begin together, and wait for
/// each other at the end.
class QueriesOnPeers final : public SearchOnPeers {
 public:
  /// @param windows  of each device, of one_hot_routed
  QueriesOnPeers(FmProblem& problem, const SearchPoint& at, CudaDevice& device, const cuda::Peers& peers,
                 const std::vector<Windows>& windows)
      : SearchOnPeers(problem, at, device, peers) {
    std::vector<cuda::DeviceStream> streams;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      ranges_.push_back(queries_of_device(problem.queries().begin.size(), i, parts_.size()));
      if (windows.empty())
        prepare_queries(i);
      else
        prepare_routes(i, windows[i]);
      streams.push_back({&index_on_->device(i), index_on_->device(i).stream()});
    }
    meeting_.emplace(streams);
  }

  void launch() override {
    launched_ = true;
    meeting_->meet();
    if (routes_.empty())
      launch_searches();
    else
      launch_steps();
    meeting_->meet();
  }

  std::vector<Interval<u64>> answers() override {
    if (!launched_) launch();
    device_.synchronize();  // with it the launches of its peers are done
    std::vector<Interval<u64>> answers(problem_.queries().begin.size());
    double seconds = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i)
      seconds += download_intervals(at_.policy, parts_[i].intervals, index_on_->device(i),
                                    std::span(answers).subspan(ranges_[i].first, ranges_[i].count));
    download_s_.push_back(seconds);
    return answers;
  }

 protected:
  std::string why_no_bound() const override {
    const std::string reason = SearchOnPeers::why_no_bound();
    return reason.empty() ? cuda::kNoBoundOfGpus : reason;
  }

 private:
  void prepare_queries(std::size_t i) {
    queries_.emplace_back(problem_.queries(), ranges_[i], index_on_->device(i));
    prepare(i, queries_[i].view());
    parts_[i].query_bytes = queries_[i].bytes();
    parts_[i].upload_s = queries_[i].upload_s();
  }

  void prepare_routes(std::size_t i, const Windows& windows) {
    const auto start = std::chrono::steady_clock::now();
    const RoutedQueries routed = route(problem_.queries(), at_.prefix_symbols, at_.policy.k, ranges_[i]);
    route_s_ += seconds_since(start);
    prepare(i, {nullptr, nullptr, nullptr, static_cast<u32>(ranges_[i].count)});
    routes_.emplace_back(routed, at_.windows, windows.window_of, at_.streams, index_on_->device(i));
    parts_[i].query_bytes = routes_[i].bytes();
    parts_[i].upload_s = routes_[i].upload_s();
    notes_.insert(notes_.end(), windows.notes.begin(), windows.notes.end());
  }

  void launch_searches() {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (ranges_[i].count == 0) continue;
      std::array<void*, 1> arguments{&parts_[i].arguments};
      parts_[i].kernel->launch(parts_[i].blocks, at_.policy.threads_per_block, at_.policy.shared_bytes(),
                               arguments);
    }
  }

  /// A step of each device in turn, so that none begins much later than another.
  void launch_steps() {
    for (DeviceRoutes& routes : routes_) routes.begin();
    const u32 steps = std::ranges::max(routes_ | std::views::transform(&DeviceRoutes::steps));
    for (u32 step = kOpeningStep; step == kOpeningStep || step < steps; ++step)
      for (std::size_t i = 0; i < routes_.size(); ++i)
        if (ranges_[i].count > 0 && (step == kOpeningStep || step < routes_[i].steps()))
          for (u32 batch = 0; batch < routes_[i].batches(); ++batch)
            routes_[i].enqueue(step, batch, *parts_[i].kernel, at_.policy, parts_[i].blocks,
                               parts_[i].arguments);
    for (DeviceRoutes& routes : routes_) routes.end();
  }

  std::vector<QueryRange> ranges_;
  std::vector<DeviceQueries> queries_;
  std::vector<DeviceRoutes> routes_;  // instead of queries_
  std::optional<cuda::Meeting> meeting_;
};

}  // namespace

QueryRange queries_of_device(std::size_t queries, std::size_t part, std::size_t devices) {
  const std::size_t rest = queries % devices, first = queries / devices * part + std::min(part, rest);
  return {first, queries / devices + (part < rest ? 1 : 0)};
}

std::unique_ptr<SearchSession> prepare_on_peers(FmProblem& problem, const SearchPoint& at, CudaDevice& device,
                                                const cuda::Peers& peers) {
  if (at.index_on == IndexOn::parts) return prepare_routed_on_peers(problem, at, device, peers);
  std::vector<Windows> windows;
  if (at.policy.scheme == Scheme::one_hot_routed) windows = windows_of_all(problem, at, device, peers);
  return std::make_unique<QueriesOnPeers>(problem, at, device, peers, windows);
}

}  // namespace gpuseq::fm_index
