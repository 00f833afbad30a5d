#include "kernels/fm_index/cuda/session.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

#include "kernels/common/device_copy.hpp"
#include "kernels/common/load_kernel.hpp"
#include "kernels/fm_index/cuda/device_order.hpp"
#include "kernels/fm_index/cuda/routes.hpp"
#include "kernels/fm_index/data/intervals.hpp"
#include "kernels/fm_index/expectation.hpp"
#include "kernels/fm_index/traffic.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/embedded.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::fm_index {
namespace {

GPUSEQ_EMBEDDED(fm_index_fatbin)

using cuda::CudaDevice;
using cuda::DeviceBuffer;

/// An index in device memory.
struct DeviceIndex {
  DeviceIndex(const Index& index, CudaDevice& on)
      : device(&on),
        entries(on, index.entries.size()),
        superblocks(on, index.superblocks.size() * sizeof(u64)),
        prefix(on, index.prefix.size()) {
    upload_s = on.time_s([&] {
      entries.upload(bytes_of(index.entries));
      superblocks.upload(index.superblocks);
      prefix.upload(bytes_of(index.prefix));
    });
  }
  const CudaDevice* device;
  DeviceBuffer entries, superblocks, prefix;
  double upload_s = 0;
};

std::shared_ptr<const Index> host_index(FmProblem& problem, const SearchPoint& at, const CudaDevice& device) {
  const Layout layout = at.policy.layout();
  problem.require(layout);
  constexpr u64 kMostRows = u64{1} << 37;  // numbers of entries are 32 bits, one of them a flag
  if (problem.bases() >= kMostRows)
    throw ResourceError(fmt::format("the CUDA variants search texts of less than {} bases, this one has {}",
                                    kMostRows, problem.bases()));
  const u64 bytes = entries_bytes(layout, problem.bases() + 1) + prefix_bytes(layout, at.prefix_symbols);
  if (bytes > device.total_bytes())
    throw DoesNotFit(fmt::format("an index of {} bytes does not fit on {}, which has {} bytes", bytes,
                                 device.id(), device.total_bytes()));
  return problem.index(layout, at.prefix_symbols);
}

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

/// Sorted on the device, queries share what they touch as those that were put in order before.
constexpr const char* kOrderedOnDevice = "queries in order share what they touch";

/// A window for each multiprocessor, and what there is to say of it.
struct Windows {
  cuda::SmWindows window_of = {};
  std::vector<std::string> notes = {};
};

/// @param index  its copy on the device may be given back: to find groups takes the memory
Windows windows_of(const SearchPoint& at, const Index& index, CudaDevice& device,
                   const std::filesystem::path& cache_dir) {
  const auto multiprocessors = static_cast<std::size_t>(device.multiprocessors());
  if (!at.by_sm_group) return {cuda::windows_by_number(at.windows, multiprocessors), {}};
  Maybe<cuda::SmWindows> found =
      cuda::windows_by_sm_group(device, at.windows, cache_dir, [&index] { index.device_copy.reset(); });
  if (found.value) return {std::move(*found.value), {}};
  return {cuda::windows_by_number(at.windows, multiprocessors),
          {fmt::format("windows are by number of the multiprocessor: {}", found.reason)}};
}

/// Of what a multiprocessor reads in its window, as far as it comes to all memory.
void keep_to_window(Traffic& traffic, u32 windows) {
  const auto kept = [&](std::size_t bytes) { return bytes / windows; };
  traffic.footprint_bytes = kept(traffic.footprint_bytes);
  for (TrafficClass& one : traffic.classes) {
    one.spread_bytes = kept(one.spread_bytes);
    one.footprint_bytes = std::min(one.footprint_bytes, traffic.footprint_bytes);
  }
}

class CudaSearch final : public SearchSession {
 public:
  /// @param window_of  by number of a multiprocessor, of one_hot_routed
  CudaSearch(FmProblem& problem, const SearchPoint& at, CudaDevice& device,
             const std::filesystem::path& cache_dir, const Windows& window_of)
      : SearchSession(problem, host_index(problem, at, device), rows_read_by(at.policy)),
        at_(at),
        device_(device),
        kernel_(load_kernel(search_kernels(), at.policy, at.ahead_of_time, embedded_fm_index_fatbin(),
                            device_headers(), device, cache_dir)),
        device_index_(device_copy_of<DeviceIndex>(*index_, device)),
        intervals_(device, count() * interval_bytes()),
        notes_(window_of.notes) {
    if (at.policy.scheme == Scheme::one_hot_routed)
      route_queries(window_of);
    else
      upload_queries();
    if (at.order && count() > 0)
      order_.emplace(OrderArguments{uploaded(), *at.order, even_units(problem.queries())}, at.policy.wide,
                     device);
    set_arguments();
    choose_grid();
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
    return at_.policy.wide ? download<u64>() : download<u32>();
  }

  std::optional<Traffic> traffic() const override {
    if (at_.order) return std::nullopt;
    std::optional<Traffic> traffic = SearchSession::traffic();
    if (traffic && copies_entries(at_.policy)) traffic->block_bytes = at_.policy.layout().entry_bytes();
    if (traffic) keep_to_window(*traffic, at_.windows);
    // Lanes follow their queries to the end before they take others.
    if (traffic) {
      const double lanes = static_cast<double>(blocks_) * at_.policy.threads_per_block;
      const double queries = std::min(static_cast<double>(count()), lanes / threads_per_access(at_.policy));
      traffic->in_flight = queries * most_blocks_of_step(at_.policy.layout());
    }
    return traffic;
  }

  std::optional<Resources> resources() const override {
    return kernel_->resources(blocks_, at_.policy.threads_per_block, at_.policy.shared_bytes());
  }

  std::optional<HeldMemory> memory() const override {
    return HeldMemory()
        .add(kIndexPart, device_index_->entries.size() + device_index_->superblocks.size())
        .add(kPrefixTablePart, device_index_->prefix.size())
        .add(kWorkspacePart, order_ ? order_->bytes() : 0)
        .add(kQueriesPart, packed_.size() + begin_.size() + bases_.size() + (routes_ ? routes_->bytes() : 0))
        .add(kOutputPart, intervals_.size());
  }

  /// An index that was there already has the time of when it came.
  std::map<std::string, std::vector<double>> side_samples_s() override {
    std::map<std::string, std::vector<double>> samples = SearchSession::side_samples_s();
    samples["upload"] = {upload_s_};
    samples["upload_index"] = {device_index_->upload_s};
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

 private:
  std::size_t count() const { return problem_.queries().begin.size(); }
  std::size_t interval_bytes() const {
    return at_.policy.wide ? sizeof(Interval<u64>) : sizeof(Interval<u32>);
  }

  void route_queries(const Windows& windows) {
    const auto start = std::chrono::steady_clock::now();
    const RoutedQueries routed = route(problem_.queries(), at_.prefix_symbols, at_.policy.k);
    route_s_ = seconds_since(start);
    routes_.emplace(routed, at_.windows, windows.window_of, at_.streams, device_);
    upload_s_ = routes_->upload_s();
  }

  void upload_queries() {
    const Queries& queries = problem_.queries();
    if (count() >= u64{1} << 31)
      throw ResourceError(
          fmt::format("{} queries: the CUDA variants take at most 2^31 - 1 at a time", count()));
    // A query without bases may begin at the end; the kernel reads 16 bytes there too.
    constexpr std::size_t kSpareBytes = 16;
    packed_ = DeviceBuffer(device_, queries.packed.size() * sizeof(u32) + kSpareBytes);
    begin_ = DeviceBuffer(device_, count() * sizeof(u32));
    bases_ = DeviceBuffer(device_, count() * sizeof(u32));
    upload_s_ = device_.time_s([&] {
      packed_.upload(queries.packed);
      begin_.upload(queries.begin);
      bases_.upload(queries.bases);
    });
  }

  QueryView uploaded() const {
    return {packed_.as<const u32>(), begin_.as<const u32>(), bases_.as<const u32>(),
            static_cast<u32>(count())};
  }

  void set_arguments() {
    arguments_.index = index_->view;
    arguments_.index.entries = device_index_->entries.as<const u8>();
    arguments_.index.superblocks = device_index_->superblocks.as<const u64>();
    arguments_.index.prefix = device_index_->prefix.as<const void>();
    arguments_.queries = order_ ? order_->queries() : uploaded();
    arguments_.intervals = order_ ? order_->found() : intervals_.as<void>();
    arguments_.superblock_reciprocal =
        at_.policy.wide ? reciprocal(index_->view.superblock_rows / at_.policy.d) : 0;
  }

  /// One wave of blocks, no more than there is work for.
  void choose_grid() {
    const Policy& policy = at_.policy;
    if (policy.shared_bytes() > 0) kernel_->allow_shared_bytes(policy.shared_bytes());
    const u32 fit =
        static_cast<u32>(kernel_->resident_blocks(policy.threads_per_block, policy.shared_bytes()));
    u32 resident = fit;
    if (at_.active_threads != 0) {
      const u32 wanted = at_.active_threads / policy.threads_per_block;
      resident = std::min(fit, wanted);
      if (fit < wanted)
        notes_.push_back(fmt::format("{} of {} active threads fit on a multiprocessor",
                                     fit * policy.threads_per_block, at_.active_threads));
    }
    const u64 needed =
        (u64{count()} * policy.lanes_per_query + policy.threads_per_block - 1) / policy.threads_per_block;
    const u64 one_wave = u64{resident} * static_cast<u64>(device_.multiprocessors());
    blocks_ = static_cast<unsigned>(std::max<u64>(1, std::min(needed, one_wave)));
  }

  template <typename Position>
  std::vector<Interval<u64>> download() {
    std::vector<Interval<Position>> intervals(count());
    download_s_.push_back(
        device_.time_s([&] { intervals_.download(std::as_writable_bytes(std::span(intervals))); }));
    if constexpr (std::is_same_v<Position, u64>) {
      return intervals;
    } else {
      std::vector<Interval<u64>> answers(count());
      widen(intervals, answers);
      return answers;
    }
  }

  SearchPoint at_;
  CudaDevice& device_;
  std::shared_ptr<cuda::Kernel> kernel_;
  std::shared_ptr<const DeviceIndex> device_index_;
  DeviceBuffer packed_, begin_, bases_, intervals_;
  std::optional<DeviceRoutes> routes_;  // in place of packed queries
  std::optional<DeviceOrder> order_;    // where queries are sorted before they are searched
  SearchArguments arguments_{};
  unsigned blocks_ = 1;
  double upload_s_ = 0, route_s_ = 0;
  std::vector<double> download_s_;
  bool launched_ = false;
  std::vector<std::string> notes_;
};

}  // namespace

std::unique_ptr<SearchSession> prepare_search(FmProblem& problem, SearchPoint at, cuda::CudaDevice& device) {
  at.policy.wide = problem.wide();
  const Windows windows = at.policy.scheme == Scheme::one_hot_routed
                              ? windows_of(at, *host_index(problem, at, device), device, problem.cache_dir())
                              : Windows();
  return std::make_unique<CudaSearch>(problem, at, device, problem.cache_dir(), windows);
}

Maybe<Expectation> search_expectation(const SearchPoint& at, const StateOutline& state) {
  const Policy& policy = at.policy;
  if (at.order) return {std::nullopt, std::string(kOrderedOnDevice) + ", how much depends on them"};
  Maybe<Expectation> found =
      search_expectation(policy.layout(), at.prefix_symbols, rows_read_by(policy), state);
  if (!found.value) return found;
  if (copies_entries(policy)) found.value->traffic->block_bytes = policy.layout().entry_bytes();
  keep_to_window(*found.value->traffic, at.windows);
  found.value->threads_per_access = threads_per_access(policy);
  found.value->threads_per_multiprocessor = at.active_threads;
  return found;
}

Needs search_needs(const SearchPoint& at, const StateOutline& state) {
  const Policy& policy = at.policy;
  Needs needs = search_needs(policy.layout(), state);
  if (!needs.traffic) return needs;
  if (at.order) return {.reason_for_none = std::string(kOrderedOnDevice) + ", which random access does not"};
  needs.traffic->footprint_bytes /= at.windows;
  if (copies_entries(policy))
    needs.traffic->least_block_bytes = needs.traffic->most_block_bytes = policy.layout().entry_bytes();
  return needs;
}

}  // namespace gpuseq::fm_index
