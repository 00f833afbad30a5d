// `hybrid`: all CPUs and GPUs of a machine share the pairs of one problem.
//
// One worker per CPU thread and one per GPU take pieces from one queue (queue.hpp). Earlier launches
// determine the workers and their shares (plan.hpp). A launch ends when all scores are computed; scores of
// GPUs are copied on request, as in the CUDA variants.
//
// Source: Alachiotis, Berger and Stamatakis 2012, sections "Hybrid CPU-GPU system" and table 3.

#include "kernels/papara/hybrid/session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <thread>

#include "kernels/papara/hybrid/plan.hpp"
#include "kernels/papara/hybrid/queue.hpp"
#include "kernels/papara/hybrid/shares.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/seconds_since.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::papara {
namespace {

using Clock = std::chrono::steady_clock;

/// The unit of the grid: every worker can begin at its multiples.
u32 common_unit(const HybridParts& parts) {
  u32 unit = parts.cpu->groups() > 0 ? std::max(parts.cpu->references(0).size(), 1u) : 1;
  for (const HybridGpu& gpu : parts.gpus) unit = std::lcm(unit, std::max(gpu.scorer->reference_unit(), 1u));
  return unit;
}

class Hybrid final : public ScoringSession {
 public:
  Hybrid(PaparaProblem& problem, HybridParts parts)
      : ScoringSession(problem),
        parts_(std::move(parts)),
        grid_(WorkGrid::of(problem.queries(), problem.references(), common_unit(parts_))),
        plan_{.cpu = parts_.cpu_threads > 0, .gpus = !parts_.gpus.empty()},
        speeds_{.cpu_thread = 0, .gpus = std::vector<double>(parts_.gpus.size())},
        failures_(parts_.gpus.size()),
        taken_(parts_.gpus.size()),
        scores_(u64{problem.queries().count()} * problem.references().count) {
    gather_workers();
  }

  void launch() override {
    share_out(plan_);
    imbalances_s_.push_back(shares_.imbalance_s());
  }

  /// Chooses the workers before the first timed launch.
  Verification verify() override {
    if (!settled_) settle_plan();
    return ScoringSession::verify();
  }

  const std::vector<i32>& scores() override;

  std::map<std::string, std::vector<double>> side_samples_s() override {
    return {{"imbalance", imbalances_s_}};
  }
  nlohmann::json facts() const override;
  std::vector<std::string> notes() const override;
  std::vector<Device*> devices_at_work() const override;
  HeldMemory held() const override;

 protected:
  std::optional<Instructions> instructions() const override;

 private:
  bool works(std::size_t gpu) const { return failures_[gpu].empty(); }
  u64 load_pairs(std::size_t gpu) const;
  int cpu_threads() const { return plan_.cpu ? parts_.cpu_threads : 0; }
  void gather_workers();
  void settle_plan();
  /// Launches with a plan and keeps the plan.
  LaunchTimes share_out(const HybridPlan& plan);
  QueueShape shape() const;
  void work_off(HybridQueue& queue, Clock::time_point start);
  void work_on_cpu(HybridQueue& queue, Clock::time_point start, Share& share);
  void work_on_gpu(HybridQueue& queue, Clock::time_point start, std::size_t gpu, Share& share);
  void wait_for(std::size_t gpu, double cells);
  void copy_scores(std::size_t gpu);
  std::vector<std::string> failures() const;

  HybridParts parts_;
  const WorkGrid grid_;
  HybridPlan plan_;
  std::unique_ptr<ThreadPool> pool_;  // threads of the workers in plan_
  Speeds speeds_;                     // of the last launch
  std::optional<SettledPlan> settled_;
  std::vector<std::string> failures_;          // for each GPU: the reason why it no longer takes part
  std::vector<std::vector<Rectangle>> taken_;  // by each GPU in the last launch
  Shares shares_;                              // of the last launch
  std::vector<double> imbalances_s_;
  std::vector<i32> scores_;
  bool launched_ = false, copied_ = false;
};

void Hybrid::gather_workers() {
  const int workers = cpu_threads() + (plan_.gpus ? static_cast<int>(parts_.gpus.size()) : 0);
  if (!pool_ || pool_->size() != workers) pool_ = std::make_unique<ThreadPool>(std::max(workers, 1));
}

u64 Hybrid::load_pairs(std::size_t gpu) const {
  if (!works(gpu)) return 0;
  return std::max<u64>(
      parts_.least_gpu_pairs > 0 ? parts_.least_gpu_pairs : parts_.gpus[gpu].scorer->resident_pairs(), 1);
}

QueueShape Hybrid::shape() const {
  QueueShape shape{
      .group_references = parts_.cpu->groups() > 0 ? std::max(parts_.cpu->references(0).size(), 1u) : 1,
      .cpu_threads = cpu_threads(),
      .queries_per_item = parts_.queries_per_item,
      .load_pairs = {},
      .planned_cells = plan_.gpu_cells};
  for (std::size_t i = 0; i < parts_.gpus.size(); ++i)
    shape.load_pairs.push_back(plan_.gpus ? load_pairs(i) : 0);
  return shape;
}

void Hybrid::settle_plan() {
  const u64 pairs = grid_.all().pairs();
  std::vector<std::string> before;
  do {  // again without the GPUs that failed
    before = failures_;
    PlanProblem problem{.cells = static_cast<double>(grid_.cells(grid_.all())),
                        .cpu = parts_.cpu_threads > 0,
                        .load_cells = {}};
    for (std::size_t i = 0; i < parts_.gpus.size(); ++i)
      problem.load_cells.push_back(
          pairs > 0 ? problem.cells / static_cast<double>(pairs) * static_cast<double>(load_pairs(i)) : 0);
    settled_ = settle(problem, [this](const HybridPlan& plan) { return share_out(plan); });
  } while (before != failures_);
  share_out(settled_->plan);
}

LaunchTimes Hybrid::share_out(const HybridPlan& plan) {
  plan_ = plan;
  gather_workers();
  for (std::vector<Rectangle>& taken : taken_) taken.clear();
  shares_.begin(parts_.cpu_threads, parts_.gpus.size());
  const Clock::time_point start = Clock::now();
  HybridQueue queue(grid_, shape(), speeds_);
  work_off(queue, start);
  while (queue.pairs_left() > 0) {  // a GPU failed: the other workers compute its piece
    plan_ = {.cpu = parts_.cpu_threads > 0};
    settled_.reset();
    if (!plan_.cpu && failures().size() == parts_.gpus.size())
      throw ResourceError(
          fmt::format("{} pairs are left: {}", queue.pairs_left(), fmt::join(failures(), "; ")));
    gather_workers();
    queue.set_cpu_threads(cpu_threads());
    work_off(queue, start);
  }
  shares_.end(seconds_since(start));
  speeds_ = queue.speeds();
  launched_ = true;
  copied_ = false;
  return shares_.times();
}

void Hybrid::work_off(HybridQueue& queue, Clock::time_point start) {
  const int threads = cpu_threads();
  pool_->run([&](int thread) {
    if (thread < threads) return work_on_cpu(queue, start, shares_.cpu(thread));
    const auto gpu = static_cast<std::size_t>(thread - threads);
    if (gpu < parts_.gpus.size()) work_on_gpu(queue, start, gpu, shares_.gpu(gpu));
  });
}

void Hybrid::work_on_cpu(HybridQueue& queue, Clock::time_point start, Share& share) {
  while (const auto item = queue.take_for_cpu()) {
    const Clock::time_point begin = Clock::now();
    parts_.cpu->score(item->group, item->queries, scores_.data());
    const u64 cells = grid_.cells({item->queries, parts_.cpu->references(item->group)});
    queue.finished_by_cpu(cells, seconds_since(begin));
    share.add(cells, seconds_since(start));
  }
}

/// Waiting for a GPU occupies a CPU. If a CPU thread shares that CPU, the worker first sleeps for half of the
/// predicted time. Only half, because slow launches must not make later sleeps too long.
void Hybrid::wait_for(std::size_t gpu, double cells) {
  constexpr double kSleptPart = 0.5, kLeastSleep_s = 5e-4;
  const double measured = speeds_.gpus[gpu];
  const double sleep_s = measured > 0 && pool_->size() > available_cpus() ? kSleptPart * cells / measured : 0;
  if (sleep_s > kLeastSleep_s) std::this_thread::sleep_for(std::chrono::duration<double>(sleep_s));
  parts_.gpus[gpu].scorer->wait();
}

void Hybrid::work_on_gpu(HybridQueue& queue, Clock::time_point start, std::size_t gpu, Share& share) {
  while (works(gpu)) {
    const auto piece = queue.take_for_gpu(gpu);
    if (!piece) return;
    try {
      const Clock::time_point begin = Clock::now();
      parts_.gpus[gpu].scorer->enqueue(*piece);
      wait_for(gpu, static_cast<double>(grid_.cells(*piece)));
      queue.finished_by_gpu(gpu, *piece, seconds_since(begin));
      taken_[gpu].push_back(*piece);
      share.add(grid_.cells(*piece), seconds_since(start));
    } catch (const std::exception& error) {
      failures_[gpu] = fmt::format("{} failed, others took its work: {}", parts_.gpus[gpu].id, error.what());
      queue.give_back(gpu, *piece);
    }
  }
}

const std::vector<i32>& Hybrid::scores() {
  if (!launched_) launch();
  if (!copied_)
    for (std::size_t i = 0; i < parts_.gpus.size(); ++i) copy_scores(i);
  copied_ = true;
  return scores_;
}

void Hybrid::copy_scores(std::size_t gpu) {
  try {
    for (const Rectangle& piece : taken_[gpu]) parts_.gpus[gpu].scorer->download(piece, scores_.data());
  } catch (const std::exception& error) {
    throw std::runtime_error(
        fmt::format("{} failed when its scores were copied: {}", parts_.gpus[gpu].id, error.what()));
  }
}

std::vector<Device*> Hybrid::devices_at_work() const {
  std::vector<Device*> devices;
  if (plan_.cpu && parts_.cpu_device) devices.push_back(parts_.cpu_device);
  for (std::size_t i = 0; plan_.gpus && i < parts_.gpus.size(); ++i)
    if (works(i) && parts_.gpus[i].device) devices.push_back(parts_.gpus[i].device.get());
  return devices;
}

/// Instructions of all parts that can work, including those that the plan leaves out.
std::optional<Instructions> Hybrid::instructions() const {
  Instructions all;
  if (parts_.cpu_threads > 0) {
    std::optional<Instructions> cpu = parts_.cpu->instructions();
    if (!cpu) return std::nullopt;
    all.by_device.push_back({"cpu", std::move(cpu->operations), std::move(cpu->target)});
  }
  for (std::size_t i = 0; i < parts_.gpus.size(); ++i)
    if (works(i))
      all.by_device.push_back({parts_.gpus[i].id, parts_.gpus[i].scorer->instructions().operations});
  return all;
}

/// The host's parts by their names, those of GPUs with the device appended; all exist at the same time.
HeldMemory Hybrid::held() const {
  HeldMemory held = parts_.cpu->held();
  held.add(kOutputPart, scores_.size() * sizeof(i32));
  for (const HybridGpu& gpu : parts_.gpus)
    for (const auto& [part, bytes] : gpu.scorer->held().parts)
      held.add(fmt::format("{} on {}", part, gpu.id), bytes);
  return held;
}

nlohmann::json Hybrid::facts() const {
  nlohmann::json facts = ScoringSession::facts();
  facts.update(parts_.cpu->facts());
  facts["threads"] = parts_.cpu_threads;
  facts["gpus"] = parts_.gpus.size();
  facts["timed"] = "kernels";
  for (std::size_t i = 0; i < parts_.gpus.size(); ++i)
    facts[fmt::format("gpu{}_kernel", i)] = parts_.gpus[i].scorer->kernel();
  if (settled_) facts.update(facts_of(*settled_));
  if (launched_) facts.update(shares_.facts(problem_.cells(), settled_));
  return facts;
}

std::vector<std::string> Hybrid::failures() const {
  std::vector<std::string> found;
  std::copy_if(failures_.begin(), failures_.end(), std::back_inserter(found),
               [](const std::string& failure) { return !failure.empty(); });
  return found;
}

std::vector<std::string> Hybrid::notes() const {
  std::vector<std::string> notes = ScoringSession::notes();
  if (!parts_.gpus.empty())
    notes.emplace_back(
        "timed as a GPU alone: from handing out to the end of all kernels; scores are copied after it");
  notes.insert(notes.end(), parts_.notes.begin(), parts_.notes.end());
  if (settled_)
    if (std::string note = note_of(*settled_); !note.empty()) notes.push_back(std::move(note));
  for (std::string& failure : failures()) notes.push_back(std::move(failure));
  return notes;
}

}  // namespace

std::unique_ptr<ScoringSession> make_hybrid(PaparaProblem& problem, HybridParts parts) {
  if (parts.cpu_threads == 0 && parts.gpus.empty())
    throw ResourceError(fmt::format("hybrid: neither CPU threads nor a GPU take part{}{}",
                                    parts.notes.empty() ? "" : ": ", fmt::join(parts.notes, "; ")));
  return std::make_unique<Hybrid>(problem, std::move(parts));
}

}  // namespace gpuseq::papara
