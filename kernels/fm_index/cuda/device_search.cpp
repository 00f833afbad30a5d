#include "kernels/fm_index/cuda/device_search.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "kernels/common/load_kernel.hpp"
#include "kernels/fm_index/data/intervals.hpp"
#include "kernels/fm_index/data/query_packing.hpp"
#include "kernels/fm_index/data/rank.hpp"
#include "runtime/contract/unsupported.hpp"
#include "runtime/io/embedded.hpp"

namespace gpuseq::fm_index {
namespace {

GPUSEQ_EMBEDDED(fm_index_fatbin)

using cuda::CudaDevice;
using cuda::DeviceBuffer;

constexpr u64 kUnitWords = 4;  // the unit of QueryView::begin
// A query without bases may begin at the end; the kernel reads 16 bytes there too.
constexpr std::size_t kSpareBytes = 16;

}  // namespace

std::shared_ptr<cuda::Kernel> search_kernel_on(CudaDevice& device, const SearchPoint& at,
                                               const std::filesystem::path& cache_dir) {
  return load_kernel(search_kernels(), at.policy, at.ahead_of_time, embedded_fm_index_fatbin(),
                     device_headers(), device, cache_dir);
}

DeviceQueries::DeviceQueries(const Queries& queries, QueryRange range, CudaDevice& device)
    : count_(static_cast<u32>(range.count)) {
  if (range.count >= u64{1} << 31)
    throw Unsupported(
        fmt::format("{} queries: the CUDA variants take at most 2^31 - 1 at a time", range.count));
  const auto part_of = [range](const std::vector<u32>& all) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(range.first);
    return std::vector<u32>(first, first + static_cast<std::ptrdiff_t>(range.count));
  };
  std::vector<u32> begin = part_of(queries.begin);
  const std::vector<u32> bases = part_of(queries.bases);
  // If queries are sorted, those of a range lie anywhere among the others.
  u64 least = range.count == 0 ? 0 : begin.front(), end = least;
  for (std::size_t i = 0; i < range.count; ++i) {
    least = std::min<u64>(least, begin[i]);
    end = std::max<u64>(end, begin[i] + packed_words(bases[i]) / kUnitWords);
  }
  for (u32& at : begin) at -= static_cast<u32>(least);
  const std::span packed = std::span(queries.packed).subspan(least * kUnitWords, (end - least) * kUnitWords);
  packed_ = DeviceBuffer(device, packed.size_bytes() + kSpareBytes);
  begin_ = DeviceBuffer(device, range.count * sizeof(u32));
  bases_ = DeviceBuffer(device, range.count * sizeof(u32));
  upload_s_ = device.time_s([&] {
    packed_.upload(std::as_bytes(packed));
    begin_.upload(begin);
    bases_.upload(bases);
  });
}

u64 device_query_bytes(const QuerySizes& queries) {
  return queries.bytes() + kSpareBytes;
}

SearchArguments search_arguments(const Policy& policy, const IndexView& index, const QueryView& queries,
                                 void* intervals) {
  SearchArguments arguments{};
  arguments.index = index;
  arguments.queries = queries;
  arguments.intervals = intervals;
  arguments.superblock_reciprocal = policy.wide ? reciprocal(index.superblock_rows / policy.d) : 0;
  return arguments;
}

unsigned search_blocks(const SearchPoint& at, cuda::Kernel& kernel, const CudaDevice& device,
                       std::size_t queries, std::vector<std::string>& notes) {
  const Policy& policy = at.policy;
  if (policy.shared_bytes() > 0) kernel.allow_shared_bytes(policy.shared_bytes());
  const u32 fit = static_cast<u32>(kernel.resident_blocks(policy.threads_per_block, policy.shared_bytes()));
  u32 resident = fit;
  if (at.active_threads != 0) {
    const u32 wanted = at.active_threads / policy.threads_per_block;
    resident = std::min(fit, wanted);
    if (fit < wanted)
      notes.push_back(fmt::format("{} of {} active threads fit on a multiprocessor",
                                  fit * policy.threads_per_block, at.active_threads));
  }
  const u64 needed =
      (u64{queries} * policy.lanes_per_query + policy.threads_per_block - 1) / policy.threads_per_block;
  const u64 one_wave = u64{resident} * static_cast<u64>(device.multiprocessors());
  return static_cast<unsigned>(std::max<u64>(1, std::min(needed, one_wave)));
}

std::size_t interval_bytes(const Policy& policy) {
  return policy.wide ? sizeof(Interval<u64>) : sizeof(Interval<u32>);
}

double download_intervals(const Policy& policy, const DeviceBuffer& intervals, CudaDevice& device,
                          std::span<Interval<u64>> to) {
  const auto copy = [&](std::span<std::byte> bytes) {
    return device.time_s([&] { intervals.download(bytes); });
  };
  if (policy.wide) return copy(std::as_writable_bytes(to));
  std::vector<Interval<u32>> narrow(to.size());
  const double seconds = copy(std::as_writable_bytes(std::span(narrow)));
  widen(narrow, to);
  return seconds;
}

}  // namespace gpuseq::fm_index
