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

/// Of a random reference without a number.
inline constexpr u64 kGeneratedBases = 1'000'000;
/// Reads that are simulated without a number.
inline constexpr u64 kSimulatedReads = 100'000;
inline constexpr const char* kQueryBases = "query bases";  // the unit of work

/// A reference with its suffix tree, queries, what is searched for, and the oracle's matches of some queries.
/// Shared by all sessions.
class MatchProblem : public Problem {
 public:
  ~MatchProblem() override;
  std::string hash() const override;
  std::string label(const Point& problem) const override;
  nlohmann::json describe() const override;
  /// "reference" and "queries" as FASTA, letters other than ACGT as N.
  std::map<std::string, std::filesystem::path> write_files(
      const std::filesystem::path& folder) const override;
  /// @param answers  matches of every query by name, all strands; queries of one name together. One without
  /// any may be missing
  Verification check(const Answers& answers) const override;

  const Reference& reference() const;
  const Queries& queries() const;
  const Search& search() const;
  /// The tree with its nodes in an order; built or read when first asked for, and one is kept.
  std::shared_ptr<const SuffixTree> tree(NodeOrder order);
  /// Trees of so many parts that overlap by the longest query, own ranges ascending; those of a tiny
  /// reference may be fewer. One part is tree().
  std::vector<TreePart> parts(u64 count, NodeOrder order);
  /// Seconds that building or reading the trees took that were asked for last.
  double tree_s() const;
  /// Queries that have an oracle's answer, ascending (all of a small problem, else a spread that takes a few
  /// seconds), and their matches; made when first asked for.
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

/// The axes min_length, mode and both_strands, which exec has as options too.
std::vector<Axis> search_axes();
/// @param point  has those axes
Search search_of(const Point& point);

/// @throws UsageError for a malformed file
std::unique_ptr<MatchProblem> load_problem(const ProblemSpec& spec);

/// A problem of given data, for tests and whoever has data at hand.
std::unique_ptr<MatchProblem> make_problem(Reference reference, Queries queries, const Search& search,
                                           std::filesystem::path cache_dir = {});

/// Searches any queries, for exec: the tree is made ready once, queries come block by block.
class Searcher {
 public:
  virtual ~Searcher() = default;
  virtual MatchList search(const Queries& queries) = 0;
  /// The memory after a search of these queries, without the list that it returned.
  virtual HeldMemory held(const Queries& queries) const = 0;
  /// Seconds of all calls by phase: "upload", "kernel", "download", "listing", as far as they are apart. What
  /// goes on at the same time is in each of them.
  virtual std::map<std::string, double> phases() const { return {}; }
};

/// The sessions of all variants share work, verification against the oracle, and facts.
class MatchSession : public Session {
 public:
  explicit MatchSession(MatchProblem& problem) : problem_(problem) {}
  Work work() const;  // unit "query bases", each strand counted
  virtual HeldMemory held() const = 0;
  Verification verify() override;
  nlohmann::json facts() const override;
  std::vector<std::string> notes() const override;
  /// Matches of all queries, as the last launch found them; launches once if none did.
  virtual MatchList matches() = 0;

 protected:
  /// Seconds of one thread to print the matches to memory: the side sample "printing". Taken by verify(),
  /// which has the matches, or now.
  double printing_s();

  MatchProblem& problem_;

 private:
  double seconds_to_print(const MatchList& list) const;
  std::optional<double> printing_s_;
};

/// Makes a variant's searcher at a complete point.
/// @param parts  of a reference, own ranges ascending, nodes in the order that the point names
/// (node_order_of). Queries of search() must not be longer than what the parts overlap by
/// @param device  must outlive the searcher
/// @param cache_dir  of compiled kernels
/// @throws DoesNotFit if the device has not the memory
using MakeSearcher = std::function<std::unique_ptr<Searcher>(
    std::vector<TreePart> parts, const Search& search, const Point& point, Device& device,
    const std::filesystem::path& cache_dir)>;

/// A variant, whose sessions are MatchSessions, with what exec needs of it.
struct MatchVariant {
  Variant variant;
  MakeSearcher searcher;
  /// Of the device's free memory, what one tree may take where the user does not say; 0: as much as it wants.
  double tree_share = 0;
};
/// The CPU variants and the CUDA variants (absent in a build without CUDA).
std::vector<MatchVariant> cpu_variants();
std::vector<MatchVariant> cuda_variants();
std::vector<MatchVariant> all_variants();  // both

/// The value of the axis node_order of a complete point.
NodeOrder node_order_of(const Point& point);

}  // namespace gpuseq::exact_match
