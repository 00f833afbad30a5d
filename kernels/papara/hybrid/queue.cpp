#include "kernels/papara/hybrid/queue.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gpuseq::papara {
namespace {

/// Assumed until measured.
constexpr double kCpuThreadSpeed = 20e9, kGpuSpeed = 2e12;
/// Fraction of a CPU thread's share of the remaining work that it takes at a time: small, as
/// items cost nothing.
constexpr double kCpuPart = 0.25;
/// Fraction of a GPU's share of the remaining work that it takes at a time: large, as a piece costs a launch.
/// It is smaller while the speed is unknown and capped, so that work is left to measure the other workers.
constexpr double kGpuPart = 0.85, kPartBeforeMeasured = 0.4, kMostBeforeMeasured = 0.5;

}  // namespace

HybridQueue::HybridQueue(const WorkGrid& grid, QueueShape shape, Speeds speeds)
    : grid_(grid),
      shape_(std::move(shape)),
      area_(grid),
      planned_(shape_.load_pairs.size()),
      cpu_(Measured::of(speeds.cpu_thread, kCpuThreadSpeed)),
      gpus_(shape_.load_pairs.size()) {
  for (std::size_t i = 0; i < gpus_.size(); ++i)
    gpus_[i] = Measured::of(i < speeds.gpus.size() ? speeds.gpus[i] : 0, kGpuSpeed);
  if (!shape_.planned_cells.empty() && !area_.empty()) plan();
}

/// Takes one corner for all GPUs, so that the rest has few parts, and a strip of it for each GPU.
void HybridQueue::plan() {
  std::vector<double> wanted = shape_.planned_cells;
  for (std::size_t i = 0; i < gpus_.size(); ++i)
    if (!works(i)) wanted[i] = 0;
  const double all = std::accumulate(wanted.begin(), wanted.end(), 0.0);
  if (all <= 0) return;
  const std::vector<Rectangle> strips = grid_.strips(area_.take_front(all), wanted);
  for (std::size_t i = 0; i < gpus_.size(); ++i)
    if (strips[i].pairs() > 0) planned_[i] = strips[i];
}

double HybridQueue::all_speed() const {
  double speed = cpu_speed();
  for (std::size_t i = 0; i < gpus_.size(); ++i)
    if (works(i)) speed += gpus_[i].value();
  return speed;
}

/// Cells of the current piece that a GPU still has to compute, assuming its speed so far.
double HybridQueue::held_now(std::size_t gpu) const {
  if (planned_[gpu]) return static_cast<double>(grid_.cells(*planned_[gpu]));
  const auto passed = std::chrono::steady_clock::now() - gpus_[gpu].since;
  return std::max(0.0, gpus_[gpu].held - std::chrono::duration<double>(passed).count() * gpus_[gpu].value());
}

/// Seconds until all work is done, assuming the speeds so far.
double HybridQueue::seconds_left() const {
  double cells = static_cast<double>(area_.cells() + grid_.cells(block_)) + cpu_.held;
  for (std::size_t i = 0; i < gpus_.size(); ++i)
    if (works(i)) cells += held_now(i);
  return cells / all_speed();
}

u64 HybridQueue::pairs_left() const {
  const std::scoped_lock lock(mutex_);
  return area_.pairs() + block_.pairs();
}

Speeds HybridQueue::speeds() const {
  const std::scoped_lock lock(mutex_);
  const auto measured = [](const Measured& worker) { return worker.known() ? worker.value() : 0; };
  Speeds speeds{.cpu_thread = measured(cpu_), .gpus = std::vector<double>(gpus_.size())};
  std::transform(gpus_.begin(), gpus_.end(), speeds.gpus.begin(), measured);
  return speeds;
}

/// Takes as many queries as a thread computes with one group in kCpuPart of the remaining time, and at most
/// the groups that all threads compute with these queries until the end.
void HybridQueue::open_block() {
  const Rectangle& from = area_.back();
  const double left_s = seconds_left();
  const double item = static_cast<double>(grid_.cells(Range{from.queries.end - 1, from.queries.end})) *
                      shape_.group_references;
  const double most = std::max(1u, std::min(shape_.queries_per_item, from.queries.size()));
  const double count = std::clamp(left_s * cpu_.value() * kCpuPart / item, 1.0, most);
  block_ = area_.take_back(static_cast<u32>(count), left_s * cpu_speed() - cpu_.held);
}

std::optional<HybridQueue::CpuItem> HybridQueue::take_for_cpu() {
  const std::scoped_lock lock(mutex_);
  if (block_.pairs() == 0) {
    if (area_.empty()) return std::nullopt;
    open_block();
  }
  const u32 group = block_.references.begin / shape_.group_references;
  const Range references{block_.references.begin,
                         std::min(block_.references.end, (group + 1) * shape_.group_references)};
  block_.references.begin = references.end;
  cpu_.held += static_cast<double>(grid_.cells({block_.queries, references}));
  return CpuItem{block_.queries, group};
}

/// Cells of the remaining work that a GPU should take next; 0: other workers finish sooner.
double HybridQueue::cells_for_gpu(std::size_t gpu) const {
  const double speed = gpus_[gpu].value(), left = static_cast<double>(area_.cells());
  const double others = all_speed() - speed;
  if (others <= 0) return left;
  const double pair =
      static_cast<double>(grid_.cells(Range{area_.front().queries.begin, area_.front().queries.begin + 1}));
  const double load = pair * static_cast<double>(shape_.load_pairs[gpu]), share = seconds_left() * speed;
  if (!gpus_[gpu].known())
    return std::min(std::max(share * kPartBeforeMeasured, load), left * kMostBeforeMeasured);
  if (shape_.cpu_threads > 0 && left / others < std::min(left, load) / speed) return 0;
  return std::max(share * kGpuPart, load);
}

std::optional<Rectangle> HybridQueue::take_for_gpu(std::size_t gpu) {
  const std::scoped_lock lock(mutex_);
  std::optional<Rectangle> piece;
  if (!works(gpu)) return piece;
  if (planned_[gpu]) {
    std::swap(piece, planned_[gpu]);
  } else {
    // With planned shares, the CPU takes all other work, except pieces that a GPU returns.
    const bool others_do = !shape_.planned_cells.empty() && shape_.cpu_threads > 0;
    const double wanted = area_.empty() || others_do ? 0 : cells_for_gpu(gpu);
    if (wanted <= 0) return piece;
    piece = area_.take_front(wanted);
  }
  gpus_[gpu].held = static_cast<double>(grid_.cells(*piece));
  gpus_[gpu].since = std::chrono::steady_clock::now();
  return piece;
}

void HybridQueue::finished_by_cpu(u64 cells, double seconds) {
  const std::scoped_lock lock(mutex_);
  cpu_.cells += static_cast<double>(cells);
  cpu_.held = std::max(0.0, cpu_.held - static_cast<double>(cells));
  cpu_.seconds += seconds;
}

void HybridQueue::finished_by_gpu(std::size_t gpu, const Rectangle& part, double seconds) {
  const std::scoped_lock lock(mutex_);
  // Counts the last load as a whole one, as it took the time of a whole one.
  const u64 load = shape_.load_pairs[gpu], loads = (part.pairs() + load - 1) / load;
  const double whole = static_cast<double>(loads * load) / static_cast<double>(part.pairs());
  gpus_[gpu].cells += static_cast<double>(grid_.cells(part)) * whole;
  gpus_[gpu].seconds += seconds;
  gpus_[gpu].held = 0;
}

void HybridQueue::give_back(std::size_t gpu, const Rectangle& part) {
  const std::scoped_lock lock(mutex_);
  area_.give_back(part);
  gpus_[gpu].held = 0;
  shape_.load_pairs[gpu] = 0;
}

}  // namespace gpuseq::papara
