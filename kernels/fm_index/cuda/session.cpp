#include "kernels/fm_index/cuda/session.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

#include "kernels/fm_index/cuda/device_order.hpp"
#include "kernels/fm_index/cuda/device_search.hpp"
#include "kernels/fm_index/cuda/peers/device_index.hpp"
#include "kernels/fm_index/cuda/peers/on_peers.hpp"
#include "kernels/fm_index/cuda/peers/session.hpp"
#include "kernels/fm_index/cuda/routes.hpp"
#include "kernels/fm_index/estimate.hpp"
#include "runtime/cuda/peers/group.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::fm_index {
namespace {

using cuda::CudaDevice;
using cuda::DeviceBuffer;

/// The other schemes read the sectors that a step needs, or of the rows all.
bool copies_entries(const Policy& policy) {
  return policy.scheme == Scheme::memory_cooperative;
}

RowsRead rows_read_by(const Policy& policy) {
  if (policy.whole_entries) return RowsRead::all_rows;
  return copies_entries(policy) ? RowsRead::all_of_entry : RowsRead::counted;
}

/// Threads for each query whose next entries are asked for at a time. Those that read for each other are at
/// as many LF mappings, each half of a query, as the warp has groups of them.
double threads_per_access(const Policy& policy) {
  if (policy.scheme == Scheme::full_cooperative_split) return 2.0 * policy.lanes_per_entry;
  return static_cast<double>(policy.lanes_per_query) / policy.queries_in_flight;
}

/// Queries that the device sorts share lines, as those that the host sorted.
constexpr const char* kOrderedOnDevice =
    "queries in order share lines of the index, which random accesses do not";

class CudaSearch final : public SearchSession {
 public:
  /// @param window_of  by number of a multiprocessor, of one_hot_routed
  CudaSearch(FmProblem& problem, const SearchPoint& at, CudaDevice& device,
             const std::filesystem::path& cache_dir, const Windows& window_of)
      : SearchSession(problem, host_index(problem, at, {&device}), rows_read_by(at.policy)),
        at_(at),
        device_(device),
        kernel_(search_kernel_on(device, at, cache_dir)),
        device_index_(device_index_of(*index_, IndexOn::one, device)),
        intervals_(device, count() * interval_bytes(at.policy)),
        notes_(window_of.notes) {
    if (at.policy.scheme == Scheme::one_hot_routed)
      route_queries(window_of);
    else
      queries_ = DeviceQueries(problem.queries(), {0, count()}, device);
    upload_s_ = routes_ ? routes_->upload_s() : queries_.upload_s();
    if (at.order && count() > 0)
      order_.emplace(OrderArguments{queries_.view(), *at.order, even_units(problem.queries())},
                     at.policy.wide, device);
    arguments_ = search_arguments(at.policy, device_index_->view(*index_, 0),
                                  order_ ? order_->queries() : queries_.view(),
                                  order_ ? order_->found() : intervals_.as<void>());
    arguments_.queries.count = static_cast<u32>(count());  // of routed ones nothing else is told
    blocks_ = search_blocks(at, *kernel_, device, count(), notes_);
  }

  void launch() override {
    launched_ = true;
    if (count() == 0) return;
    if (routes_) return routes_->launch(*kernel_, at_.policy, blocks_, arguments_);
    if (order_) order_->sort();
    std::array<void*, 1> arguments{&arguments_};
    kernel_->launch(blocks_, at_.policy.threads_per_block, at_.policy.shared_bytes(), arguments);
    if (order_) order_->give_back(intervals_.as<void>());
  }

  std::vector<Interval<u64>> answers() override {
    if (!launched_) launch();
    std::vector<Interval<u64>> answers(count());
    download_s_.push_back(download_intervals(at_.policy, intervals_, device_, answers));
    return answers;
  }

  std::optional<Resources> resources() const override {
    return kernel_->resources(blocks_, at_.policy.threads_per_block, at_.policy.shared_bytes());
  }

  HeldMemory held() const override {
    return HeldMemory()
        .add(kIndexPart, device_index_->index_bytes(0))
        .add(kPrefixTablePart, device_index_->prefix_bytes(0))
        .add(kWorkspacePart, order_ ? order_->bytes() : 0)
        .add(kQueriesPart, queries_.bytes() + (routes_ ? routes_->bytes() : 0))
        .add(kOutputPart, intervals_.size());
  }

  /// An index that was there already has the time of when it came.
  std::map<std::string, std::vector<double>> side_samples_s() override {
    std::map<std::string, std::vector<double>> samples = SearchSession::side_samples_s();
    samples["upload"] = {upload_s_};
    samples["upload_index"] = {device_index_->upload_s()};
    if (routes_) samples["route_queries"] = {route_s_};
    if (!download_s_.empty()) samples["download"] = download_s_;
    return samples;
  }

  nlohmann::json facts() const override {
    nlohmann::json facts = SearchSession::facts();
    facts["resident_threads"] = std::uint64_t{blocks_} * at_.policy.threads_per_block;
    return facts;
  }

  std::vector<std::string> notes() const override {
    std::vector<std::string> notes = SearchSession::notes();
    notes.insert(notes.end(), notes_.begin(), notes_.end());
    return notes;
  }

 protected:
  std::string why_no_bound() const override {
    const std::string reason = SearchSession::why_no_bound();
    return reason.empty() && at_.order ? kOrderedOnDevice : reason;
  }

  Traffic traffic() const override {
    Traffic traffic = SearchSession::traffic();
    if (copies_entries(at_.policy)) traffic.block_bytes = at_.policy.layout().entry_bytes();
    keep_to_window(traffic, at_.windows);
    // Lanes follow their queries to the end before they take others.
    const double lanes = static_cast<double>(blocks_) * at_.policy.threads_per_block;
    const double queries = std::min(static_cast<double>(count()), lanes / threads_per_access(at_.policy));
    traffic.in_flight = queries * most_blocks_of_step(at_.policy.layout());
    return traffic;
  }

 private:
  std::size_t count() const { return problem_.queries().begin.size(); }

  void route_queries(const Windows& windows) {
    const auto start = std::chrono::steady_clock::now();
    const RoutedQueries routed = route(problem_.queries(), at_.prefix_symbols, at_.policy.k);
    route_s_ = seconds_since(start);
    routes_.emplace(routed, at_.windows, windows.window_of, at_.streams, device_);
  }

  SearchPoint at_;
  CudaDevice& device_;
  std::shared_ptr<cuda::Kernel> kernel_;
  std::shared_ptr<const DeviceIndex> device_index_;
  DeviceBuffer intervals_;
  DeviceQueries queries_;
  std::optional<DeviceRoutes> routes_;  // instead of queries_
  std::optional<DeviceOrder> order_;    // where queries are sorted before they are searched
  SearchArguments arguments_{};
  unsigned blocks_ = 1;
  double upload_s_ = 0, route_s_ = 0;
  std::vector<double> download_s_;
  bool launched_ = false;
  std::vector<std::string> notes_;
};

/// The memory of a session on one device.
HeldMemory held_on_one(const SearchPoint& at, const SearchSizes& sizes) {
  const Layout layout = layout_for(at.policy.layout(), sizes);
  const u64 count = sizes.queries.count;
  const u64 interval_bytes = layout.wide ? sizeof(Interval<u64>) : sizeof(Interval<u32>);
  return HeldMemory()
      .add(kIndexPart, index_bytes_at_most(layout, sizes))
      .add(kPrefixTablePart, prefix_bytes(layout, at.prefix_symbols))
      .add(kWorkspacePart, at.order ? order_bytes_at_most(count, interval_bytes) : 0)
      .add(kQueriesPart, at.policy.scheme == Scheme::one_hot_routed ? route_bytes_at_most(at, sizes.queries)
                                                                    : device_query_bytes(sizes.queries))
      .add(kOutputPart, count * interval_bytes);
}

}  // namespace

std::unique_ptr<SearchSession> prepare_search(FmProblem& problem, SearchPoint at, cuda::CudaDevice& device) {
  at.policy.wide = problem.wide();
  if (at.index_on != IndexOn::one)
    return prepare_on_peers(
        problem, at, device,
        cuda::open_peers(device, at.gpus - 1,
                         at.index_on == IndexOn::parts ? cuda::PeerAccess::all : cuda::PeerAccess::none));
  const Windows windows =
      at.policy.scheme == Scheme::one_hot_routed
          ? windows_of(at, *host_index(problem, at, {&device}), device, problem.cache_dir())
          : Windows();
  return std::make_unique<CudaSearch>(problem, at, device, problem.cache_dir(), windows);
}

Cost search_cost(const SearchPoint& at, const StateOutline& state) {
  const Policy& policy = at.policy;
  Cost cost = search_cost(policy.layout(), at.prefix_symbols, state);
  const SearchSizes sizes = search_sizes(state);
  cost.held = at.index_on == IndexOn::one ? held_on_one(at, sizes) : held_on_peers(at, sizes);
  if (!cost.traffic) return cost;
  if (at.order) cost.why_no_bound = kOrderedOnDevice;
  if (at.index_on == IndexOn::copies) cost.why_no_bound = cuda::kNoBoundOfGpus;
  if (!cost.why_no_bound.empty()) {
    cost.traffic.reset();
    return cost;
  }
  cost.traffic->footprint_bytes /= u64{at.windows} * at.parts();
  if (copies_entries(policy))
    cost.traffic->least_block_bytes = cost.traffic->block_bytes = policy.layout().entry_bytes();
  return cost;
}

}  // namespace gpuseq::fm_index
