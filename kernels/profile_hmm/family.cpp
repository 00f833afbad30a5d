#include "kernels/profile_hmm/family.hpp"

#include <algorithm>
#include <cstdio>

#include "kernels/profile_hmm/checked_sequences.hpp"
#include "kernels/profile_hmm/exec/exec.hpp"
#include "kernels/profile_hmm/other_programs.hpp"
#include "kernels/profile_hmm/outline.hpp"
#include "kernels/profile_hmm/problem.hpp"
#include "runtime/io/say.hpp"
#include "runtime/system/concatenated.hpp"

namespace gpuseq::profile_hmm {
namespace {

std::vector<Variant> all_variants() {
#if GPUSEQ_HAVE_CUDA
  return concatenated(cpu_variants(), cuda_variants());
#else
  return cpu_variants();
#endif
}

const Growth kGrowth{.axis = "sequence_count", .noun = "sequences", .from = 100, .to = std::int64_t{1} << 31};

/// Proteins in their file's and a kernel's layout, and a score of each.
std::uint64_t host_bytes_of(const Point& problem) {
  constexpr std::uint64_t kResidues = 400, kOwn = 128;  // slightly above the mean of proteins
  return static_cast<std::uint64_t>(problem.integer("sequence_count")) * (3 * kResidues + kOwn);
}

class ProfileHmmFamily final : public Family {
 public:
  std::string_view name() const override { return "profile_hmm"; }
  std::string_view summary() const override {
    return "HMMER's filters: SSV, MSV and Viterbi scores of proteins by a profile HMM";
  }
  const SearchSpace& problem_space() const override { return profile_hmm::problem_space(); }
  const std::vector<Variant>& variants() const override { return variants_; }
  const Growth* growth() const override { return &kGrowth; }
  Point small_problem() const override { return {{"model_length", 40}, {"sequence_count", 200}}; }

  std::unique_ptr<Problem> load(const ProblemSpec& spec) const override { return load_problem(spec); }
  Compare comparison() const override {
    return [](const Problem& problem, const Answers& answers) -> Maybe<Agreement> {
      return agreement(dynamic_cast<const FilterProblem&>(problem), answers);
    };
  }

  /// Cells of a model and proteins of typical lengths.
  std::optional<ProblemCost> problem_cost(const StateOutline& state) const override {
    constexpr std::uint64_t kUsualResidues = 350;
    const auto count = static_cast<std::uint64_t>(state.problem.integer("sequence_count"));
    const auto residues = static_cast<double>(
        state.letters("sequences", (count == 0 ? kRandomSequences : count) * kUsualResidues, {"random"}));
    const double cells = residues * static_cast<double>(state.problem.integer("model_length"));
    const bool viterbi = state.problem.word("filter") == kFilterNames[Filter::viterbi];
    const double most = checked_cells(viterbi ? Filter::viterbi : Filter::ssv);
    return ProblemCost{.host_bytes = host_bytes_of(state.problem),
                       .load_s = 3e-7 * residues + 1e-9 * std::min(cells, most),
                       .prepare_s = 1e-8 * residues,
                       .verify_s = 1e-8 * residues,
                       .launch_s = 5e-11 * cells,
                       .slowest_launch_s = 3e-9 * cells};
  }

  std::vector<std::pair<std::string, std::string>> exec_roles() const override { return data_roles(); }
  const SearchSpace& exec_options() const override { return profile_hmm::exec_options(); }
  std::string_view exec_variant() const override { return "striped"; }

  ExecReport exec(const ExecRequest& request, Device& device) const override {
    ExecReport report;
    const Variant& chosen = variant(request.variant);
    const Point point = chosen.space.complete(request.point);
    OutputFiles files(name(), files_of(request), request.outputs);
    const ExecInput input = report.timed("load", [&] { return load_request(request); });
    const Scorer scorer = [&](FilterProblem& problem) {
      const auto session =
          report.timed("prepare", [&] { return prepare_as<FilterSession>(problem, chosen, point, device); });
      auto scores = report.timed("compute", [&] { return session->scores(); });
      report.add(session->work(), session->held());
      return scores;
    };
    write_answers(input, scorer, files, [](const std::string& text) { say(stderr, "{}", Lines{text}); });
    return report;
  }

 private:
  std::vector<Variant> variants_ = all_variants();
};

}  // namespace

std::unique_ptr<Family> make_family() {
  return std::make_unique<ProfileHmmFamily>();
}

}  // namespace gpuseq::profile_hmm
