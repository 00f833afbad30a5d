#include "kernels/fm_index/family.hpp"

#include <algorithm>

#include "kernels/common/exec_files.hpp"
#include "kernels/fm_index/oracle.hpp"
#include "kernels/fm_index/other_programs.hpp"
#include "kernels/fm_index/problem.hpp"
#include "runtime/io/output_files.hpp"
#include "runtime/io/say.hpp"
#include "runtime/system/concatenated.hpp"

namespace gpuseq::fm_index {
namespace {

std::vector<Variant> all_variants() {
#if GPUSEQ_HAVE_CUDA
  return concatenated(cpu_variants(), cuda_variants());
#else
  return cpu_variants();
#endif
}

/// One line a query in file order; queries that were not searched have the interval (0, 0).
void write_intervals(std::ostream& out, const Queries& queries, const std::vector<Interval<u64>>& answers) {
  out << "name\tl\th\tcount\n";
  queries.for_each_in_file([&](u64 position, std::optional<u32> query) {
    const Interval<u64> interval = query ? answers[*query] : Interval<u64>{0, 0};
    out << queries.name_in_file(position) << '\t' << interval.l << '\t' << interval.h << '\t'
        << interval.h - interval.l << '\n';
  });
}

const Growth kGrowth{.axis = "query_count", .noun = "queries", .from = 1000, .to = std::int64_t{1} << 31};

class FmIndexFamily final : public Family {
 public:
  std::string_view name() const override { return "fm_index"; }
  std::string_view summary() const override { return "exact search of DNA queries in a sampled FM-index"; }
  const SearchSpace& problem_space() const override { return fm_index::problem_space(); }
  const std::vector<Variant>& variants() const override { return variants_; }
  const Growth* growth() const override { return &kGrowth; }
  Point small_problem() const override {
    return {{"reference_bases", 20'000}, {"query_count", 200}, {"query_bases", 30}};
  }

  std::unique_ptr<Problem> load(const ProblemSpec& spec) const override { return load_problem(spec); }
  Compare comparison() const override {
    return [](const Problem& problem, const Answers& answers) -> Maybe<Agreement> {
      return {agreement(dynamic_cast<const FmProblem&>(problem), answers), {}};
    };
  }

  /// The suffixes are sorted once, each layout is counted and packed from their transform.
  std::optional<ProblemCost> problem_cost(const StateOutline& state) const override {
    const auto axis = [&](const char* name) { return static_cast<double>(state.problem.integer(name)); };
    const auto bases = static_cast<double>(reference_bases(state));
    const SampledQueries sampled = sampled_queries(state.problem);
    // In a file a k-mer begins at about each base.
    const double kmer_bases = state.problem.word("queries") == "sampled" ? 0 : axis("kmer_bases");
    const double queried =
        std::max(kmer_bases, 1.0) *
        static_cast<double>(state.letters("queries", sampled.count * sampled.bases, {"sampled"}));
    const double checked = std::min(queried, static_cast<double>(kMostChecked * sampled.bases));
    const double sorted = state.problem.word("reference") == "synthetic" ? 1e-8 : 1.5e-7;  // no text to sort
    // A query, packed and as it came, with its places and intervals; the text does not grow.
    constexpr u64 kOwn = 2 * 64;
    return ProblemCost{.host_bytes = sampled.count * (sampled.bases + kOwn),
                       .load_s = sorted * bases + 5e-8 * queried,
                       .prepare_s = 2e-8 * bases,
                       .verify_s = 1e-8 * checked + 2e-9 * queried,
                       .launch_s = 1e-8 * queried,
                       .slowest_launch_s = 1.2e-7 * queried};
  }

  std::vector<std::pair<std::string, std::string>> exec_roles() const override {
    return {{"reference", "FASTA or FASTQ, gzip or plain: the text; letters other than ACGT are left out"},
            {"queries", "FASTA or FASTQ, gzip or plain: the queries"},
            {"out", "tab-separated: name, l, h, count of every query in file order"}};
  }

  ExecReport exec(const ExecRequest& request, Device& device) const override {
    ExecReport report;
    ProblemSpec spec{
        .point = request.problem,
        .files = {{"reference", file_for(request.data, "reference", name(), "a file for \"reference\"")},
                  {"queries", file_for(request.data, "queries", name(), "a file for \"queries\"")}},
        .seed = request.seed,
        .cache_dir = request.cache_dir,
        .threads = 0};
    for (const char* role : {"reference", "queries"}) spec.point.set(role, std::string(role));
    const Variant& chosen = variant(request.variant);
    OutputFiles files(name(), request.data, request.outputs);
    const auto problem = report.timed("load", [&] {
      return load_problem(spec, [this](const std::string& text) { say(stderr, "{}: {}\n", name(), text); });
    });
    const auto session = report.timed(
        "prepare", [&] { return prepare_as<SearchSession>(*problem, chosen, request.point, device); });
    const auto answers = report.timed("compute", [&] { return session->answers(); });
    report.add(session->work(), session->held());
    write_intervals(files.at("out"), problem->queries(), answers);
    for (const std::string& note : problem->notes()) say(stderr, "{}: {}\n", name(), note);
    files.commit();
    return report;
  }

 private:
  std::vector<Variant> variants_ = all_variants();
};

}  // namespace

std::unique_ptr<Family> make_family() {
  return std::make_unique<FmIndexFamily>();
}

}  // namespace gpuseq::fm_index
