#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

#include "kernels/papara/cpu/arithmetic.hpp"
#include "kernels/papara/cpu/lane_groups.hpp"
#include "kernels/papara/cpu/plan.hpp"

namespace gpuseq::papara {
namespace {

/// Scratch memory for the scoring threads; it has as many blocks as were ever used at the same time.
class ScratchPool {
 public:
  class Lease {
   public:
    explicit Lease(ScratchPool& pool) : pool_(pool), scratch_(pool.take()) {}
    ~Lease() { pool_.give_back(std::move(scratch_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Scratch& operator*() { return *scratch_; }

   private:
    ScratchPool& pool_;
    std::unique_ptr<Scratch> scratch_;
  };

  /// @pre no thread is scoring
  u64 bytes() const {
    const std::scoped_lock lock(mutex_);
    u64 bytes = 0;
    for (const std::unique_ptr<Scratch>& scratch : free_) bytes += scratch->size();
    return bytes;
  }

 private:
  std::unique_ptr<Scratch> take() {
    const std::scoped_lock lock(mutex_);
    if (free_.empty()) {
      free_.reserve(++made_);  // so that returning a block cannot fail
      return std::make_unique<Scratch>();
    }
    std::unique_ptr<Scratch> scratch = std::move(free_.back());
    free_.pop_back();
    return scratch;
  }
  void give_back(std::unique_ptr<Scratch> scratch) noexcept {
    const std::scoped_lock lock(mutex_);
    free_.push_back(std::move(scratch));
  }

  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Scratch>> free_;
  std::size_t made_ = 0;
};

/// Scores with a kernel, and repeats scores that do not fit its arithmetic with a kernel of wider lanes.
class KernelScorer final : public CpuScorer {
 public:
  KernelScorer(const PaparaProblem& problem, CpuPlan plan)
      : problem_(problem),
        plan_(std::move(plan)),
        groups_(problem.references(), plan_.first.kernel.lanes),
        wide_(problem.queries().count()) {}

  u32 groups() const override { return groups_.count(); }
  Range references(u32 group) const override { return groups_.references(group); }
  std::string target() const override { return plan_.first.kernel.target; }

  void score(u32 group, Range queries, i32* scores) const override {
    ScratchPool::Lease scratch(scratch_);
    for (u32 begin = queries.begin; begin < queries.end; begin += plan_.queries_per_tile)
      score_tile(group, {begin, std::min(queries.end, begin + plan_.queries_per_tile)}, *scratch, scores);
  }

  nlohmann::json facts() const override {
    nlohmann::json facts{
        {"highway_target", target()},
        {"references_per_group", groups_.lanes()},
        {"interleaved_bytes", u64{groups_.count()} * groups_.sites() * groups_.planes() * groups_.lanes()}};
    if (plan_.columns > 0) facts.update({{"block_columns", plan_.columns}, {"rows", plan_.rows}});
    if (plan_.wider) {
      facts["escaped"] = escaped_.load();
      facts["queries_in_wider_lanes"] = std::count(wide_.begin(), wide_.end(), true);
    }
    return facts;
  }

  HeldMemory held() const override {
    return HeldMemory()
        .add("references", groups_.bytes())
        .add(kQueriesPart, problem_.queries().bytes())
        .add(kWorkspacePart, scratch_.bytes() + wide_.size() * sizeof(wide_[0]));
  }

  std::optional<Instructions> instructions() const override {
    const Queries& queries = problem_.queries();
    double cells = 0;
    for (const u32 bases : queries.bases) cells += static_cast<double>(band_cells(groups_.sites(), bases));
    return vector_instructions(plan_, cells * groups_.count());
  }

 private:
  void score_tile(u32 group, Range tile, Scratch& scratch, i32* scores) const {
    std::vector<u32> narrow, wide;
    for (u32 query = tile.begin; query < tile.end; ++query)
      (plan_.wider && wide_[query] ? wide : narrow).push_back(query);
    const Range references = groups_.references(group);
    if (!narrow.empty()) {
      const std::vector<i32> found = run(plan_.first, groups_.codes(group), narrow, scratch);
      put(found, groups_.lanes(), narrow, references, scores);
      if (plan_.wider) score_escaped(group, narrow, found, scratch, scores);
    }
    if (wide.empty()) return;
    for (u32 lane = 0; lane < references.size(); lane += plan_.wider->kernel.lanes)
      score_wide(group, lane, wide, scratch, scores);
  }

  /// @returns [chosen][lanes]
  std::vector<i32> run(const KernelPlan& plan, const u8* codes, std::span<const u32> chosen,
                       Scratch& scratch) const {
    std::vector<i32> scores(chosen.size() * plan.kernel.lanes);
    plan.kernel.score({.alphabet = problem_.references().alphabet,
                       .codes = codes,
                       .plane_bytes = groups_.lanes(),
                       .sites = groups_.sites(),
                       .queries = &problem_.queries(),
                       .chosen = chosen,
                       .penalties = problem_.penalties(),
                       .arithmetic = plan.arithmetic,
                       .rows = plan_.rows,
                       .columns = plan_.columns,
                       .scratch = &scratch,
                       .scores = scores.data()});
    return scores;
  }

  /// @param found  [queries][stride], of `references` and perhaps more references
  void put(std::span<const i32> found, u32 stride, std::span<const u32> queries, Range references,
           i32* scores) const {
    const u64 all = problem_.references().count;
    for (std::size_t q = 0; q < queries.size(); ++q)
      std::copy_n(found.begin() + static_cast<std::ptrdiff_t>(q * stride), references.size(),
                  scores + queries[q] * all + references.begin);
  }

  /// Scores the lanes of the group that one wider vector holds, starting at `lane`.
  void score_wide(u32 group, u32 lane, std::span<const u32> queries, Scratch& scratch, i32* scores) const {
    const Range references = groups_.references(group);
    const Range part{references.begin + lane,
                     std::min(references.end, references.begin + lane + plan_.wider->kernel.lanes)};
    put(run(*plan_.wider, groups_.codes(group) + lane, queries, scratch), plan_.wider->kernel.lanes, queries,
        part, scores);
  }

  /// Repeats scores at the limit in wider lanes, with all lanes of the wider vector. Queries with many such
  /// scores skip the narrow lanes from then on.
  void score_escaped(u32 group, std::span<const u32> queries, std::span<const i32> found, Scratch& scratch,
                     i32* scores) const {
    const i32 limit = plan_.first.arithmetic.limit();
    const u32 used = groups_.references(group).size();
    std::vector<u32> beyond(queries.size());  // scores at the limit of each query
    for (u32 lane = 0; lane < used; lane += plan_.wider->kernel.lanes) {
      const u32 part = std::min(plan_.wider->kernel.lanes, used - lane);
      std::vector<u32> again;
      for (std::size_t q = 0; q < queries.size(); ++q) {
        const std::span<const i32> lanes = found.subspan(q * groups_.lanes() + lane, part);
        const auto count =
            std::count_if(lanes.begin(), lanes.end(), [limit](i32 score) { return score >= limit; });
        beyond[q] += static_cast<u32>(count);
        if (count > 0) again.push_back(queries[q]);
      }
      if (!again.empty()) score_wide(group, lane, again, scratch, scores);
    }
    for (std::size_t q = 0; q < queries.size(); ++q) {
      escaped_ += beyond[q];
      if (beyond[q] * 2 > used) wide_[queries[q]] = true;
    }
  }

  const PaparaProblem& problem_;
  const CpuPlan plan_;
  const LaneGroups groups_;
  mutable ScratchPool scratch_;
  mutable std::atomic<u64> escaped_{0};          // since the scorer was made
  mutable std::vector<std::atomic<bool>> wide_;  // queries that skip the narrow lanes
};

}  // namespace

std::unique_ptr<CpuScorer> make_cpu_scorer(const PaparaProblem& problem, CpuPlan plan) {
  return std::make_unique<KernelScorer>(problem, std::move(plan));
}

}  // namespace gpuseq::papara
