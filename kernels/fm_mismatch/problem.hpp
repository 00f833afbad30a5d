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

/// Places of the text that the oracle tries at most, for all queries together: some seconds of one core.
inline constexpr u64 kMostTried = u64{1} << 30;

/// A text, queries, and how many mismatches they may have. Shared by all sessions.
///
/// Answers have places, one a strand of a packed query: those of a query follow each other, the forward
/// strand first.
class MismatchProblem final : public Problem {
 public:
  /// @throws as fm_locate::load_text(); ResourceError for a query that is too long
  explicit MismatchProblem(const ProblemSpec& spec);
  ~MismatchProblem() override;
  std::string hash() const override;
  std::string label(const Point& problem) const override;
  nlohmann::json describe() const override;
  /// As fm_index has them; answers are how often queries occur in the text on the strands that they are
  /// looked for on, with all mismatches that are allowed.
  std::map<std::string, std::filesystem::path> write_files(
      const std::filesystem::path& folder) const override;
  Verification check(const Answers& answers) const override;

  const fm_index::Reference& reference() const { return searched_->reference(); }
  const fm_index::Queries& queries() const { return searched_->queries(); }
  QueriesView queries_view() const;
  /// Why random access does not bound a search; empty where it does.
  const std::string& why_no_bound() const { return why_no_bound_; }
  const std::filesystem::path& cache_dir() const { return searched_->cache_dir(); }
  std::vector<std::string> notes() const;
  u32 mismatches() const { return mismatches_; }
  /// Strands on which queries are looked for: 1 or 2.
  u32 strands() const { return strands_; }
  /// Places of answers.
  u64 places() const { return u64{strands_} * queries().begin.size(); }
  /// Where a suffix begins that a row of a hit is of.
  u32 position(u32 row) const;

  /// Built when it is first asked for.
  const Index& index();
  /// That of the last session, or made anew.
  std::shared_ptr<const PrefixTable> prefix_table(u32 symbols);
  /// Compares answers with the oracle's, as many as it tells in a while, evenly spread; so does check().
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
  /// Of the places that are compared, ascending, all strands of a query.
  const Expected& expected() const;
  mutable Expected expected_;
};

/// Axes of the problem: those of fm_index, whose reference must be a text, mismatches, and strands.
const SearchSpace& problem_space();
/// Of a complete point.
u32 mismatches_of(const Point& problem);
u32 strands_of(const Point& problem);

/// CPU and CUDA sessions share work, memory, verification, traffic and facts.
class MismatchSession : public Session {
 public:
  MismatchSession(MismatchProblem& problem, u32 prefix_symbols)
      : problem_(problem), index_(problem.index()), table_(problem.prefix_table(prefix_symbols)) {}
  Work work() const;
  /// Buffers have the same sizes wherever they are.
  HeldMemory held() const;
  Cost cost() const override;
  Verification verify() override;
  nlohmann::json facts() const override;
  std::vector<std::string> notes() const override;
  /// As the last launch left them, by place; launches once if none did.
  virtual std::vector<Answer> answers() = 0;
  /// Searches once more and lists what answers() counts: the hits of each place, one place after the other.
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

/// Where the hits of each place begin, and behind the last all end.
/// @throws DoesNotFit if they are too many for the host's memory
std::vector<u64> begins_of_hits(std::span<const Answer> answers);

/// The variants of each kind; cuda_variants() is absent in a build without CUDA.
std::vector<Variant> cpu_variants();
std::vector<Variant> cuda_variants();

}  // namespace gpuseq::fm_mismatch
