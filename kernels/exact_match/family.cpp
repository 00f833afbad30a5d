#include "kernels/exact_match/family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "kernels/exact_match/exec/exec.hpp"
#include "runtime/io/say.hpp"
#include "runtime/system/concatenated.hpp"

namespace gpuseq::exact_match {

std::vector<MatchVariant> all_variants() {
#if GPUSEQ_HAVE_CUDA
  return concatenated(cpu_variants(), cuda_variants());
#else
  return cpu_variants();
#endif
}

namespace {

const Growth kGrowth{.axis = "query_count", .noun = "reads", .from = 500, .to = std::int64_t{1} << 31};

class ExactMatchFamily final : public Family {
 public:
  ExactMatchFamily() {
    for (const MatchVariant& one : all_) variants_.push_back(one.variant);
  }
  std::string_view name() const override { return "exact_match"; }
  std::string_view summary() const override {
    return "maximal exact matches of reads in a reference, by a suffix tree";
  }
  const SearchSpace& problem_space() const override { return exact_match::problem_space(); }
  const std::vector<Variant>& variants() const override { return variants_; }
  const Growth* growth() const override { return &kGrowth; }
  Point small_problem() const override {
    return {{"reference_bases", 20'000}, {"query_count", 200}, {"query_bases", 60}};
  }

  std::unique_ptr<Problem> load(const ProblemSpec& spec) const override { return load_problem(spec); }

  /// The tree is built once, and reordered by each variant.
  std::optional<ProblemCost> problem_cost(const StateOutline& state) const override {
    const auto axis = [&](const char* name) {
      return static_cast<std::uint64_t>(state.problem.integer(name));
    };
    const std::uint64_t asked = axis("reference_bases"),
                        count = axis("query_count") == 0 ? kSimulatedReads : axis("query_count");
    const auto bases =
        static_cast<double>(state.letters("reference", asked == 0 ? kGeneratedBases : asked, {"random"}));
    const std::uint64_t strands = state.problem.word("both_strands") == "yes" ? 2 : 1;
    const std::uint64_t positions = count * axis("query_bases") * strands;
    const auto queried =
        static_cast<double>(strands * state.letters("queries", count * axis("query_bases"), {"random"}));
    constexpr double kChecked = 1e6;  // bases of checked queries
    // For each read its name and offset; for each position a slot, that of a check, and a match.
    constexpr std::uint64_t kOwn = 128;
    return ProblemCost{.host_bytes = positions * (2 * sizeof(Slot) + sizeof(Match)) + count * kOwn,
                       .load_s = 3e-7 * bases + 3e-7 * queried,
                       .prepare_s = 4e-8 * bases,
                       .verify_s = 1e-7 * std::min(queried, kChecked) + 2e-8 * queried,
                       .launch_s = 3e-8 * queried,
                       .slowest_launch_s = 2.5e-7 * queried};
  }

  std::vector<std::pair<std::string, std::string>> exec_roles() const override { return data_roles(); }
  const SearchSpace& exec_options() const override { return exact_match::exec_options(); }
  std::string_view exec_variant() const override { return "tree_words"; }

  ExecReport exec(const ExecRequest& request, Device& device) const override {
    const auto chosen = static_cast<std::size_t>(&variant(request.variant) - variants_.data());
    return write_matches(request, all_[chosen], device,
                         [](const std::string& text) { say(stderr, "{}", Lines{text}); });
  }

 private:
  const std::vector<MatchVariant> all_ = all_variants();
  std::vector<Variant> variants_;  // variants in the order of all_
};

}  // namespace

std::unique_ptr<Family> make_family() {
  return std::make_unique<ExactMatchFamily>();
}

}  // namespace gpuseq::exact_match
