// `hybrid`: all processors and all GPUs of a machine share the pairs of one problem.
//
// A worker per CPU thread and one per GPU take from one queue (queue.hpp). A GPU's worker sleeps while
// the GPU computes: its processor computes too.
//
// Source: Alachiotis, Berger and Stamatakis 2012, sections "Hybrid CPU-GPU system" and table 3.

#include "kernels/papara/hybrid/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "kernels/papara/hybrid/queue.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/seconds_since.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::papara {
namespace {

using Clock = std::chrono::steady_clock;

/// What one worker did in a launch.
struct Share {
  double cells = 0;
  u64 pieces = 0;
  double finish_s = 0;  // since the start of the launch
};

class Hybrid final : public ScoringSession {
 public:
  Hybrid(PaparaProblem& problem, HybridParts parts)
      : ScoringSession(problem),
        parts_(std::move(parts)),
        pool_(parts_.cpu_threads + static_cast<int>(parts_.gpus.size())),
        speeds_{.cpu_thread = 0, .gpus = std::vector<double>(parts_.gpus.size())},
        failures_(parts_.gpus.size()),
        shares_(static_cast<std::size_t>(pool_.size())),
        scores_(u64{problem.queries().count()} * problem.references().count) {}

  void launch() override {
    HybridQueue queue(shape(), speeds_);
    std::fill(shares_.begin(), shares_.end(), Share{});
    const Clock::time_point start = Clock::now();
    pool_.run([&](int thread) {
      if (thread < parts_.cpu_threads)
        work_on_cpu(queue, start, share_of(thread));
      else
        work_on_gpu(queue, start, static_cast<std::size_t>(thread - parts_.cpu_threads), share_of(thread));
    });
    duration_s_ = seconds_since(start);
    if (queue.left() > 0)
      throw ResourceError(fmt::format("{} queries are left: {}", queue.left(), fmt::join(failures(), "; ")));
    speeds_ = queue.speeds();
    imbalances_s_.push_back(imbalance_s());
    launched_ = true;
  }

  const std::vector<i32>& scores() override {
    if (!launched_) launch();
    return scores_;
  }

  std::map<std::string, std::vector<double>> side_samples_s() override {
    return {{"imbalance", imbalances_s_}};
  }
  nlohmann::json facts() const override;
  std::vector<std::string> notes() const override;

 private:
  QueueShape shape() const;
  void work_on_cpu(HybridQueue& queue, Clock::time_point start, Share& share);
  void work_on_gpu(HybridQueue& queue, Clock::time_point start, std::size_t gpu, Share& share);
  Share& share_of(int thread) { return shares_[static_cast<std::size_t>(thread)]; }

  /// Seconds from the first worker's end to the last's.
  double imbalance_s() const;
  double last_finish_s() const;
  nlohmann::json facts_of(const std::string& name, std::span<const Share> shares) const;
  std::vector<std::string> failures() const;

  HybridParts parts_;
  ThreadPool pool_;
  Speeds speeds_;                      // of the last launch
  std::vector<std::string> failures_;  // of each GPU: why it takes no part any more
  std::vector<Share> shares_;          // of the last launch: CPU threads, then GPUs
  std::vector<double> imbalances_s_;
  double duration_s_ = 0;
  std::vector<i32> scores_;
  bool launched_ = false;
};

QueueShape Hybrid::shape() const {
  const Queries& queries = problem_.queries();
  const References& references = problem_.references();
  QueueShape shape{.cells = {},
                   .groups = parts_.cpu->groups(),
                   .cpu_threads = parts_.cpu_threads,
                   .queries_per_item = parts_.queries_per_item,
                   .least_queries = {}};
  if (references.count == 0) return shape;
  for (const u32 bases : queries.bases)
    shape.cells.push_back(references.count * band_cells(references.sites, bases));
  for (const HybridGpu& gpu : parts_.gpus) {
    const u64 pairs = parts_.least_gpu_pairs > 0 ? parts_.least_gpu_pairs : gpu.scorer->resident_pairs();
    shape.least_queries.push_back(
        static_cast<u32>(std::clamp<u64>(pairs / references.count, 1, std::max(queries.count(), 1u))));
  }
  return shape;
}

void Hybrid::work_on_cpu(HybridQueue& queue, Clock::time_point start, Share& share) {
  while (const auto item = queue.take_for_cpu()) {
    const Clock::time_point begin = Clock::now();
    parts_.cpu->score(item->group, item->queries, scores_.data());
    const u64 references = problem_.references().count;
    const u64 cells = queue.cells(item->queries) / references * parts_.cpu->references(item->group).size();
    queue.finished_by_cpu(cells, seconds_since(begin));
    share.cells += static_cast<double>(cells);
    ++share.pieces;
    share.finish_s = seconds_since(start);
  }
}

void Hybrid::work_on_gpu(HybridQueue& queue, Clock::time_point start, std::size_t gpu, Share& share) {
  // Waiting for a GPU keeps a processor busy; but about how long it takes is known from the pieces before.
  constexpr double kSleptPart = 0.9, kLeastSleep_s = 5e-4;
  CudaScorer& scorer = *parts_.gpus[gpu].scorer;
  while (failures_[gpu].empty()) {
    const auto piece = queue.take_for_gpu(gpu);
    if (!piece) return;
    try {
      const Clock::time_point begin = Clock::now();
      const double cells = static_cast<double>(queue.cells(*piece));
      scorer.enqueue(*piece);
      const double measured = speeds_.gpus[gpu];
      const double sleep_s = measured > 0 ? kSleptPart * cells / measured - seconds_since(begin) : 0;
      if (sleep_s > kLeastSleep_s) std::this_thread::sleep_for(std::chrono::duration<double>(sleep_s));
      scorer.download(*piece, scores_.data());
      queue.finished_by_gpu(gpu, *piece, seconds_since(begin));
      share.cells += cells;
      ++share.pieces;
    } catch (const std::exception& error) {
      failures_[gpu] = fmt::format("{} failed, others took its work: {}", parts_.gpus[gpu].id, error.what());
      queue.give_back(gpu, *piece);
    }
    share.finish_s = seconds_since(start);
  }
}

double Hybrid::last_finish_s() const {
  double last = 0;
  for (const Share& share : shares_) last = std::max(last, share.finish_s);
  return last;
}

double Hybrid::imbalance_s() const {
  double first = last_finish_s();
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    const bool failed = i >= static_cast<std::size_t>(parts_.cpu_threads) &&
                        !failures_[i - static_cast<std::size_t>(parts_.cpu_threads)].empty();
    if (!failed) first = std::min(first, shares_[i].finish_s);
  }
  return last_finish_s() - first;
}

/// Share of the cells, speed while it worked, pieces, and seconds that a worker waited for the last.
nlohmann::json Hybrid::facts_of(const std::string& name, std::span<const Share> shares) const {
  Share sum;
  double idle_s = 0, finish_s = 0;
  for (const Share& share : shares) {
    sum.cells += share.cells;
    sum.pieces += share.pieces;
    idle_s += (last_finish_s() - share.finish_s) / static_cast<double>(shares.size());
    finish_s = std::max(finish_s, share.finish_s);
  }
  const double all = problem_.cells();
  return {{name + "_share", all > 0 ? sum.cells / all : 0.0},
          {name + "_gcups", finish_s > 0 ? sum.cells / finish_s / 1e9 : 0.0},
          {name + "_pieces", sum.pieces},
          {name + "_idle_s", idle_s}};
}

nlohmann::json Hybrid::facts() const {
  nlohmann::json facts = ScoringSession::facts();
  facts.update(parts_.cpu->facts());
  facts["threads"] = parts_.cpu_threads;
  facts["gpus"] = parts_.gpus.size();
  if (!launched_) return facts;
  const std::span<const Share> shares(shares_);
  const std::size_t threads = static_cast<std::size_t>(parts_.cpu_threads);
  if (threads > 0) facts.update(facts_of("cpu", shares.first(threads)));
  for (std::size_t i = 0; i < parts_.gpus.size(); ++i)
    facts.update(facts_of(fmt::format("gpu{}", i), shares.subspan(threads + i, 1)));
  facts["imbalance_share"] = duration_s_ > 0 ? imbalance_s() / duration_s_ : 0.0;
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
  notes.emplace_back("no ceiling: several devices work, and a state's instructions are of one");
  notes.insert(notes.end(), parts_.notes.begin(), parts_.notes.end());
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
