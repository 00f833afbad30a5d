#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

#include "kernels/papara/cpu_arithmetic.hpp"
#include "kernels/papara/cpu_lane_groups.hpp"
#include "kernels/papara/cpu_plan.hpp"
#include "kernels/papara/scorers.hpp"
#include "runtime/errors.hpp"

namespace gpuseq::papara {
namespace {

/// Scratch memory for whoever scores at the moment; as many as there ever were at a time.
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

 private:
  std::unique_ptr<Scratch> take() {
    const std::scoped_lock lock(mutex_);
    if (free_.empty()) {
      free_.reserve(++made_);  // so that giving back cannot fail
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

  std::mutex mutex_;
  std::vector<std::unique_ptr<Scratch>> free_;
  std::size_t made_ = 0;
};

/// Scores with a kernel; what does not fit its arithmetic, with another of wider lanes.
class KernelScorer final : public CpuScorer {
 public:
  KernelScorer(const PaparaProblem& problem, CpuPlan plan)
      : problem_(problem), plan_(std::move(plan)), groups_(problem.references(), plan_.first.kernel.lanes) {}

  u32 groups() const override { return groups_.count(); }
  Range references(u32 group) const override { return groups_.references(group); }
  std::string target() const override { return plan_.first.kernel.target; }

  void score(u32 group, Range queries, i32* scores) const override {
    ScratchPool::Lease scratch(scratch_);
    for (u32 begin = queries.begin; begin < queries.end; begin += plan_.queries_per_tile)
      score_tile(group, {begin, std::min(queries.end, begin + plan_.queries_per_tile)}, *scratch, scores);
  }

  nlohmann::json facts() const override {
    nlohmann::json facts{{"highway_target", target()},
                         {"references_per_group", groups_.lanes()},
                         {"interleaved_bytes", u64{groups_.count()} * groups_.sites() * groups_.lanes()}};
    if (plan_.columns > 0) facts.update({{"block_columns", plan_.columns}, {"rows", plan_.rows}});
    if (plan_.wider) facts["escaped"] = escaped_.load();
    return facts;
  }

  std::optional<Instructions> instructions() const override {
    const Queries& queries = problem_.queries();
    double cells = 0;
    for (const u32 bases : queries.bases) cells += static_cast<double>(band_cells(groups_.sites(), bases));
    return vector_instructions(plan_, cells * groups_.count());
  }

 private:
  void score_tile(u32 group, Range tile, Scratch& scratch, i32* scores) const {
    std::vector<u32> chosen(tile.size());
    for (u32 q = 0; q < tile.size(); ++q) chosen[q] = tile.begin + q;
    std::vector<i32> lane_scores = run(plan_.first, groups_.codes(group), chosen, scratch);
    if (plan_.wider) score_escaped(group, chosen, lane_scores, scratch);
    const Range references = groups_.references(group);
    const u64 all = problem_.references().count;
    for (u32 q = 0; q < tile.size(); ++q)
      std::copy_n(lane_scores.data() + std::size_t{q} * groups_.lanes(), references.size(),
                  scores + u64{chosen[q]} * all + references.begin);
  }

  /// @returns [chosen][lanes]
  std::vector<i32> run(const KernelPlan& plan, const u8* codes, std::span<const u32> chosen,
                       Scratch& scratch) const {
    std::vector<i32> scores(chosen.size() * plan.kernel.lanes);
    plan.kernel.score({.codes = codes,
                       .site_bytes = groups_.lanes(),
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

  /// Computes scores at the limit anew: those lanes of the group that one wider vector holds, for the queries
  /// that have such a score there.
  void score_escaped(u32 group, std::span<const u32> chosen, std::vector<i32>& scores,
                     Scratch& scratch) const {
    const u32 lanes = groups_.lanes(), wider_lanes = plan_.wider->kernel.lanes;
    const u32 used = groups_.references(group).size();
    for (u32 lane = 0; lane < used; lane += wider_lanes) {
      const u32 part = std::min(wider_lanes, used - lane);
      std::vector<u32> again, at;
      for (u32 q = 0; q < chosen.size(); ++q) {
        const auto first = scores.begin() + std::ptrdiff_t{q} * lanes + lane;
        const auto beyond =
            std::count_if(first, first + part,
                          [limit = plan_.first.arithmetic.limit()](i32 score) { return score >= limit; });
        if (beyond == 0) continue;
        escaped_ += static_cast<u64>(beyond);
        again.push_back(chosen[q]);
        at.push_back(q);
      }
      if (again.empty()) continue;
      const std::vector<i32> exact = run(*plan_.wider, groups_.codes(group) + lane, again, scratch);
      for (std::size_t i = 0; i < again.size(); ++i)
        std::copy_n(exact.begin() + static_cast<std::ptrdiff_t>(i * wider_lanes), part,
                    scores.begin() + std::ptrdiff_t{at[i]} * lanes + lane);
    }
  }

  const PaparaProblem& problem_;
  const CpuPlan plan_;
  const LaneGroups groups_;
  mutable ScratchPool scratch_;
  mutable std::atomic<u64> escaped_{0};  // since the scorer was made
};

}  // namespace

std::unique_ptr<CpuScorer> make_cpu_scorer(const PaparaProblem& problem, const Variant& variant,
                                           const Point& point) {
  return std::make_unique<KernelScorer>(problem, plan_cpu(problem, variant.space.complete(point)));
}

}  // namespace gpuseq::papara
