#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/fm_index/data/bwt.hpp"
#include "kernels/fm_index/data/index.hpp"
#include "kernels/fm_index/data/queries.hpp"
#include "kernels/fm_index/data/reference.hpp"
#include "kernels/fm_index/traffic.hpp"
#include "runtime/contract/family.hpp"

namespace gpuseq::fm_index {

/// The size of a reference that is generated without a number.
inline constexpr u64 kGeneratedBases = 1'000'000;
/// Queries that are sampled without a number.
inline constexpr u64 kSampledQueries = 100'000;

class ColumnRank;

/// A reference with its BWT, queries, and the oracle's answers. Shared by all sessions.
class FmProblem : public Problem {
 public:
  ~FmProblem() override;
  std::string hash() const override;
  bool synthetic() const override;
  std::string label(const Point& problem) const override;
  nlohmann::json describe() const override;
  /// "reference": the text as one FASTA record, the source file itself where it is just that. "queries":
  /// those that are searched and not empty, each named by its number in file order, from 1.
  std::map<std::string, std::filesystem::path> write_files(
      const std::filesystem::path& folder) const override;
  /// @param answers  occurrences on the forward strand by the names that write_files() gave; a query that is
  /// not named has none
  Verification check(const Answers& answers) const override;

  /// Reference bases (n); rows are n + 1.
  u64 bases() const;
  /// The text, a base code a byte; empty when synthetic.
  std::span<const u8> text() const;
  /// The source of the text.
  const Reference& reference() const;
  /// Column 1, and the ranks of its symbols.
  const Bwt& bwt() const;
  const ColumnRank& rank() const;
  /// The suffix array of the text, which is the caller's: of a reference that is not synthetic.
  SuffixArray take_suffixes();
  /// The file that holds the text as one record and nothing else, however it is packed; nullopt: none does.
  std::optional<std::filesystem::path> source_file() const;
  /// Positions need 64 bits.
  bool wide() const;
  /// As they are searched.
  const Queries& queries() const;
  /// Whether the axis `query_order` gave them another order, and its seconds; 0 as they are given.
  bool ordered() const;
  double order_s() const;
  /// Why random access is no bound for the queries, as why_no_bound() of their point.
  std::string why_no_bound() const;
  /// Indices of the packed queries that have an oracle's answer, ascending, and those answers.
  std::span<const u32> checked() const;
  std::span<const Interval<u64>> expected() const;
  /// @throws ResourceError with the reason where the reference has no such layout
  void require(const Layout& layout) const;
  /// The index of a layout; built, or the last one again (one is kept alive per problem).
  std::shared_ptr<const Index> index(const Layout& layout, u32 prefix_symbols);
  /// Blocks that a layout touches for these queries (counted on an evenly spread subset, scaled to all).
  Traffic count_traffic(const Index& index, RowsRead rows_read) const;
  /// Where compiled kernels and sorted texts are kept between runs; may be empty or not exist.
  const std::filesystem::path& cache_dir() const;
  /// A harmless failure (a cache that could not be written); empty without one.
  std::vector<std::string> notes() const;

  struct State;
  explicit FmProblem(std::unique_ptr<State> state);

 private:
  std::unique_ptr<State> state_;
};

/// Axes of the problem. A point without newer ones has their defaults: kmer_bases, query_order, strains,
/// mutations_per_1000, shortest_query_bases, n_percent.
const SearchSpace& problem_space();
/// Its constraints, which are on its axes alone.
std::vector<Constraint> problem_constraints();

/// The number of queries that a problem samples, and their lengths.
struct SampledQueries {
  u64 count = 0;
  u32 bases = 0;     // of mixed lengths on average, rounded up
  u64 searched = 0;  // of the queries those without an N
};
/// @param problem  complete, whose queries are sampled; k-mers are counted, not their reads
SampledQueries sampled_queries(const Point& problem);
/// How they are made.
Sampling sampling_of(const Point& problem, u64 seed);
/// The strains of the text.
Strains strains_of(const Point& problem);

/// Loads or generates reference and queries. The oracle's answers are made when they are first asked for.
/// @param tell  called with the memory of a step, before it is taken
/// @throws UsageError for a malformed file, or sizes that do not fit it; DoesNotFit before anything is sorted
///   if the host's memory cannot hold it
std::unique_ptr<FmProblem> load_problem(
    const ProblemSpec& spec, const std::function<void(const std::string&)>& tell = [](const std::string&) {});

/// The unit of their work.
inline constexpr const char* kQueryBases = "query bases";

/// The base of CPU and CUDA sessions: cost, verification against the oracle, facts.
class SearchSession : public Session {
 public:
  SearchSession(FmProblem& problem, std::shared_ptr<const Index> index,
                RowsRead rows_read = RowsRead::all_of_entry);
  Work work() const;
  virtual HeldMemory held() const = 0;
  Cost cost() const override;
  Verification verify() override;
  /// "sort": the seconds of ordering the queries on the host.
  std::map<std::string, std::vector<double>> side_samples_s() override;
  nlohmann::json facts() const override;
  std::vector<std::string> notes() const override;
  /// Interval of every packed query, as the last launch left them; launches once if none did.
  virtual std::vector<Interval<u64>> answers() = 0;

 protected:
  /// The blocks that the search touches, also where they are no bound.
  const Traffic& touched() const;
  /// The blocks that are its bound; asked for only where why_no_bound() is empty.
  virtual Traffic traffic() const { return touched(); }
  virtual std::string why_no_bound() const { return problem_.why_no_bound(); }

  FmProblem& problem_;
  std::shared_ptr<const Index> index_;
  RowsRead rows_read_;
  mutable std::optional<Traffic> touched_;
};

/// The variants of each kind; cuda_variants() is absent in a build without CUDA.
std::vector<Variant> cpu_variants();
std::vector<Variant> cuda_variants();

}  // namespace gpuseq::fm_index
