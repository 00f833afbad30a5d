#include "kernels/profile_hmm/family.hpp"

#include <cstdio>

#include "kernels/profile_hmm/exec/exec.hpp"
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

class ProfileHmmFamily final : public Family {
 public:
  std::string_view name() const override { return "profile_hmm"; }
  std::string_view summary() const override {
    return "HMMER's filters: SSV, MSV and Viterbi scores of proteins by a profile HMM";
  }
  const SearchSpace& problem_space() const override { return profile_hmm::problem_space(); }
  const std::vector<Variant>& variants() const override { return variants_; }
  Point small_problem() const override { return {{"model_length", 40}, {"sequence_count", 200}}; }

  std::unique_ptr<Problem> load(const ProblemSpec& spec) const override { return load_problem(spec); }

  std::vector<std::pair<std::string, std::string>> exec_roles() const override { return data_roles(); }
  std::string_view exec_variant() const override { return "striped"; }

  void exec(const ExecRequest& request, Device& device) const override {
    const Variant& chosen = variant(request.variant);
    const Point point = chosen.space.complete(request.point);
    OutputFiles files(name(), files_of(request), request.outputs);
    const ExecInput input = load_request(request);
    const Scorer scorer = [&](FilterProblem& problem) {
      return prepare_as<FilterSession>(problem, chosen, point, device)->scores();
    };
    write_answers(input, scorer, files, [](const std::string& text) { say(stderr, "{}", text); });
  }

 private:
  std::vector<Variant> variants_ = all_variants();
};

}  // namespace

std::unique_ptr<Family> make_family() {
  return std::make_unique<ProfileHmmFamily>();
}

}  // namespace gpuseq::profile_hmm
