#include "kernels/papara/family.hpp"

#include <algorithm>
#include <cstdio>

#include "kernels/papara/checked_pairs.hpp"
#include "kernels/papara/exec/exec.hpp"
#include "kernels/papara/hybrid/session.hpp"
#include "kernels/papara/outline.hpp"
#include "runtime/io/say.hpp"
#include "runtime/system/concatenated.hpp"

namespace gpuseq::papara {
namespace {

std::vector<Variant> all_variants() {
  std::vector<Variant> variants = cpu_variants();
#if GPUSEQ_HAVE_CUDA
  variants = concatenated(std::move(variants), cuda_variants());
  variants.push_back(hybrid_variant(cuda_part()));
#else
  variants.push_back(hybrid_variant({}));
#endif
  return variants;
}

const Growth kGrowth{.axis = "query_count", .noun = "reads", .from = 8, .to = std::int64_t{1} << 31};

/// Reads, and a score of each read with each reference. Files are assumed to have as many as evolved data.
std::uint64_t host_bytes_of(const Point& problem) {
  constexpr std::uint64_t kOwn = 128;  // bytes of a read's name and offsets
  const auto size = [&](const char* axis) { return static_cast<std::uint64_t>(problem.integer(axis)); };
  const std::uint64_t queries = size("query_count"), named = size("references");
  const std::uint64_t scores = queries * (named == 0 ? kEvolvedReferences : named);
  return 2 * sizeof(std::int32_t) * scores + queries * (2 * size("longest_query") + kOwn);
}

class PaparaFamily final : public Family {
 public:
  std::string_view name() const override { return "papara"; }
  std::string_view summary() const override {
    return "phylogeny-aware alignment of reads to the edges of a reference tree";
  }
  const SearchSpace& problem_space() const override { return papara::problem_space(); }
  const std::vector<Variant>& variants() const override { return variants_; }
  const Growth* growth() const override { return &kGrowth; }
  Point small_problem() const override {
    return {{"references", 6},
            {"sites", 120},
            {"query_count", 20},
            {"shortest_query", 30},
            {"longest_query", 40}};
  }

  std::unique_ptr<Problem> load(const ProblemSpec& spec) const override { return load_problem(spec); }

  /// Cells of the bands of all edges. For files, the number of letters is estimated by the number of bytes.
  std::optional<ProblemCost> problem_cost(const StateOutline& state) const override {
    const auto axis = [&](const char* name) {
      return static_cast<std::uint64_t>(state.problem.integer(name));
    };
    const auto read = [&](const char* name, std::uint64_t generated) {
      return static_cast<double>(state.letters(name, generated, {"evolved"}));
    };
    // A file may have more rows than are taken, whose lengths only reading tells.
    constexpr double kLongestRow = 1e4, kLongestQuery = 2e3;
    const auto taken = [&](double letters, const char* rows, double longest) {
      const auto count = static_cast<double>(axis(rows));
      return count == 0 ? letters : std::min(letters, count * longest);
    };
    const double letters = taken(read("alignment", axis("references") * axis("sites")), "references",
                                 std::max(kLongestRow, static_cast<double>(axis("sites"))));
    const double queried = taken(read("queries", axis("query_count") * axis("longest_query")), "query_count",
                                 std::max(kLongestQuery, static_cast<double>(axis("longest_query"))));
    const double cells = 2 * letters * queried;  // a tree has twice as many edges as tips
    const double checked = std::min(cells, kCheckedCells);
    return ProblemCost{.host_bytes = host_bytes_of(state.problem),
                       .load_s = 1e-7 * letters + 1e-7 * queried + 1e-8 * checked,
                       .prepare_s = 2e-8 * letters,
                       .verify_s = 3e-10 * checked,
                       .launch_s = 3e-11 * cells,
                       .slowest_launch_s = 1e-9 * cells};
  }

  std::vector<std::pair<std::string, std::string>> exec_roles() const override { return data_roles(); }
  std::vector<std::pair<std::string, std::string>> exec_outputs() const override { return output_roles(); }
  std::string_view exec_variant() const override { return "blocked"; }

  ExecReport exec(const ExecRequest& request, Device& device) const override {
    ExecReport report;
    const Variant& chosen = variant(request.variant);
    const Point point = chosen.space.complete(request.point);
    OutputFiles files(name(), request.data, request.outputs);
    const LoadedProblem loaded = report.timed("load", [&] { return load_request(request); });
    const auto session = report.timed(
        "prepare", [&] { return prepare_as<ScoringSession>(*loaded.problem, chosen, point, device); });
    const auto& scores = report.timed(
        "compute", [&]() -> auto& { return session->scores(); });
    report.add(session->work(), session->held());
    for (const std::string& remark : write_answers(loaded, scores, files))
      say(stderr, "papara: {}\n", remark);
    return report;
  }

 private:
  std::vector<Variant> variants_ = all_variants();
};

}  // namespace

std::unique_ptr<Family> make_family() {
  return std::make_unique<PaparaFamily>();
}

}  // namespace gpuseq::papara
