#include "kernels/fm_index/cuda/device_order.hpp"

#include "kernels/fm_index/cuda/device_order_launch.hpp"
#include "kernels/fm_index/data/query_packing.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::fm_index {
namespace {

using cuda::CudaDevice;
using cuda::CudaError;
using cuda::DeviceBuffer;

void check_launch(const char* failed, const char* what) {
  if (failed != nullptr) throw CudaError(std::string(what) + ": " + failed);
}

DeviceBuffer scratch_on(CudaDevice& device, const OrderArguments& arguments) {
  device.make_current();
  std::size_t bytes = 0;
  if (const char* failed = scratch_for_order(arguments.queries.count, 2 * arguments.key.bases, bytes))
    throw ResourceError(std::string("queries cannot be sorted on ") + device.id() + ": " + failed);
  return {device, bytes};
}

}  // namespace

u32 even_units(const Queries& queries) {
  if (queries.begin.empty()) return 0;
  const u32 bases = queries.bases.front();
  const u64 units = packed_words(bases) / 4;
  for (std::size_t i = 0; i < queries.begin.size(); ++i)
    if (queries.bases[i] != bases || queries.begin[i] != i * units) return 0;
  return static_cast<u32>(units);
}

u64 order_bytes_at_most(u64 queries, u64 interval_bytes) {
  if (queries == 0) return 0;
  // CUB's one-sweep radix sort takes 1 KiB per tile of 4096 keys or more, and histograms of 256 digits for
  // four passes over each 2^28 keys.
  constexpr u64 kHistogramsBytes = u64{64} << 10;
  return queries * (4 * sizeof(u32) + interval_bytes) + queries / 4 + kHistogramsBytes;
}

DeviceOrder::DeviceOrder(const OrderArguments& arguments, bool wide, CudaDevice& device)
    : device_(device), arguments_(arguments), wide_(wide), scratch_(scratch_on(device, arguments)) {
  const std::size_t queries = arguments.queries.count;
  for (DeviceBuffer* buffer : {&keys_[0], &keys_[1], &numbers_[0], &numbers_[1]})
    *buffer = DeviceBuffer(device, queries * sizeof(u32));
  found_ = DeviceBuffer(device, queries * (wide ? sizeof(Interval<u64>) : sizeof(Interval<u32>)));
}

QueryView DeviceOrder::queries() const {
  const bool even = arguments_.even_units != 0;
  return {arguments_.queries.packed, keys_[0].as<const u32>(),
          even ? arguments_.queries.bases : keys_[1].as<const u32>(), arguments_.queries.count};
}

void DeviceOrder::sort() {
  device_.make_current();
  const OrderMemory memory{.keys = {keys_[0].as<u32>(), keys_[1].as<u32>()},
                           .numbers = {numbers_[0].as<u32>(), numbers_[1].as<u32>()},
                           .scratch = scratch_.as<void>(),
                           .scratch_bytes = scratch_.size()};
  check_launch(launch_order(arguments_, memory, sorted_, device_.stream()), "sorting queries");
  check_launch(launch_places(arguments_, sorted_, memory.keys[0], memory.keys[1], device_.stream()),
               "putting queries in order");
}

void DeviceOrder::give_back(void* intervals) {
  device_.make_current();
  check_launch(
      launch_give_back(arguments_.queries.count, sorted_, found(), intervals, wide_, device_.stream()),
      "putting answers where their queries came from");
}

std::size_t DeviceOrder::bytes() const {
  return keys_[0].size() + keys_[1].size() + numbers_[0].size() + numbers_[1].size() + scratch_.size() +
         found_.size();
}

}  // namespace gpuseq::fm_index
