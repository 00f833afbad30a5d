#include "kernels/exact_match/family.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "kernels/exact_match/cache.hpp"
#include "kernels/exact_match/exec.hpp"

namespace gpuseq::exact_match {
namespace {

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
                                   Device&) const override {
    return prepare_cpu(dynamic_cast<MatchProblem&>(problem), variant, point);
  }

  std::vector<std::pair<std::string, std::string>> exec_roles() const override { return data_roles(); }
  const SearchSpace& exec_options() const override { return exact_match::exec_options(); }
  std::string_view exec_variant() const override { return "tree_words"; }

  void exec(const ExecRequest& request, Device&) const override {
    const Variant& chosen = variant(request.variant);
    const Point point = chosen.space.complete(request.point);
    const MakeSearcher make_searcher = [&](const Reference& reference, const Search& search) {
      ThreadPool pool;
      LoadedTree loaded = load_tree(request.cache_dir, reference.text, pool);
      if (!loaded.note.empty()) fmt::print(stderr, "{}\n", loaded.note);
      order_nodes(loaded.tree, node_order_of(point));
      return cpu_searcher({whole(std::make_shared<const SuffixTree>(std::move(loaded.tree)))}, search, chosen,
                          point);
    };
    write_matches(request, make_searcher, [](const std::string& text) { fmt::print(stderr, "{}", text); });
  }

 private:
  std::vector<Variant> variants_ = cpu_variants();
};

}  // namespace

std::unique_ptr<Family> make_family() {
  return std::make_unique<ExactMatchFamily>();
}

}  // namespace gpuseq::exact_match
