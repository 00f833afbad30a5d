#include "kernels/pairwise_distance/family.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "kernels/pairwise_distance/exec.hpp"
#include "kernels/pairwise_distance/problem.hpp"
#include "runtime/concatenated.hpp"
#include "runtime/errors.hpp"
#include "runtime/say.hpp"

namespace gpuseq::pairwise_distance {
namespace {

constexpr std::string_view kUsual = "bit_planes";  // of exec; the fastest where it can
constexpr std::string_view kAny = "bytes";         // any metric of any alphabet

std::vector<Variant> all_variants() {
#if GPUSEQ_HAVE_CUDA
  return concatenated(cpu_variants(), cuda_variants());
#else
  return cpu_variants();
#endif
}

std::unique_ptr<DistanceSession> prepare_distances(DistanceProblem& problem, const Variant& variant,
                                                   const Point& point, Device& device) {
#if GPUSEQ_HAVE_CUDA
  if (variant.device == DeviceKind::cuda) return prepare_cuda(problem, variant, point, device);
#endif
  return prepare_cpu(problem, variant, point, device);
}

class PairwiseDistanceFamily final : public Family {
 public:
  std::string_view name() const override { return "pairwise_distance"; }
  std::string_view summary() const override {
    return "Distances of all pairs of instances: Hamming, Manhattan, squared Euclidean, identity by state";
  }
  const SearchSpace& problem_space() const override { return pairwise_distance::problem_space(); }
  const std::vector<Variant>& variants() const override { return variants_; }

  std::unique_ptr<Problem> load(const ProblemSpec& spec) const override { return load_problem(spec); }

  std::unique_ptr<Session> prepare(Problem& problem, const Variant& variant, const Point& point,
                                   Device& device) const override {
    return prepare_distances(dynamic_cast<DistanceProblem&>(problem), variant, point, device);
  }

  std::vector<std::pair<std::string, std::string>> exec_roles() const override { return data_roles(); }
  std::vector<std::pair<std::string, std::string>> exec_outputs() const override { return output_roles(); }
  const SearchSpace& exec_options() const override { return pairwise_distance::exec_options(); }
  std::string_view exec_variant() const override { return kUsual; }

  void exec(const ExecRequest& request, Device& device) const override {
    OutputFiles files(name(), files_of(request), request.outputs);
    const auto problem = load_request(request);
    const auto session = prepare_exec(request, *problem, device);
    say(
        stderr, "{}",
        write_answers(*problem, session->distances(), exec_options().complete(request.options), files));
  }

  std::vector<KernelSource> sources(const Variant& variant, const Point& point,
                                    const Point& problem) const override {
#if GPUSEQ_HAVE_CUDA
    if (variant.device == DeviceKind::cuda) return cuda_sources(variant, point, problem);
#endif
    return Family::sources(variant, point, problem);
  }

 private:
  /// The variant of the request, or `bytes` where that is the usual one as it is, and does not do the input.
  std::unique_ptr<DistanceSession> prepare_exec(const ExecRequest& request, DistanceProblem& problem,
                                                Device& device) const {
    const Variant& chosen = variant(request.variant);
    const Point point = chosen.space.complete(request.point);
    const bool may_change = chosen.name == kUsual && point == chosen.space.complete({});
    try {
      return prepare_distances(problem, chosen, point, device);
    } catch (const DoesNotFit&) {
      throw;
    } catch (const ResourceError& error) {
      if (!may_change) throw;
      say(stderr, "{}; computed by {}\n", error.what(), kAny);
    }
    const Variant& any = variant(kAny);
    return prepare_distances(problem, any, any.space.complete({}), device);
  }

  std::vector<Variant> variants_ = all_variants();
};

}  // namespace

std::unique_ptr<Family> make_family() {
  return std::make_unique<PairwiseDistanceFamily>();
}

}  // namespace gpuseq::pairwise_distance
