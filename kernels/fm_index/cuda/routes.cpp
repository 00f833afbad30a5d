#include "kernels/fm_index/cuda/routes.hpp"

#include <algorithm>
#include <array>

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

RoutedQueries route(const Queries& queries, u32 prefix_symbols, u32 k) {
  const std::size_t count = queries.begin.size();
  RoutedQueries routed{.openings = std::vector<u32>(count), .steps_of = std::vector<u32>(count)};
  const auto symbols_of = [&](std::size_t query) {
    return prefix_length(queries.bases[query], prefix_symbols, k);
  };
  for (std::size_t query = 0; query < count; ++query) {
    routed.steps_of[query] = (queries.bases[query] - symbols_of(query)) / k;
    routed.steps = std::max(routed.steps, routed.steps_of[query]);
  }
  routed.pitch = (count + kPortion - 1) / kPortion * kPortion;
  routed.words.resize(routed.steps * routed.pitch);
  for (std::size_t query = 0; query < count; ++query) {
    const u32* packed = queries.packed.data() + u64{queries.begin[query]} * 4;
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

DeviceRoutes::DeviceRoutes(const RoutedQueries& queries, u32 windows, const cuda::SmWindows& window_of,
                           CudaDevice& device)
    : words_(made(device, queries.words.size())),
      openings_(made(device, queries.openings.size() * sizeof(u32))),
      steps_of_(made(device, queries.steps_of.size() * sizeof(u32))),
      window_of_(made(device, window_of.size())),
      taken_(made(device, u64{queries.steps} * windows * sizeof(u32))),
      steps_(queries.steps) {
  upload_s_ = device.time_s([&] {
    words_.upload(queries.words);
    openings_.upload(queries.openings);
    steps_of_.upload(queries.steps_of);
    window_of_.upload(window_of);
  });
  routes_ = {.words = words_.as<const u8>(),
             .openings = openings_.as<const u32>(),
             .steps = queries.steps_of.empty() ? nullptr : steps_of_.as<const u32>(),
             .window_of = window_of_.as<const u8>(),
             .taken = taken_.as<u32>(),
             .pitch = queries.pitch,
             .step = kOpeningStep,
             .windows = windows};
}

void DeviceRoutes::launch(cuda::Kernel& kernel, const Policy& policy, u32 blocks, SearchArguments arguments) {
  taken_.fill(0);
  arguments.routes = routes_;
  const std::array<void*, 1> pointers{&arguments};
  const auto enqueue = [&] {
    kernel.launch(blocks, policy.threads_per_block, policy.shared_bytes(), pointers);
  };
  enqueue();
  for (u32 step = 0; step < steps_; ++step) {
    arguments.routes.step = step;
    arguments.routes.taken = routes_.taken + u64{step} * routes_.windows;
    enqueue();
  }
}

std::size_t DeviceRoutes::bytes() const {
  return words_.size() + openings_.size() + steps_of_.size() + window_of_.size() + taken_.size();
}

}  // namespace gpuseq::fm_index
