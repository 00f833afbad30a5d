#include "kernels/papara/family.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "kernels/papara/exec.hpp"
#include "kernels/papara/problem.hpp"
#include "runtime/concatenated.hpp"
#include "runtime/host_memory.hpp"
#include "runtime/say.hpp"

namespace gpuseq::papara {
namespace {

std::vector<Variant> all_variants() {
#if GPUSEQ_HAVE_CUDA
  return concatenated(concatenated(cpu_variants(), cuda_variants()), hybrid_variants());
#else
  return concatenated(cpu_variants(), hybrid_variants());
#endif
}

std::unique_ptr<ScoringSession> prepare_scoring(PaparaProblem& problem, const Variant& variant,
                                                const Point& point, Device& device) {
  const u64 queries = problem.queries().count(), references = problem.references().count;
  require_host_memory(queries * references * sizeof(i32),
                      fmt::format("a score of each of {} queries at each of {} edges", queries, references));
  for (const Variant& hybrid : hybrid_variants())
    if (hybrid.name == variant.name) return prepare_hybrid(problem, variant, point, device);
#if GPUSEQ_HAVE_CUDA
  if (variant.device == DeviceKind::cuda) return prepare_cuda(problem, variant, point, device);
#endif
  return prepare_cpu(problem, variant, point, device);
}

class PaparaFamily final : public Family {
 public:
  std::string_view name() const override { return "papara"; }
  std::string_view summary() const override {
    return "phylogeny-aware alignment of reads to the edges of a reference tree";
  }
  const SearchSpace& problem_space() const override { return papara::problem_space(); }
  const std::vector<Variant>& variants() const override { return variants_; }

  std::unique_ptr<Problem> load(const ProblemSpec& spec) const override { return load_problem(spec); }

  std::unique_ptr<Session> prepare(Problem& problem, const Variant& variant, const Point& point,
                                   Device& device) const override {
    return prepare_scoring(dynamic_cast<PaparaProblem&>(problem), variant, point, device);
  }

  std::vector<std::pair<std::string, std::string>> exec_roles() const override { return data_roles(); }
  std::vector<std::pair<std::string, std::string>> exec_outputs() const override { return output_roles(); }
  std::string_view exec_variant() const override { return "blocked"; }

  void exec(const ExecRequest& request, Device& device) const override {
    const Variant& chosen = variant(request.variant);
    const Point point = chosen.space.complete(request.point);
    OutputFiles files(name(), request.data, request.outputs);
    const LoadedProblem loaded = load_request(request);
    const auto session = prepare_scoring(*loaded.problem, chosen, point, device);
    for (const std::string& remark : write_answers(loaded, session->scores(), files))
      say(stderr, "papara: {}\n", remark);
  }

  std::vector<KernelSource> sources(const Variant& variant, const Point& point,
                                    const Point& problem) const override {
#if GPUSEQ_HAVE_CUDA
    if (variant.device == DeviceKind::cuda) return cuda_sources(variant, point);
#endif
    return Family::sources(variant, point, problem);
  }

 private:
  std::vector<Variant> variants_ = all_variants();
};

}  // namespace

std::unique_ptr<Family> make_family() {
  return std::make_unique<PaparaFamily>();
}

}  // namespace gpuseq::papara
