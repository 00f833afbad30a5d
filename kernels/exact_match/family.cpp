#include "kernels/exact_match/family.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "kernels/exact_match/exec.hpp"
#include "runtime/concatenated.hpp"
#include "runtime/say.hpp"

namespace gpuseq::exact_match {
namespace {

std::vector<Variant> all_variants() {
#if GPUSEQ_HAVE_CUDA
  return concatenated(cpu_variants(), cuda_variants());
#else
  return cpu_variants();
#endif
}

std::unique_ptr<MatchSession> prepare_matches(MatchProblem& problem, const Variant& variant,
                                              const Point& point, [[maybe_unused]] Device& device) {
#if GPUSEQ_HAVE_CUDA
  if (variant.device == DeviceKind::cuda) return prepare_cuda(problem, variant, point, device);
#endif
  return prepare_cpu(problem, variant, point);
}

std::unique_ptr<Searcher> searcher_for(std::vector<TreePart> parts, const Search& search,
                                       const Variant& variant, const Point& point,
                                       [[maybe_unused]] Device& device,
                                       [[maybe_unused]] const std::filesystem::path& cache_dir) {
#if GPUSEQ_HAVE_CUDA
  if (variant.device == DeviceKind::cuda)
    return cuda_searcher(std::move(parts), search, variant, point, device, cache_dir);
#endif
  return cpu_searcher(std::move(parts), search, variant, point);
}

class ExactMatchFamily final : public Family {
 public:
  std::string_view name() const override { return "exact_match"; }
  std::string_view summary() const override {
    return "maximal exact matches of reads in a reference, by a suffix tree";
  }
  const SearchSpace& problem_space() const override { return exact_match::problem_space(); }
  const std::vector<Variant>& variants() const override { return variants_; }

  std::unique_ptr<Problem> load(const ProblemSpec& spec) const override { return load_problem(spec); }

  std::unique_ptr<Session> prepare(Problem& problem, const Variant& variant, const Point& point,
                                   Device& device) const override {
    return prepare_matches(dynamic_cast<MatchProblem&>(problem), variant, point, device);
  }

  std::vector<std::pair<std::string, std::string>> exec_roles() const override { return data_roles(); }
  const SearchSpace& exec_options() const override { return exact_match::exec_options(); }
  std::string_view exec_variant() const override { return "tree_words"; }

  void exec(const ExecRequest& request, Device& device) const override {
    const Variant& chosen = variant(request.variant);
    const Point point = chosen.space.complete(request.point);
    const SearchMaker maker{.arrange = [&](SuffixTree& tree) { order_nodes(tree, node_order_of(point)); },
                            // The other half is for queries and what is found of them.
                            .tree_bytes = chosen.device == DeviceKind::cuda ? device.free_bytes() / 2 : 0,
                            .make =
                                [&](std::vector<TreePart> parts, const Search& search) {
                                  return searcher_for(std::move(parts), search, chosen, point, device,
                                                      request.cache_dir);
                                }};
    write_matches(request, maker, [](const std::string& text) { say(stderr, "{}", text); });
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
  return std::make_unique<ExactMatchFamily>();
}

}  // namespace gpuseq::exact_match
