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

/// A text, queries, and the rows at which they were found. Shared by all sessions.
class LocateProblem final : public Problem {
 public:
  /// @throws as fm_index::load_problem()
  explicit LocateProblem(const ProblemSpec& spec);
  ~LocateProblem() override;
  std::string hash() const override;
  std::string label(const Point& problem) const override;
  nlohmann::json describe() const override;
  /// As fm_index has them; answers are counts of all occurrences in the text.
  std::map<std::string, std::filesystem::path> write_files(
      const std::filesystem::path& folder) const override;
  Verification check(const Answers& answers) const override;

  const fm_index::Reference& reference() const { return searched_->reference(); }
  const fm_index::Queries& queries() const { return searched_->queries(); }
  /// Why random access does not bound a search; empty where it does.
  const std::string& why_no_bound() const { return why_no_bound_; }
  const std::filesystem::path& cache_dir() const { return searched_->cache_dir(); }
  std::vector<std::string> notes() const { return searched_->notes(); }
  const Occurrences& occurrences() const { return occurrences_; }
  /// Positions of a strand of a query that are located at most; 0: all.
  u64 most_hits() const { return most_hits_; }

  /// The index of a layout; built, or the last one again (one is kept alive).
  std::shared_ptr<const Index> index(const Layout& layout);
  /// Compares positions, in the order of occurrences(), with the oracle's.
  Verification compare(std::span<const u32> positions);

 private:
  /// Of the queries that are checked: which they are, ascending, and their rows by strand. Those of the
  /// reverse are of their complements, spelled backwards, as queries; none where they are not looked for.
  struct Expected {
    std::vector<u32> queries;
    std::vector<fm_index::Interval<u64>> forward, reverse;
  };
  /// Made when it is first asked for.
  const Expected& expected();
  /// Why the positions of a strand of a query are wrong; empty: they are not.
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

/// Axes of the problem: those of fm_index, whose reference must be a text, max_hits, and strands.
const SearchSpace& problem_space();
inline constexpr i64 kUsualMaxHits = 1000;

/// CPU and CUDA sessions share work, memory, verification, traffic and facts.
class LocateSession : public Session {
 public:
  /// @param sample_bytes  that reading a sample brings: a sector or a line
  LocateSession(LocateProblem& problem, std::shared_ptr<const Index> index, u32 sample_bytes);
  Work work() const;
  /// Buffers have the same sizes wherever they are.
  HeldMemory held() const;
  Cost cost() const override;
  Verification verify() override;
  nlohmann::json facts() const override;
  std::vector<std::string> notes() const override;
  /// As the last launch left them, in the order of LocateProblem::occurrences(); launches once if none did.
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

/// Axes that all variants have, and the layout of a point.
std::vector<Axis> layout_axes();
Layout layout_of(const Point& point);

}  // namespace gpuseq::fm_locate
