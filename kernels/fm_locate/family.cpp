#include "kernels/fm_locate/family.hpp"

#include <algorithm>

#include "kernels/common/exec_files.hpp"
#include "kernels/fm_locate/exec/hits.hpp"
#include "kernels/fm_locate/problem.hpp"
#include "runtime/io/output_files.hpp"
#include "runtime/io/say.hpp"
#include "runtime/system/concatenated.hpp"

namespace gpuseq::fm_locate {
namespace {

std::vector<Variant> all_variants() {
#if GPUSEQ_HAVE_CUDA
  return concatenated(cpu_variants(), cuda_variants());
#else
  return cpu_variants();
#endif
}

const Growth kGrowth{.axis = "query_count", .noun = "queries", .from = 1000, .to = std::int64_t{1} << 31};

class FmLocateFamily final : public Family {
 public:
  std::string_view name() const override { return "fm_locate"; }
  std::string_view summary() const override {
    return "positions of DNA queries from their rows, by a sampled suffix array";
  }
  const SearchSpace& problem_space() const override { return fm_locate::problem_space(); }
  const std::vector<Variant>& variants() const override { return variants_; }
  const Growth* growth() const override { return &kGrowth; }
  std::string_view exec_variant() const override { return "interleaved"; }
  Point small_problem() const override {
    return {{"reference_bases", 20'000}, {"query_count", 200}, {"query_bases", 30}};
  }

  std::unique_ptr<Problem> load(const ProblemSpec& spec) const override {
    return std::make_unique<LocateProblem>(spec);
  }

  /// The suffixes are sorted once for all layouts, and queries are searched once.
  std::optional<ProblemCost> problem_cost(const StateOutline& state) const override {
    const auto bases = static_cast<double>(fm_index::reference_bases(state));
    const fm_index::SampledQueries sampled = fm_index::sampled_queries(state.problem);
    const auto queried =
        static_cast<double>(state.letters("queries", sampled.count * sampled.bases, {"sampled"}));
    const std::int64_t rate = state.point.has("sa_rate") ? state.point.integer("sa_rate") : Layout().rate;
    const double walked = static_cast<double>(sampled.count) * (static_cast<double>(rate) / 2 + 1);
    constexpr u64 kOwn = 128;  // bytes per query: begin, source, rows and positions, twice
    return ProblemCost{.host_bytes = sampled.count * (sampled.bases + kOwn),
                       .load_s = 1.5e-7 * bases + 1.5e-7 * queried,
                       .prepare_s = 2e-8 * bases,
                       .verify_s = 1e-8 * queried,
                       .launch_s = 1e-8 * walked,
                       .slowest_launch_s = 1.2e-7 * walked};
  }

  std::vector<std::pair<std::string, std::string>> exec_roles() const override {
    return {{"reference", "FASTA or FASTQ, gzip or plain: the text; letters other than ACGT match nothing"},
            {"queries", "FASTA or FASTQ, gzip or plain: the queries"},
            {"out", "tab-separated: query, record, position from 1, strand of every occurrence"}};
  }
  std::vector<std::pair<std::string, std::string>> exec_outputs() const override {
    return {{"counts",
             "tab-separated, of every query: how often it occurs, how many of these were located (max_hits), "
             "and how many of those span records or other letters, so that they are no occurrences"}};
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
    LocateProblem problem = report.timed("load", [&] { return LocateProblem(spec); });
    const auto session = report.timed(
        "prepare", [&] { return prepare_as<LocateSession>(problem, chosen, request.point, device); });
    const std::vector<u32> positions = report.timed("compute", [&] { return session->positions(); });
    report.add(session->work(), session->held());
    write_hits(files.at("out"), problem, positions);
    const auto more = std::ranges::count_if(problem.occurrences().rows, [&](u32 rows) {
      return problem.most_hits() != 0 && rows > problem.most_hits();
    });
    if (more > 0)
      say(stderr,
          "fm_locate: {} strands of queries occur more than {} times, of which no more are looked at; "
          "--problem "
          "max_hits=0 finds all\n",
          more, problem.most_hits());
    for (const std::string& note : problem.notes()) say(stderr, "{}: {}\n", name(), note);
    if (files.has("counts")) write_counts(files.at("counts"), problem, positions);
    files.commit();
    return report;
  }

 private:
  std::vector<Variant> variants_ = all_variants();
};

}  // namespace

std::unique_ptr<Family> make_family() {
  return std::make_unique<FmLocateFamily>();
}

}  // namespace gpuseq::fm_locate
