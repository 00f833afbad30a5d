#include "tests/example_family/family.hpp"

#include "kernels/common/exec_files.hpp"
#include "runtime/contract/axes.hpp"
#include "runtime/io/output_files.hpp"
#include "runtime/system/concatenated.hpp"

namespace gpuseq::base_counts {

struct BaseCounts final : Family {
  std::string_view name() const override { return "base_counts"; }
  std::string_view summary() const override { return "how many bases of a sequence are C or G"; }
  const SearchSpace& problem_space() const override { return problems; }
  const std::vector<Variant>& variants() const override { return all; }
  Point small_problem() const override { return {{"bases", 10'001}}; }
  std::unique_ptr<Problem> load(const ProblemSpec& spec) const override {
    return std::make_unique<CountProblem>(spec);
  }
  std::vector<std::pair<std::string, std::string>> exec_roles() const override {
    return {{"sequence", "FASTA or FASTQ, gzip or plain"}, {"out", "the number"}};
  }
  std::string_view exec_variant() const override { return "scan"; }
  ExecReport exec(const ExecRequest& request, Device& device) const override {
    ExecReport report;
    file_for(request.data, "sequence", name(), "--data sequence=path");
    OutputFiles files(name(), request.data, request.outputs);
    const auto problem = report.timed("load", [&] {
      return load({.point = {{"sequence", std::string("sequence")}}, .files = request.data, .cache_dir = {}});
    });
    const auto session = report.timed("prepare", [&] {
      return prepare_as<CountSession>(*problem, variant(request.variant), request.point, device);
    });
    files.at("out") << report.timed("compute", [&] { return session->count(); }) << '\n';
    files.commit();
    report.add(session->cost().work, session->cost().held);
    return report;
  }

  SearchSpace problems{
      {open_word_axis("sequence", {std::string("random")}, "random: seeded bases", "random or a data name"),
       about("sequence", open_integer_axis("bases", 1, std::int64_t{1} << 32, 1'000'000, "random bases"))}};
#if GPUSEQ_HAVE_CUDA
  std::vector<Variant> all = concatenated(cpu_variants(), cuda_variants());
#else
  std::vector<Variant> all = cpu_variants();
#endif
};

std::unique_ptr<Family> make_family() {
  return std::make_unique<BaseCounts>();
}

}  // namespace gpuseq::base_counts
