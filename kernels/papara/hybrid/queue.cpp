#include "kernels/papara/hybrid/queue.hpp"

#include <algorithm>
#include <cmath>

namespace gpuseq::papara {
namespace {

/// Assumed until measured.
constexpr double kCpuThreadSpeed = 20e9, kGpuSpeed = 2e12;
/// Part of its share of what is left that a CPU thread takes at a time: small, the items cost nothing.
constexpr double kCpuPart = 0.25;
/// A GPU takes all that the others cannot do in the meantime, because a piece costs a launch, and the time of
/// as many whole loads as it needs; but less while its speed is unknown, or where a wrong one would cost more
/// than another piece does. The CPU is expected to do a little less than it did, so that it does not finish
/// last: what it has left then is little for the GPU, and the GPU's next piece takes the time of a load.
constexpr double kManyLoads = 16, kPartOfMany = 0.85, kPartBeforeMeasured = 0.4, kExpectedOfCpu = 0.85;

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

/// Cells that a GPU still has to do of the piece that it holds, at its speed so far.
double HybridQueue::held_now(std::size_t gpu) const {
  const auto passed = std::chrono::steady_clock::now() - gpus_[gpu].since;
  return std::max(0.0, gpus_[gpu].held - std::chrono::duration<double>(passed).count() * gpus_[gpu].value());
}

u64 HybridQueue::cells_left() const {
  u64 sum = 0;
  for (const Range& range : left_) sum += cells(range);
  return sum;
}

/// Until all is done, when everybody goes on at the speed so far.
double HybridQueue::seconds_left() const {
  double cells = static_cast<double>(cells_left());
  for (std::size_t i = 0; i < gpus_.size(); ++i)
    if (!failed_[i]) cells += held_now(i);
  return (cells + cpu_.held) / all_speed();
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

/// Takes queries from the back: as many as a thread does with one group in its part of the time that is left,
/// but no more than all threads do with all groups until the end.
void HybridQueue::open_block() {
  Range& range = left_.back();
  const double part = seconds_left() * cpu_.value() * kCpuPart;
  const double item = static_cast<double>(shape_.cells[range.end - 1]) / shape_.groups;
  const double all_can = (seconds_left() * cpu_speed() - cpu_.held) / (item * shape_.groups);
  const double most = std::max(1.0, std::min({static_cast<double>(shape_.queries_per_item),
                                              static_cast<double>(range.size()), all_can}));
  const u32 count = item > 0 ? static_cast<u32>(std::clamp(part / item, 1.0, most)) : 1;
  block_ = {.queries = {range.end - count, range.end}, .group = 0};
  range.end -= count;
  cpu_.held += static_cast<double>(cells(block_.queries));
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

/// Cells that a GPU should take next of what is left; 0 or less: others finish sooner.
double HybridQueue::cells_for_gpu(std::size_t gpu, double load) const {
  const double speed = gpus_[gpu].value(), share = seconds_left() * speed;
  if (all_speed() == speed) return static_cast<double>(cells_left());  // alone
  if (!gpus_[gpu].known()) return std::max(share * kPartBeforeMeasured, load);
  if (share > kManyLoads * load) return share * kPartOfMany;
  const double most = std::ceil(share / load) * load, until_s = most / speed;
  double others = std::max(0.0, kExpectedOfCpu * cpu_speed() * until_s - cpu_.held);
  for (std::size_t i = 0; i < gpus_.size(); ++i)
    if (i != gpu && !failed_[i]) others += std::max(0.0, gpus_[i].value() * until_s - held_now(i));
  return std::min(static_cast<double>(cells_left()) - others, most);
}

std::optional<Range> HybridQueue::take_for_gpu(std::size_t gpu) {
  std::unique_lock lock(mutex_);
  // With a CPU, that does what other GPUs give back.
  if (shape_.cpu_threads == 0) changed_.wait(lock, [&] { return !left_.empty() || held_ == 0; });
  if (failed_[gpu] || left_.empty()) return std::nullopt;
  const Range range = left_.front();
  const double wanted = cells_for_gpu(gpu, static_cast<double>(shape_.cells[range.begin]) * least(gpu));
  if (wanted <= 0 && shape_.cpu_threads > 0) return std::nullopt;
  const auto first = before_.begin() + range.begin + 1, last = before_.begin() + range.end;
  const double end = static_cast<double>(before_[range.begin]) + wanted;
  // At least a query, at most the range.
  const auto past = std::upper_bound(first + 1, last + 1, end,
                                     [](double at, u64 cells) { return at < static_cast<double>(cells); });
  const Range piece{range.begin, range.begin + static_cast<u32>(past - first)};
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
  cpu_.held = std::max(0.0, cpu_.held - static_cast<double>(cells));
  cpu_.seconds += seconds;
}

void HybridQueue::finished_by_gpu(std::size_t gpu, Range queries, double seconds) {
  {
    const std::scoped_lock lock(mutex_);
    // As if its last load had been a whole one: that is what its time was.
    const u32 loads = (queries.size() + least(gpu) - 1) / least(gpu);
    gpus_[gpu].cells += static_cast<double>(cells(queries)) * loads * least(gpu) / queries.size();
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
