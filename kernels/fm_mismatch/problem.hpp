#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/fm_index/problem.hpp"
#include "kernels/fm_locate/data/occurrences.hpp"
#include "kernels/fm_mismatch/data/index.hpp"
#include "kernels/fm_mismatch/data/prefix_table.hpp"
#include "kernels/fm_mismatch/data/searches.cuh"
#include "kernels/fm_mismatch/oracle.hpp"
#include "kernels/fm_mismatch/traffic.hpp"

namespace gpuseq::fm_mismatch {

using fm_locate::Strand;

/// Most places of the text that the oracle tries for all queries together: some seconds on one core.
inline constexpr u64 kMostTried = u64{1} << 30;

/// A text, queries, and the allowed number of mismatches. Shared by all sessions.
///
/// Answers have places, one per strand of a packed query: those of a query are consecutive, the forward
/// strand first.
class MismatchProblem final : public Problem {
 public:
  /// @throws as fm_locate::load_text(); ResourceError for a query that is too long
  explicit MismatchProblem(const ProblemSpec& spec);
  ~MismatchProblem() override;
  std::string hash() const override;
  std::string label(const Point& problem) const override;
  nlohmann::json describe() const override;
  /// Files as fm_index writes them; answers are the occurrences of queries in the text on the searched
  /// strands, with up to the allowed number of mismatches.
  std::map<std::string, std::filesystem::path> write_files(
      const std::filesystem::path& folder) const override;
  Verification check(const Answers& answers) const override;

  const fm_index::Reference& reference() const { return searched_->reference(); }
  const fm_index::Queries& queries() const { return searched_->queries(); }
  QueriesView queries_view() const;
  /// Why random access does not bound a search; empty if it does.
  const std::string& why_no_bound() const { return why_no_bound_; }
  const std::filesystem::path& cache_dir() const { return searched_->cache_dir(); }
  std::vector<std::string> notes() const;
  u32 mismatches() const { return mismatches_; }
  /// Strands on which queries are searched: 1 or 2.
  u32 strands() const { return strands_; }
  /// Places of answers.
  u64 places() const { return u64{strands_} * queries().begin.size(); }
  /// The position in the text of a row of a hit.
  u32 position(u32 row) const;

  /// Built on first use.
  const Index& index();
  /// The table of the last session, or a new one.
  std::shared_ptr<const PrefixTable> prefix_table(u32 symbols);
  /// Compares answers with the oracle's for evenly spread queries, as many as the oracle computes in limited
  /// time. check() does the same.
  Verification compare(std::span<const Answer> answers);

 private:
  int threads_;
  u32 mismatches_, strands_;
  std::string why_no_bound_;
  std::unique_ptr<fm_index::FmProblem> searched_;
  fm_index::SuffixArray suffixes_;
  std::optional<Index> index_;
  std::shared_ptr<const PrefixTable> table_;

  using Expected = std::vector<std::pair<u64, ByMismatches>>;
  /// For the compared places, ascending, all strands of a query.
  const Expected& expected() const;
  mutable Expected expected_;
};

/// Axes of the problem: those of fm_index, whose reference must be a text; mismatches; strands.
const SearchSpace& problem_space();
/// @param problem  complete
u32 mismatches_of(const Point& problem);
u32 strands_of(const Point& problem);

/// CPU and CUDA sessions share work, memory, verification, traffic and facts.
class MismatchSession : public Session {
 public:
  MismatchSession(MismatchProblem& problem, u32 prefix_symbols)
      : problem_(problem), index_(problem.index()), table_(problem.prefix_table(prefix_symbols)) {}
  Work work() const;
  /// Sizes are the same in host and device memory.
  HeldMemory held() const;
  Cost cost() const override;
  Verification verify() override;
  nlohmann::json facts() const override;
  std::vector<std::string> notes() const override;
  /// Answers from the last launch, by place. Launches if there was none.
  virtual std::vector<Answer> answers() = 0;
  /// Searches again and lists the hits that answers() counts, ordered by place.
  virtual std::vector<Hit> hits() = 0;

 protected:
  const Touched& touched() const;
  /// Traffic::in_flight.
  virtual double in_flight() const { return 0; }
  /// The index with the prefix table, in host memory.
  IndexView view() const { return with_table(index_.view, *table_); }

  MismatchProblem& problem_;
  const Index& index_;
  std::shared_ptr<const PrefixTable> table_;

 private:
  mutable std::optional<Touched> touched_;
};

/// The begin of the hits of each place, followed by the end of all.
/// @throws DoesNotFit if they are too many for the host's memory
std::vector<u64> begins_of_hits(std::span<const Answer> answers);

/// The variants of each kind; cuda_variants() is absent in a build without CUDA.
std::vector<Variant> cpu_variants();
std::vector<Variant> cuda_variants();

}  // namespace gpuseq::fm_mismatch
