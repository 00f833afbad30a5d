#include "kernels/exact_match/cuda/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>

#include "kernels/common/load_kernel.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/embedded.hpp"
#include "runtime/system/host_memory.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::exact_match {
namespace {

GPUSEQ_EMBEDDED(exact_match_fatbin)

using cuda::CudaDevice;
using cuda::DeviceBuffer;

/// Approximate query letters for which a host thread lists matches at a time.
constexpr u64 kLettersATime = 250'000;

/// Grows the buffer to at least `bytes`; its content is lost. A buffer that grows again reserves extra space.
void grow(DeviceBuffer& buffer, CudaDevice& device, u64 bytes) {
  if (buffer.size() >= bytes) return;
  const u64 spare = buffer.size() == 0 ? 0 : bytes / 8;
  buffer = {};
  buffer = DeviceBuffer(
      device, bytes + std::min(spare, device.free_bytes() > bytes ? device.free_bytes() - bytes : u64{0}));
}

}  // namespace

void Staging::grow(CudaDevice& device, u64 bytes) {
  if (bytes <= bytes_) return;
  const u64 wanted = bytes_ == 0 ? bytes : bytes + bytes / 8;
  pinned_ = {};
  pageable_ = {};
  bytes_ = 0;
  require_host_memory(wanted, "the data to and from a device");
  try {
    pinned_ = cuda::PinnedBuffer(device, wanted);
    data_ = pinned_.as<std::byte>(0).data();
  } catch (const ResourceError&) {
    pageable_ = HugeBuffer(wanted);
    data_ = pageable_.data();
  }
  bytes_ = wanted;
}

template <typename Work>
void CudaSearch::timed(const char* phase, const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  phases_[phase] += seconds_since(start);
}

CudaSearch::CudaSearch(const MatchPoint& at, const Search& search, CudaDevice& device,
                       const std::filesystem::path& cache_dir, ThreadPool& pool)
    : at_(at), search_(search), device_(device), pool_(pool) {
  at_.keep_to(search.min_length);
  timed("load_kernel", [&] {
    kernel_ = load_kernel(match_kernels(), at_.policy, at_.ahead_of_time, embedded_exact_match_fatbin(),
                          device_headers(), device_, cache_dir);
  });
}

u64 CudaSearch::result_bytes() const {
  return at_.policy.listed ? tasks() * (kKeptMatches * sizeof(FoundMatch) + sizeof(u32))
                           : layout_.slots() * sizeof(Slot);
}

void CudaSearch::allocate() {
  const bool listed = at_.policy.listed;
  const std::array<std::pair<DeviceBuffer*, u64>, 7> wanted{{
      {&letters_, layout_.letters() + kSpareLetterBytes},
      {&begin_, layout_.begin.size() * sizeof(u64)},
      {&slot_begin_, listed ? 0 : layout_.slot_begin.size() * sizeof(u64)},
      {&order_, at_.sorted ? layout_.strands() * sizeof(u32) : 0},
      {&slots_, listed ? 0 : layout_.slots() * sizeof(Slot)},
      {&first_matches_, listed ? tasks() * kKeptMatches * sizeof(FoundMatch) : 0},
      {&counts_, listed ? tasks() * sizeof(u32) : 0},
  }};
  u64 needed = 0, given_back = 0;
  for (const auto& [buffer, bytes] : wanted)
    if (buffer->size() < bytes) {
      needed += bytes;
      given_back += buffer->size();
    }
  if (const u64 available = device_.free_bytes() + given_back; needed > available)
    throw DoesNotFit(
        fmt::format("{} strands of {} letters and their matches ({} bytes) need {} bytes; {} has {} free "
                    "(margin subtracted)",
                    layout_.strands(), layout_.letters(), result_bytes(), needed, device_.id(), available));
  for (const auto& [buffer, bytes] : wanted) grow(*buffer, device_, bytes);
}

void CudaSearch::take(const Queries& queries) {
  constexpr u64 kMostTasks = std::numeric_limits<u32>::max();
  queries_ = &queries;
  timed("strands", [&] { layout_ = strand_layout(queries, search_, at_.policy.computed); });
  if (tasks() > kMostTasks)
    throw DoesNotFit(fmt::format("{} strands with {} lanes each are {} tasks; at most {} at a time",
                                 layout_.strands(), at_.policy.lanes, tasks(), kMostTasks));
  allocate();
  const auto letters = letters_stage_.take<u8>(device_, layout_.letters());
  timed("strands", [&] { write_strands(queries, layout_, pool_, letters); });
  std::vector<u32> order;
  if (at_.sorted) timed("sort", [&] { order = sorted_strands(letters, layout_.begin, pool_); });
  timed("upload", [&] {
    letters_.upload(std::as_bytes(letters));
    begin_.upload(layout_.begin);
    if (!at_.policy.listed) slot_begin_.upload(layout_.slot_begin);
    order_.upload(order);
  });
  set_queries();
}

void CudaSearch::set_queries() {
  arguments_.min_length = search_.min_length;
  arguments_.unique = search_.mode == Mode::maxmatch ? 0 : 1;
  arguments_.letters = letters_.as<const u8>();
  arguments_.begin = begin_.as<const u64>();
  arguments_.strand_at = at_.sorted ? order_.as<const u32>() : nullptr;
  arguments_.strands = static_cast<u32>(layout_.strands());
  arguments_.strands_of_query = search_.strands();
  arguments_.slots = slots_.as<Slot>();
  arguments_.slot_begin = slot_begin_.as<const u64>();
  arguments_.matches = first_matches_.as<FoundMatch>();
  arguments_.counts = counts_.as<u32>();
  arguments_.kept = kKeptMatches;
  longer_ = {.tasks = {}, .begin = {0}};
}

void CudaSearch::use(const TreePart& part) {
  tree_ = {};  // frees memory if the other tree does not share it
  tree_ = tree_on_device(*part.tree, at_.policy, at_.letters, device_, pool_);
  part_ = part;
  if (tree_.tree_uploaded) phases_["upload_tree"] += tree_.tree->upload_s();
  tree_.tree->set(arguments_);
  if (tree_.words_made) {
    phases_["words"] += tree_.words->make_s();
    phases_["upload_tree"] += tree_.words->upload_s();
  }
  if (at_.policy.words) tree_.words->set(arguments_);
  arguments_.own_begin = part.own_begin;
  arguments_.own_end = part.own_end;
  longer_ = {.tasks = {}, .begin = {0}};
}

void CudaSearch::launch(MatchArguments& arguments, u64 tasks) {
  if (tasks == 0) return;
  std::array<void*, 1> pointers{&arguments};
  const u64 threads = at_.policy.threads;
  kernel_->launch(static_cast<unsigned>((tasks + threads - 1) / threads), at_.policy.threads, 0, pointers);
}

void CudaSearch::run() {
  phases_["kernel"] += device_.time_s([&] { launch(arguments_, tasks()); });
  if (!at_.policy.listed) return;
  timed("download", [&] {
    const auto counts = counts_stage_.take<u32>(device_, tasks());
    counts_.download(std::as_writable_bytes(counts));
    counts_found_ = counts;
  });
  timed("listing", [&] { longer_ = long_tasks(counts_found_, kKeptMatches); });
  if (longer_.tasks.empty()) return;
  prepare_second();
  phases_["kernel"] += device_.time_s([&] { launch(second_, longer_.tasks.size()); });
}

void CudaSearch::prepare_second() {
  const u64 bytes = longer_.begin.back() * sizeof(FoundMatch);
  if (const u64 available = device_.free_bytes() + second_matches_.size();
      second_matches_.size() < bytes && bytes > available)
    throw DoesNotFit(fmt::format("{} matches of {} tasks need {} bytes; {} has {} free (margin subtracted)",
                                 longer_.begin.back(), longer_.tasks.size(), bytes, device_.id(), available));
  timed("upload", [&] {
    grow(second_matches_, device_, bytes);
    grow(long_tasks_, device_, longer_.tasks.size() * sizeof(u32));
    grow(match_begin_, device_, longer_.begin.size() * sizeof(u64));
    long_tasks_.upload(longer_.tasks);
    match_begin_.upload(longer_.begin);
  });
  second_ = arguments_;
  second_.matches = second_matches_.as<FoundMatch>();
  second_.tasks = long_tasks_.as<const u32>();
  second_.match_begin = match_begin_.as<const u64>();
  second_.task_count = static_cast<u32>(longer_.tasks.size());
}

void CudaSearch::enqueue() {
  launch(arguments_, tasks());
  launch(second_, longer_.tasks.size());
}

void CudaSearch::copy_slots() {
  const auto slots = found_stage_.take<Slot>(device_, layout_.slots());
  timed("download", [&] { slots_.download(std::as_writable_bytes(slots)); });
  slots_found_ = slots;
}

void CudaSearch::download() {
  if (!at_.policy.listed) {
    copy_slots();
    const auto slots = found_stage_.take<Slot>(device_, layout_.slots());
    if (const auto places = tree_.tree->places(); !places.empty())
      timed("listing", [&] { to_places(slots, places, pool_); });
    return;
  }
  timed("download", [&] {
    const auto counts = counts_stage_.take<u32>(device_, tasks());
    const auto first = found_stage_.take<FoundMatch>(device_, tasks() * kKeptMatches);
    const auto second = second_stage_.take<FoundMatch>(device_, longer_.begin.back());
    counts_.download(std::as_writable_bytes(counts));
    first_matches_.download(std::as_writable_bytes(first));
    second_matches_.download(std::as_writable_bytes(second));
    counts_found_ = counts;
    first_found_ = first;
    second_found_ = second;
  });
}

MatchList CudaSearch::list() {
  MatchList list;
  if (at_.policy.listed)
    timed("listing", [&] {
      list = gather_matches({.first = first_found_,
                             .second = second_found_,
                             .counts = counts_found_,
                             .longer = longer_,
                             .kept = kKeptMatches,
                             .lanes = at_.policy.lanes},
                            search_, part_.offset, pool_);
    });
  else
    in_pieces(
        [&](u64 first, u64 count) {
          return list_all(part_, search_, *queries_, first, count, slots_found_, layout_.slot_begin);
        },
        list);
  return list;
}

void CudaSearch::in_pieces(const std::function<MatchList(u64 first, u64 count)>& work, MatchList& list) {
  timed("listing", [&] { list = list_in_pieces(*queries_, kLettersATime, pool_, work); });
}

double CudaSearch::tree_upload_s() const {
  return tree_.tree->upload_s() + (at_.policy.words ? tree_.words->upload_s() : 0);
}

Resources CudaSearch::resources() const {
  const u64 blocks = (tasks() + at_.policy.threads - 1) / at_.policy.threads;
  return kernel_->resources(static_cast<unsigned>(blocks), at_.policy.threads, 0);
}

HeldMemory CudaSearch::held() const {
  HeldMemory held;
  held.add(kIndexPart, tree_.tree->bytes())
      .add(kQueriesPart, letters_.size() + begin_.size() + slot_begin_.size() + order_.size())
      .add(kOutputPart, slots_.size() + first_matches_.size() + second_matches_.size() + counts_.size())
      .add(kWorkspacePart, long_tasks_.size() + match_begin_.size());
  if (at_.policy.words)
    held.add(kPrefixTablePart, tree_.words->prefix_bytes()).add(kFilterPart, tree_.words->filter_bytes());
  return held;
}

nlohmann::json CudaSearch::facts() const {
  nlohmann::json facts{{"kernel", match_kernels().name(at_.policy)},
                       {"device_tree_bytes", tree_.tree->bytes()},
                       {"query_bytes", letters_.size() + begin_.size() + slot_begin_.size() + order_.size()},
                       {"result_bytes", result_bytes()}};
  if (tree_.words != nullptr && at_.policy.words) facts["word_table_bytes"] = tree_.words->bytes();
  if (at_.policy.listed) facts["second_launch_tasks"] = longer_.tasks.size();
  return facts;
}

}  // namespace gpuseq::exact_match
