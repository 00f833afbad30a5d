#include "kernels/profile_hmm/family.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "kernels/profile_hmm/exec.hpp"
#include "kernels/profile_hmm/problem.hpp"
#include "runtime/concatenated.hpp"
#include "runtime/say.hpp"

namespace gpuseq::profile_hmm {
namespace {

std::vector<Variant> all_variants() {
#if GPUSEQ_HAVE_CUDA
  return concatenated(cpu_variants(), cuda_variants());
#else
  return cpu_variants();
#endif
}

std::unique_ptr<FilterSession> prepare_filter(FilterProblem& problem, const Variant& variant,
                                              const Point& point, Device& device) {
#if GPUSEQ_HAVE_CUDA
  if (variant.device == DeviceKind::cuda) return prepare_cuda(problem, variant, point, device);
#endif
  return prepare_cpu(problem, variant, point, device);
}

class ProfileHmmFamily final : public Family {
 public:
  std::string_view name() const override { return "profile_hmm"; }
  std::string_view summary() const override {
    return "HMMER's filters: SSV, MSV and Viterbi scores of proteins by a profile HMM";
  }
  const SearchSpace& problem_space() const override { return profile_hmm::problem_space(); }
  const std::vector<Variant>& variants() const override { return variants_; }

  std::unique_ptr<Problem> load(const ProblemSpec& spec) const override { return load_problem(spec); }

  std::unique_ptr<Session> prepare(Problem& problem, const Variant& variant, const Point& point,
                                   Device& device) const override {
    return prepare_filter(dynamic_cast<FilterProblem&>(problem), variant, point, device);
  }

  std::vector<std::pair<std::string, std::string>> exec_roles() const override { return data_roles(); }
  std::string_view exec_variant() const override { return "striped"; }

  void exec(const ExecRequest& request, Device& device) const override {
    const Variant& chosen = variant(request.variant);
    const Point point = chosen.space.complete(request.point);
    OutputFiles files(name(), files_of(request), request.outputs);
    const ExecInput input = load_request(request);
    const Scorer scorer = [&](FilterProblem& problem) {
      return prepare_filter(problem, chosen, point, device)->scores();
    };
    write_answers(input, scorer, files, [](const std::string& text) { say(stderr, "{}", text); });
  }

  std::vector<KernelSource> sources(const Variant& variant, const Point& point,
                                    const Point& problem) const override {
#if GPUSEQ_HAVE_CUDA
    if (variant.device == DeviceKind::cuda) return cuda_sources(variant, point, problem);
#endif
    return Family::sources(variant, point, problem);
  }

 private:
  std::vector<Variant> variants_ = all_variants();
};

}  // namespace

std::unique_ptr<Family> make_family() {
  return std::make_unique<ProfileHmmFamily>();
}

}  // namespace gpuseq::profile_hmm
