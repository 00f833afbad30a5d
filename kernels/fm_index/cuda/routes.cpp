#include "kernels/fm_index/cuda/routes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "kernels/fm_index/cuda/device_search.hpp"
#include "kernels/fm_index/data/verify.cuh"
#include "runtime/cuda/device/warp.cuh"

namespace gpuseq::fm_index {
namespace {

using cuda::CudaDevice;
using cuda::DeviceBuffer;

constexpr u64 kPortion = u64{kWarp} * kRoutedOfLane;

DeviceBuffer made(CudaDevice& device, std::size_t bytes) {
  return {device, std::max<std::size_t>(bytes, kPortion)};
}

}  // namespace

u64 route_bytes_at_most(const SearchPoint& at, const QuerySizes& queries) {
  if (!queries.known) return 0;
  constexpr u64 kMostParts = 6, kMostMultiprocessors = 256;  // GPUs of 2025 have up to 192
  const u64 count = queries.count, seats = kMostMultiprocessors + at.windows;
  const u64 pitch = (count + kPortion - 1) / kPortion * kPortion;
  const u64 steps = steps_of_query(queries.longest, at.prefix_symbols, at.policy.k);
  const u64 steps_of = queries.are_alike() ? 0 : count;
  // The longest query of a file is not known, and may have all of its letters.
  const double words = static_cast<double>(steps) * static_cast<double>(pitch);
  return static_cast<u64>(std::min(words, 1e18)) + (count + steps_of) * sizeof(u32) + seats * sizeof(Seat) +
         cuda::kMostMultiprocessors * sizeof(u32) + at.streams * steps * seats * kTakenStride * sizeof(u32) +
         kMostParts * kPortion;
}

RoutedQueries route(const Queries& queries, u32 prefix_symbols, u32 k, std::optional<QueryRange> range) {
  const auto [first, count] = range.value_or(QueryRange{0, queries.begin.size()});
  RoutedQueries routed{.openings = std::vector<u32>(count), .steps_of = std::vector<u32>(count)};
  const u32* const begin = queries.begin.data() + first;
  const u32* const bases = queries.bases.data() + first;
  const auto symbols_of = [&](std::size_t query) { return prefix_length(bases[query], prefix_symbols, k); };
  for (std::size_t query = 0; query < count; ++query) {
    routed.steps_of[query] = (bases[query] - symbols_of(query)) / k;
    routed.steps = std::max(routed.steps, routed.steps_of[query]);
  }
  routed.pitch = (count + kPortion - 1) / kPortion * kPortion;
  routed.words.resize(routed.steps * routed.pitch);
  for (std::size_t query = 0; query < count; ++query) {
    const u32* packed = queries.packed.data() + u64{begin[query]} * 4;
    const auto word_at = [packed](u32 number) { return packed[number]; };
    u32 at = symbols_of(query);
    routed.openings[query] = static_cast<u32>(prefix_slot(at, at == 0 ? 0 : query_symbols(0, at, word_at)));
    for (u32 step = 0; step < routed.steps_of[query]; ++step, at += k)
      routed.words[step * routed.pitch + query] = static_cast<u8>(query_symbols(at, k, word_at));
  }
  if (std::ranges::all_of(routed.steps_of, [&](u32 steps) { return steps == routed.steps; }))
    routed.steps_of.clear();
  return routed;
}

Seats seats_of(const cuda::SmWindows& window_of, u32 windows, u32 count) {
  Seats all{.seats = {}, .seat_of = std::vector<u32>(window_of.size())};
  for (u32 window = 0; window < windows; ++window) {
    const std::size_t first = all.seats.size();
    for (u32 number = 0; number < count; ++number) {
      if (window_of[number] != window) continue;
      all.seat_of[number] = static_cast<u32>(all.seats.size());
      all.seats.push_back({window, static_cast<u32>(all.seats.size() - first), 0});
    }
    // A window has a seat, too, if no multiprocessor has the window.
    if (all.seats.size() == first) all.seats.push_back({window, 0, 0});
    for (std::size_t i = first; i < all.seats.size(); ++i)
      all.seats[i].count = static_cast<u32>(all.seats.size() - first);
  }
  return all;
}

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

void keep_to_window(Traffic& traffic, u32 windows) {
  const auto kept = [&](std::size_t bytes) { return bytes / windows; };
  traffic.footprint_bytes = kept(traffic.footprint_bytes);
  for (TrafficClass& one : traffic.classes) {
    one.spread_bytes = kept(one.spread_bytes);
    one.footprint_bytes = std::min(one.footprint_bytes, traffic.footprint_bytes);
  }
}

DeviceRoutes::DeviceRoutes(const RoutedQueries& queries, u32 windows, const cuda::SmWindows& window_of,
                           u32 streams, CudaDevice& device, const std::optional<Crossing>& crossing)
    : device_(&device),
      words_(made(device, queries.words.size())),
      openings_(made(device, queries.openings.size() * sizeof(u32))),
      steps_of_(made(device, queries.steps_of.size() * sizeof(u32))),
      steps_(queries.steps),
      batch_(static_cast<u32>((queries.pitch / streams + kPortion - 1) / kPortion * kPortion)) {
  for (u64 first = batch_; first < queries.openings.size(); first += batch_)
    sides_.push_back(std::make_unique<cuda::SideStream>(device));
  Seats seats = seats_of(window_of, windows, static_cast<u32>(device.multiprocessors()));
  if (crossing)
    for (Seat& seat : seats.seats) seat.window += crossing->device * windows;
  seats_ = made(device, seats.seats.size() * sizeof(Seat));
  seat_of_ = made(device, seats.seat_of.size() * sizeof(u32));
  taken_ = made(device, u64{streams} * steps_ * seats.seats.size() * kTakenStride * sizeof(u32));
  upload_s_ = device.time_s([&] {
    words_.upload(queries.words);
    openings_.upload(queries.openings);
    steps_of_.upload(queries.steps_of);
    seats_.upload(seats.seats);
    seat_of_.upload(seats.seat_of);
  });
  routes_ = {.words = words_.as<const u8>(),
             .openings = openings_.as<const u32>(),
             .steps = queries.steps_of.empty() ? nullptr : steps_of_.as<const u32>(),
             .seats = seats_.as<const Seat>(),
             .seat_of = seat_of_.as<const u32>(),
             .taken = taken_.as<u32>(),
             .pitch = queries.pitch,
             .step = kOpeningStep,
             .step_count = steps_,
             .seat_count = static_cast<u32>(seats.seats.size()),
             .windows = crossing ? crossing->devices * windows : windows,
             .crossing = crossing.value_or(Crossing())};
}

void DeviceRoutes::begin() {
  taken_.fill(0);
  for (const auto& side : sides_) side->fork();
}

void DeviceRoutes::end() {
  for (const auto& side : sides_) side->join();
}

SearchArguments arguments_of_step(const SearchArguments& all, const Policy& policy, u32 step, u32 first,
                                  u32 most) {
  const std::size_t first_byte = first * interval_bytes(policy);
  const auto behind = [first_byte](void* intervals) {
    return intervals == nullptr ? nullptr : static_cast<std::byte*>(intervals) + first_byte;
  };
  SearchArguments arguments = all;
  arguments.queries.count = std::min(most, all.queries.count - first);
  arguments.intervals = behind(all.intervals);
  Routes& routes = arguments.routes;
  routes.step = step;
  routes.words += first;
  routes.openings += first;
  if (routes.steps != nullptr) routes.steps += first;
  for (void*& inbox : routes.crossing.inboxes) inbox = behind(inbox);
  return arguments;
}

void DeviceRoutes::enqueue(u32 step, u32 batch, cuda::Kernel& kernel, const Policy& policy, u32 blocks,
                           const SearchArguments& all) {
  SearchArguments arguments = all;
  arguments.routes = routes_;
  arguments = arguments_of_step(arguments, policy, step, batch * batch_, batch_);
  const u64 steps_before = step == kOpeningStep ? 0 : step;
  arguments.routes.taken += u64{routes_.seat_count} * kTakenStride * (u64{batch} * steps_ + steps_before);
  const std::array<void*, 1> pointers{&arguments};
  kernel.launch(blocks, policy.threads_per_block, policy.shared_bytes(), pointers, stream(batch));
}

void DeviceRoutes::launch(cuda::Kernel& kernel, const Policy& policy, u32 blocks,
                          const SearchArguments& arguments) {
  begin();
  for (u32 step = kOpeningStep; step == kOpeningStep || step < steps_; ++step)
    for (u32 batch = 0; batch < batches(); ++batch) enqueue(step, batch, kernel, policy, blocks, arguments);
  end();
}

std::size_t DeviceRoutes::bytes() const {
  return words_.size() + openings_.size() + steps_of_.size() + seats_.size() + seat_of_.size() +
         taken_.size();
}

}  // namespace gpuseq::fm_index
