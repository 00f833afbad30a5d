#include "kernels/fm_mismatch/family.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/common/exec_files.hpp"
#include "kernels/fm_mismatch/axes.hpp"
#include "kernels/fm_mismatch/exec/hits.hpp"
#include "kernels/fm_mismatch/problem.hpp"
#include "runtime/io/output_files.hpp"
#include "runtime/io/say.hpp"
#include "runtime/system/concatenated.hpp"

namespace gpuseq::fm_mismatch {
namespace {

std::vector<Variant> all_variants() {
#if GPUSEQ_HAVE_CUDA
  return concatenated(cpu_variants(), cuda_variants());
#else
  return cpu_variants();
#endif
}

const Growth kGrowth{.axis = "query_count", .noun = "queries", .from = 1000, .to = std::int64_t{1} << 31};

class FmMismatchFamily final : public Family {
 public:
  std::string_view name() const override { return "fm_mismatch"; }
  std::string_view summary() const override {
    return "occurrences of DNA queries with up to two mismatches, by bidirectional FM-index search";
  }
  const SearchSpace& problem_space() const override { return fm_mismatch::problem_space(); }
  const std::vector<Variant>& variants() const override { return variants_; }
  const Growth* growth() const override { return &kGrowth; }
  std::string_view exec_variant() const override { return "interleaved"; }
  Point small_problem() const override {
    return {{"reference_bases", 20'000}, {"query_count", 200}, {"query_bases", 30}};
  }

  std::unique_ptr<Problem> load(const ProblemSpec& spec) const override {
    return std::make_unique<MismatchProblem>(spec);
  }

  /// The suffixes of the text and of its reverse are sorted once. Each mismatch multiplies the steps.
  std::optional<ProblemCost> problem_cost(const StateOutline& state) const override {
    const auto bases = static_cast<double>(fm_index::reference_bases(state));
    const fm_index::SampledQueries sampled = fm_index::sampled_queries(state.problem);
    const auto queried =
        static_cast<double>(state.letters("queries", sampled.count * sampled.bases, {"sampled"})) *
        strands_of(state.problem);
    const double steps = queried * std::pow(6, mismatches_of(state.problem));
    const double tried = std::min(static_cast<double>(kMostTried),
                                  bases * static_cast<double>(sampled.count) * strands_of(state.problem));
    const u32 symbols = state.point.has("prefix_symbols") ? prefix_symbols_of(state.point) : 0;
    constexpr u64 kOwn = 128;  // bytes per query: begin, source and answers of two strands, twice
    return ProblemCost{
        .host_bytes = sampled.count * (sampled.bases + kOwn),
        .load_s = 4e-7 * bases + 1e-8 * queried,
        .prepare_s = 1e-9 * (bases + queried) + 4e-9 * static_cast<double>(prefix_bytes(symbols)),
        .verify_s = 6e-9 * tried,
        .launch_s = 3e-8 * steps,
        .slowest_launch_s = 1.5e-7 * steps};
  }

  std::vector<std::pair<std::string, std::string>> exec_roles() const override {
    return {{"reference", "FASTA or FASTQ, gzip or plain: the text; letters other than ACGT match nothing"},
            {"queries", "FASTA or FASTQ, gzip or plain: the queries"},
            {"out", "tab-separated: query, record, position from 1, strand, mismatches of every occurrence"}};
  }
  std::vector<std::pair<std::string, std::string>> exec_outputs() const override {
    return {
        {"counts",
         "tab-separated, of every query: how often it occurs without and with one and two mismatches, and "
         "how many of these span records or other letters, so that they are no occurrences"}};
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
    MismatchProblem problem = report.timed("load", [&] { return MismatchProblem(spec); });
    const auto session = report.timed(
        "prepare", [&] { return prepare_as<MismatchSession>(problem, chosen, request.point, device); });
    const std::vector<Answer> answers = report.timed("compute", [&] { return session->answers(); });
    report.add(session->work(), session->held());
    const std::vector<Hit> hits = session->hits();
    write_hits(files.at("out"), problem, {answers, hits});
    if (files.has("counts")) write_counts(files.at("counts"), problem, {answers, hits});
    for (const std::string& note : problem.notes()) say(stderr, "{}: {}\n", name(), note);
    files.commit();
    return report;
  }

 private:
  std::vector<Variant> variants_ = all_variants();
};

}  // namespace

std::unique_ptr<Family> make_family() {
  return std::make_unique<FmMismatchFamily>();
}

}  // namespace gpuseq::fm_mismatch
