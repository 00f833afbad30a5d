#include "kernels/papara/hybrid_queue.hpp"

#include <algorithm>

namespace gpuseq::papara {
namespace {

/// Assumed until measured.
constexpr double kCpuThreadSpeed = 20e9, kGpuSpeed = 2e12;
/// Parts of its share of what is left that a worker takes at a time: a GPU few pieces, because each costs a
/// launch and its last threads run alone; the CPU's items are small in any case.
constexpr double kGpuPart = 0.6, kCpuPart = 0.25;

}  // namespace

HybridQueue::HybridQueue(QueueShape shape, Speeds speeds)
    : shape_(std::move(shape)),
      before_(shape_.cells.size() + 1),
      gpus_(shape_.least_queries.size()),
      failed_(gpus_.size()) {
  for (std::size_t q = 0; q < shape_.cells.size(); ++q) before_[q + 1] = before_[q] + shape_.cells[q];
  if (!shape_.cells.empty()) left_.push_back({0, static_cast<u32>(shape_.cells.size())});
  block_.group = shape_.groups;
  cpu_.speed = speeds.cpu_thread > 0 ? speeds.cpu_thread : kCpuThreadSpeed;
  for (std::size_t i = 0; i < gpus_.size(); ++i)
    gpus_[i].speed = i < speeds.gpus.size() && speeds.gpus[i] > 0 ? speeds.gpus[i] : kGpuSpeed;
}

double HybridQueue::all_speed() const {
  double speed = cpu_speed();
  for (std::size_t i = 0; i < gpus_.size(); ++i)
    if (!failed_[i]) speed += gpus_[i].value();
  return speed;
}

u64 HybridQueue::cells_left() const {
  u64 sum = 0;
  for (const Range& range : left_) sum += cells(range);
  return sum;
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
  const double part = static_cast<double>(cells_left()) * cpu_.value() / all_speed() * kCpuPart;
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

/// The part of what is left that a GPU should take next, in whole loads of the device.
Range HybridQueue::piece_of(std::size_t gpu) const {
  const Range range = left_.front();
  const u32 least = std::max(shape_.least_queries[gpu], 1u);
  const double part = static_cast<double>(cells_left()) * gpus_[gpu].value() / all_speed() *
                      (shape_.cpu_threads > 0 || gpus_.size() > 1 ? kGpuPart : 1.0);
  const auto end = std::upper_bound(before_.begin() + range.begin, before_.begin() + range.end,
                                    before_[range.begin] + static_cast<u64>(part));
  const u32 count = static_cast<u32>(end - before_.begin()) - range.begin;
  const u32 loads = std::max(count / least, 1u);
  return {range.begin, range.begin + static_cast<u32>(std::min<u64>(range.size(), u64{loads} * least))};
}

std::optional<Range> HybridQueue::take_for_gpu(std::size_t gpu) {
  std::unique_lock lock(mutex_);
  // With a CPU, that does what other GPUs give back.
  if (shape_.cpu_threads == 0) changed_.wait(lock, [&] { return !left_.empty() || held_ == 0; });
  if (failed_[gpu] || left_.empty()) return std::nullopt;
  const Range piece = piece_of(gpu);
  const double by_gpu = static_cast<double>(cells(piece)) / gpus_[gpu].value();
  if (shape_.cpu_threads > 0 && static_cast<double>(cells_left()) < by_gpu * cpu_speed()) return std::nullopt;
  left_.front().begin = piece.end;
  if (left_.front().size() == 0) left_.pop_front();
  ++held_;
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
