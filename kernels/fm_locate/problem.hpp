#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/fm_index/problem.hpp"
#include "kernels/fm_locate/data/index.hpp"
#include "kernels/fm_locate/data/occurrences.hpp"
#include "kernels/fm_locate/traffic.hpp"

namespace gpuseq::fm_locate {

/// A text, queries, and the rows found for them. Shared by all sessions.
class LocateProblem final : public Problem {
 public:
  /// @throws as fm_index::load_problem()
  explicit LocateProblem(const ProblemSpec& spec);
  ~LocateProblem() override;
  std::string hash() const override;
  std::string label(const Point& problem) const override;
  nlohmann::json describe() const override;
  /// Files as fm_index writes them; answers are counts of all occurrences in the text.
  std::map<std::string, std::filesystem::path> write_files(
      const std::filesystem::path& folder) const override;
  Verification check(const Answers& answers) const override;

  const fm_index::Reference& reference() const { return searched_->reference(); }
  const fm_index::Queries& queries() const { return searched_->queries(); }
  /// Why random access does not bound a search; empty if it does.
  const std::string& why_no_bound() const { return why_no_bound_; }
  const std::filesystem::path& cache_dir() const { return searched_->cache_dir(); }
  std::vector<std::string> notes() const { return searched_->notes(); }
  const Occurrences& occurrences() const { return occurrences_; }
  /// Most positions located per query and strand; 0: all.
  u64 most_hits() const { return most_hits_; }

  /// The index of a layout. The last one is kept and reused.
  std::shared_ptr<const Index> index(const Layout& layout);
  /// Compares positions, in the order of occurrences(), with the oracle's.
  Verification compare(std::span<const u32> positions);

 private:
  /// The checked queries, ascending, and their rows by strand. The rows of the reverse strand are found by
  /// searching the reverse complements; empty if that strand is not searched.
  struct Expected {
    std::vector<u32> queries;
    std::vector<fm_index::Interval<u64>> forward, reverse;
  };
  /// Computed on first use.
  const Expected& expected();
  /// The error in the positions of a strand of a query; empty if they are right.
  std::string why_wrong_on(Strand strand, u32 query, const fm_index::Interval<u64>& interval,
                           std::span<const u32> positions) const;

  int threads_;
  u64 most_hits_;
  Strands strands_;
  std::string why_no_bound_;
  std::unique_ptr<fm_index::FmProblem> searched_;
  fm_index::SuffixArray suffixes_;
  Occurrences occurrences_;
  double search_s_ = 0;
  std::shared_ptr<const Index> last_index_;
  std::optional<Expected> expected_;
};

/// Axes of the problem: those of fm_index, whose reference must be a text; max_hits; strands.
const SearchSpace& problem_space();
inline constexpr i64 kUsualMaxHits = 1000;

/// CPU and CUDA sessions share work, memory, verification, traffic and facts.
class LocateSession : public Session {
 public:
  /// @param sample_bytes  loaded for a sample: a sector or a line
  LocateSession(LocateProblem& problem, std::shared_ptr<const Index> index, u32 sample_bytes);
  Work work() const;
  /// Sizes are the same in host and device memory.
  HeldMemory held() const;
  Cost cost() const override;
  Verification verify() override;
  nlohmann::json facts() const override;
  std::vector<std::string> notes() const override;
  /// Positions from the last launch, in the order of LocateProblem::occurrences(). Launches if there was
  /// none.
  virtual std::vector<u32> positions() = 0;

 protected:
  const Touched& touched() const;
  /// Traffic::in_flight.
  virtual double in_flight() const { return 0; }

  LocateProblem& problem_;
  std::shared_ptr<const Index> index_;

 private:
  u32 sample_bytes_;
  mutable std::optional<Touched> touched_;
};

/// The variants of each kind; cuda_variants() is absent in a build without CUDA.
std::vector<Variant> cpu_variants();
std::vector<Variant> cuda_variants();

/// Axes of all variants, and the layout of a point.
std::vector<Axis> layout_axes();
Layout layout_of(const Point& point);

}  // namespace gpuseq::fm_locate
