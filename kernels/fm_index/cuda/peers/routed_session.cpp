#include "kernels/fm_index/cuda/peers/routed_session.hpp"

#include <array>
#include <chrono>
#include <optional>

#include "kernels/fm_index/cuda/peers/on_two.hpp"
#include "runtime/cuda/peers/meeting.hpp"
#include "runtime/cuda/peers/split_buffer.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::fm_index {
namespace {

using cuda::CudaDevice;

/// Of each device, by number.
using WindowsOfTwo = std::array<Windows, 2>;

/// Devices take a step beside each other, and wait for each other before the next.
class RoutedOnTwo final : public SearchOnTwo {
 public:
  RoutedOnTwo(FmProblem& problem, const SearchPoint& at, CudaDevice& device,
              const std::shared_ptr<CudaDevice>& peer, const WindowsOfTwo& windows)
      : SearchOnTwo(problem, at, device, peer) {
    const auto start = std::chrono::steady_clock::now();
    const RoutedQueries routed = route(problem.queries(), at.prefix_symbols, at.policy.k);
    steps_ = steps_on_two(routed, at.policy.k);
    route_s_ = seconds_since(start);
    const std::size_t inbox_bytes = 2 * routed.pitch * interval_bytes(at.policy);  // by parity of the step
    inboxes_.emplace(device_, device_of(1), cuda::Halves{inbox_bytes, inbox_bytes});
    auto* const first = inboxes_->as<std::byte>();
    auto* const second = first + inboxes_->halves().first;
    for (u32 i = 0; i < kDevices; ++i) {
      prepare(i, {nullptr, nullptr, nullptr, static_cast<u32>(count())});
      const Crossing crossing{
          .device = i, .inbox = i == 0 ? first : second, .other_inbox = i == 0 ? second : first};
      routes_.emplace_back(routed, at.windows, windows[i].window_of, at.streams, device_of(i), crossing);
      parts_[i].query_bytes = routes_[i].bytes();
      parts_[i].workspace_bytes = inbox_bytes;
      parts_[i].upload_s = routes_[i].upload_s();
      notes_.insert(notes_.end(), windows[i].notes.begin(), windows[i].notes.end());
    }
    for (u32 part = 0; part < routes_[0].parts(); ++part)
      meetings_.push_back(std::make_unique<cuda::Meeting>(device_, routes_[0].stream(part), device_of(1),
                                                          routes_[1].stream(part)));
  }

  void launch() override {
    launched_ = true;
    if (count() == 0) return;
    meetings_[0]->meet();
    for (DeviceRoutes& routes : routes_) routes.begin();
    for (u32 step = kOpeningStep; step == kOpeningStep || step < routes_[0].steps(); ++step)
      for (u32 part = 0; part < routes_[0].parts(); ++part) {
        // The first step's intervals are looked up where it is taken.
        if (step != kOpeningStep && step > 0) meetings_[part]->meet();
        for (std::size_t i = 0; i < kDevices; ++i)
          routes_[i].enqueue(step, part, *parts_[i].kernel, at_.policy, parts_[i].blocks,
                             parts_[i].arguments);
      }
    for (DeviceRoutes& routes : routes_) routes.end();
    meetings_[0]->meet();
  }

  /// A query's is where its last step was taken.
  std::vector<Interval<u64>> answers() override {
    if (!launched_) launch();
    device_.synchronize();  // with it the peer's launches are done
    std::vector<Interval<u64>> answers(count()), others(count());
    download_s_.push_back(download_intervals(at_.policy, parts_[0].intervals, device_, answers) +
                          download_intervals(at_.policy, parts_[1].intervals, device_of(1), others));
    for (std::size_t query = 0; query < count(); ++query)
      if (steps_.last_device[query] == 1) answers[query] = others[query];
    return answers;
  }

  std::map<std::string, std::vector<double>> side_samples_s() override {
    std::map<std::string, std::vector<double>> samples = SearchOnTwo::side_samples_s();
    samples["route_queries"] = {route_s_};
    return samples;
  }

  nlohmann::json facts() const override {
    nlohmann::json facts = SearchOnTwo::facts();
    facts["first_share"] = steps_.first_share;
    facts["crossing_share"] = steps_.crossing_share;
    return facts;
  }

 protected:
  /// The blocks that the state's device reads in its half: no launch ends earlier, however fast the other
  /// device is.
  Traffic traffic() const override {
    Traffic traffic = SearchSession::traffic();
    traffic.blocks *= steps_.first_share;
    for (TrafficClass& one : traffic.classes) one.blocks *= steps_.first_share;
    keep_to_window(traffic, 2 * at_.windows);
    return traffic;
  }

 private:
  std::size_t count() const { return problem_.queries().begin.size(); }

  StepsOnTwo steps_;
  std::optional<cuda::SplitBuffer> inboxes_;  // of the first device, then of the second
  std::vector<DeviceRoutes> routes_;
  std::vector<std::unique_ptr<cuda::Meeting>> meetings_;  // of each part's streams
  double route_s_ = 0;
};

}  // namespace

StepsOnTwo steps_on_two(const RoutedQueries& queries, u32 k) {
  const std::size_t count = queries.openings.size();
  const u32 words = 1u << (2 * k);
  StepsOnTwo on_two{.last_device = std::vector<u8>(count)};
  u64 all = 0, first = 0, crossing = 0;
  for (u32 step = 0; step < queries.steps; ++step)
    for (std::size_t query = 0; query < count; ++query) {
      if (!queries.steps_of.empty() && step >= queries.steps_of[query]) continue;
      const u8 device = static_cast<u8>(device_of_word(queries.words[step * queries.pitch + query], words));
      ++all;
      first += 1 - device;
      crossing += step > 0 && device != on_two.last_device[query];
      on_two.last_device[query] = device;
    }
  if (all > 0) {
    on_two.first_share = static_cast<double>(first) / static_cast<double>(all);
    on_two.crossing_share = static_cast<double>(crossing) / static_cast<double>(all);
  }
  return on_two;
}

std::unique_ptr<SearchSession> prepare_routed_on_two(FmProblem& problem, const SearchPoint& at,
                                                     CudaDevice& device,
                                                     const std::shared_ptr<CudaDevice>& peer) {
  const std::shared_ptr<const Index> index = host_index(problem, at, {&device, peer.get()});
  const WindowsOfTwo windows{windows_of(at, *index, device, problem.cache_dir()),
                             windows_of(at, *index, *peer, problem.cache_dir())};
  return std::make_unique<RoutedOnTwo>(problem, at, device, peer, windows);
}

}  // namespace gpuseq::fm_index
