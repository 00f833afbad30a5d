#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/exact_match/data/generator.hpp"
#include "kernels/exact_match/data/parts.hpp"
#include "kernels/exact_match/matches.hpp"
#include "kernels/exact_match/traffic.hpp"
#include "runtime/contract/family.hpp"

namespace gpuseq::exact_match {

/// Bases of a random reference if the point has none.
inline constexpr u64 kGeneratedBases = 1'000'000;
/// Simulated reads if the point has none.
inline constexpr u64 kSimulatedReads = 100'000;
inline constexpr const char* kQueryBases = "query bases";  // the unit of work

/// A reference with its suffix tree, queries, search parameters, and the oracle's matches of some queries.
/// Shared by all sessions.
class MatchProblem : public Problem {
 public:
  ~MatchProblem() override;
  std::string hash() const override;
  std::string label(const Point& problem) const override;
  nlohmann::json describe() const override;
  /// Writes "reference" and "queries" as FASTA, letters other than ACGT as N.
  std::map<std::string, std::filesystem::path> write_files(
      const std::filesystem::path& folder) const override;
  /// @param answers  number of matches of every query by name, all strands; queries of the same name are
  /// added. Queries without matches may be missing
  Verification check(const Answers& answers) const override;

  const Reference& reference() const;
  const Queries& queries() const;
  const Search& search() const;
  /// The tree with its nodes in an order; built or read on first use, and one tree is kept.
  std::shared_ptr<const SuffixTree> tree(NodeOrder order);
  /// Trees of `count` parts that overlap by the longest query, own ranges ascending; a tiny reference may
  /// have fewer parts. One part is tree().
  std::vector<TreePart> parts(u64 count, NodeOrder order);
  /// Seconds of building or reading the trees that were requested last.
  double tree_s() const;
  /// Queries with an oracle result, ascending (all of a small problem, else a selection that takes a few
  /// seconds), and their matches; computed on first use.
  std::span<const u64> checked() const;
  const MatchList& expected() const;
  const std::filesystem::path& cache_dir() const;
  int threads() const;
  std::vector<std::string> notes() const;

  struct State;
  explicit MatchProblem(std::unique_ptr<State> state);

 private:
  std::unique_ptr<State> state_;
};

/// Axes: reference (`random`, or a data name), reference_bases, reference_sequences, repeat_percent; queries
/// (`random`, or a data name), query_count, query_bases, errors_per_1000; min_length, mode, both_strands.
const SearchSpace& problem_space();

/// The axes min_length, mode and both_strands, which are also options of exec.
std::vector<Axis> search_axes();
/// @param point  has those axes
Search search_of(const Point& point);

/// @throws UsageError for a malformed file
std::unique_ptr<MatchProblem> load_problem(const ProblemSpec& spec);

/// A problem of given data, for tests and other callers that have data.
std::unique_ptr<MatchProblem> make_problem(Reference reference, Queries queries, const Search& search,
                                           std::filesystem::path cache_dir = {});

/// Searches any queries, for exec: the tree is prepared once, queries come block by block.
class Searcher {
 public:
  virtual ~Searcher() = default;
  virtual MatchList search(const Queries& queries) = 0;
  /// Memory after a search of these queries, without the returned list.
  virtual HeldMemory held(const Queries& queries) const = 0;
  /// Seconds of all calls by phase: "upload", "kernel", "download", "listing", if measured separately.
  /// Overlapping phases each have their full time.
  virtual std::map<std::string, double> phases() const { return {}; }
};

/// The common part of all variants' sessions: work, verification against the oracle, and facts.
class MatchSession : public Session {
 public:
  explicit MatchSession(MatchProblem& problem) : problem_(problem) {}
  Work work() const;  // unit "query bases", each strand counted
  virtual HeldMemory held() const = 0;
  Verification verify() override;
  nlohmann::json facts() const override;
  std::vector<std::string> notes() const override;
  /// Matches of all queries by the last launch; launches first if necessary.
  virtual MatchList matches() = 0;

 protected:
  /// Seconds for printing the matches to memory on one thread: the side sample "printing". Measured by
  /// verify(), which has the matches, or by this call.
  double printing_s();

  MatchProblem& problem_;

 private:
  double seconds_to_print(const MatchList& list) const;
  std::optional<double> printing_s_;
};

/// Makes a variant's searcher at a complete point.
/// @param parts  of a reference, own ranges ascending, nodes in the point's order (node_order_of). Queries of
/// search() must not be longer than the overlap of the parts
/// @param device  must outlive the searcher
/// @param cache_dir  of compiled kernels
/// @throws DoesNotFit if the device has not enough memory
using MakeSearcher = std::function<std::unique_ptr<Searcher>(
    std::vector<TreePart> parts, const Search& search, const Point& point, Device& device,
    const std::filesystem::path& cache_dir)>;

/// A variant, whose sessions are MatchSessions, with the functions that exec needs.
struct MatchVariant {
  Variant variant;
  MakeSearcher searcher;
  /// Share of the device's free memory for one tree if the user sets no limit; 0: unlimited.
  double tree_share = 0;
};
/// The CPU variants and the CUDA variants (absent in a build without CUDA).
std::vector<MatchVariant> cpu_variants();
std::vector<MatchVariant> cuda_variants();
std::vector<MatchVariant> all_variants();  // both

/// The value of the axis node_order of a complete point.
NodeOrder node_order_of(const Point& point);

}  // namespace gpuseq::exact_match
