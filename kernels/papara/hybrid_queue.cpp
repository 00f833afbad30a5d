#include "kernels/papara/hybrid_queue.hpp"

#include <algorithm>

namespace gpuseq::papara {
namespace {

/// Assumed until measured.
constexpr double kCpuThreadSpeed = 20e9, kGpuSpeed = 2e12;
/// Part of its share of what is left that a CPU thread takes at a time: small, the items cost nothing.
constexpr double kCpuPart = 0.25;
/// The same of a GPU: a piece costs a launch, and at its end most of the device waits for its last threads.
/// So it takes all its share, but for so many loads that a wrong speed costs more than another piece.
constexpr double kManyLoads = 16, kPartOfMany = 0.85, kPartBeforeMeasured = 0.4;

}  // namespace

HybridQueue::HybridQueue(QueueShape shape, Speeds speeds)
    : shape_(std::move(shape)),
      before_(shape_.cells.size() + 1),
      gpus_(shape_.least_queries.size()),
      failed_(gpus_.size()) {
  for (std::size_t q = 0; q < shape_.cells.size(); ++q) before_[q + 1] = before_[q] + shape_.cells[q];
  if (!shape_.cells.empty()) left_.push_back({0, static_cast<u32>(shape_.cells.size())});
  block_.group = shape_.groups;
  cpu_ = Measured::of(speeds.cpu_thread, kCpuThreadSpeed);
  for (std::size_t i = 0; i < gpus_.size(); ++i)
    gpus_[i] = Measured::of(i < speeds.gpus.size() ? speeds.gpus[i] : 0, kGpuSpeed);
}

double HybridQueue::all_speed() const {
  double speed = cpu_speed();
  for (std::size_t i = 0; i < gpus_.size(); ++i)
    if (!failed_[i]) speed += gpus_[i].value();
  return speed;
}

/// Cells that a load of a GPU from a query on would have, were there enough queries.
double HybridQueue::load_cells(std::size_t gpu, u32 query) const {
  return static_cast<double>(shape_.cells[query]) * least(gpu);
}

u64 HybridQueue::cells_left() const {
  u64 sum = 0;
  for (const Range& range : left_) sum += cells(range);
  return sum;
}

/// Until all is done, when everybody goes on at the speed so far.
double HybridQueue::seconds_left() const {
  const auto now = std::chrono::steady_clock::now();
  double cells = static_cast<double>(cells_left());
  for (std::size_t i = 0; i < gpus_.size(); ++i) {
    const double passed_s = std::chrono::duration<double>(now - gpus_[i].since).count();
    if (!failed_[i]) cells += std::max(0.0, gpus_[i].held - passed_s * gpus_[i].value());
  }
  return cells / all_speed();
}

u64 HybridQueue::left() const {
  const std::scoped_lock lock(mutex_);
  u64 queries = 0;
  for (const Range& range : left_) queries += range.size();
  return queries;
}

Speeds HybridQueue::speeds() const {
  const std::scoped_lock lock(mutex_);
  Speeds speeds{.cpu_thread = cpu_.value(), .gpus = {}};
  for (const Measured& gpu : gpus_) speeds.gpus.push_back(gpu.value());
  return speeds;
}

/// Takes queries from the back: as many as a thread does with one group in its part of the time that is left.
void HybridQueue::open_block() {
  Range& range = left_.back();
  const double part = seconds_left() * cpu_.value() * kCpuPart;
  const double item = static_cast<double>(shape_.cells[range.end - 1]) / shape_.groups;
  const double most = std::min<double>(shape_.queries_per_item, range.size());
  const u32 count = item > 0 ? static_cast<u32>(std::clamp(part / item, 1.0, most)) : 1;
  block_ = {.queries = {range.end - count, range.end}, .group = 0};
  range.end -= count;
  if (range.size() == 0) left_.pop_back();
}

std::optional<HybridQueue::CpuItem> HybridQueue::take_for_cpu() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return block_.group < shape_.groups || !left_.empty() || held_ == 0; });
  if (block_.group == shape_.groups) {
    if (left_.empty()) return std::nullopt;
    open_block();
  }
  const CpuItem item = block_;
  ++block_.group;
  return item;
}

/// What a GPU should take next of what is left.
Range HybridQueue::piece_of(std::size_t gpu) const {
  const Range range = left_.front();
  const double share = seconds_left() * gpus_[gpu].value();
  double part = 1.0;
  if (!gpus_[gpu].known())
    part = kPartBeforeMeasured;
  else if (share > kManyLoads * load_cells(gpu, range.begin))
    part = kPartOfMany;
  if (all_speed() == gpus_[gpu].value()) part = 1.0;  // alone
  const auto first = before_.begin() + range.begin + 1, last = before_.begin() + range.end + 1;
  const u64 queries = static_cast<u64>(
      std::upper_bound(first, last, before_[range.begin] + static_cast<u64>(share * part)) - first);
  return {range.begin, range.begin + static_cast<u32>(std::clamp<u64>(
                                         queries, std::min(range.size(), least(gpu)), range.size()))};
}

std::optional<Range> HybridQueue::take_for_gpu(std::size_t gpu) {
  std::unique_lock lock(mutex_);
  // With a CPU, that does what other GPUs give back.
  if (shape_.cpu_threads == 0) changed_.wait(lock, [&] { return !left_.empty() || held_ == 0; });
  if (failed_[gpu] || left_.empty()) return std::nullopt;
  const Range piece = piece_of(gpu);
  const double by_gpu_s =
      std::max(static_cast<double>(cells(piece)), load_cells(gpu, piece.begin)) / gpus_[gpu].value();
  const bool cpu_is_sooner = static_cast<double>(cells_left()) < by_gpu_s * cpu_speed();
  if (shape_.cpu_threads > 0 && cpu_is_sooner) return std::nullopt;
  left_.front().begin = piece.end;
  if (left_.front().size() == 0) left_.pop_front();
  ++held_;
  gpus_[gpu].held = static_cast<double>(cells(piece));
  gpus_[gpu].since = std::chrono::steady_clock::now();
  return piece;
}

void HybridQueue::finished_by_cpu(u64 cells, double seconds) {
  const std::scoped_lock lock(mutex_);
  cpu_.cells += static_cast<double>(cells);
  cpu_.seconds += seconds;
}

void HybridQueue::finished_by_gpu(std::size_t gpu, Range queries, double seconds) {
  {
    const std::scoped_lock lock(mutex_);
    gpus_[gpu].cells += static_cast<double>(cells(queries));
    gpus_[gpu].seconds += seconds;
    gpus_[gpu].held = 0;
    --held_;
  }
  changed_.notify_all();
}

void HybridQueue::give_back(std::size_t gpu, Range queries) {
  {
    const std::scoped_lock lock(mutex_);
    left_.push_front(queries);
    failed_[gpu] = true;
    --held_;
  }
  changed_.notify_all();
}

}  // namespace gpuseq::papara
