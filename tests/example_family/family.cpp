#include "tests/example_family/family.hpp"

#include "runtime/contract/errors.hpp"
#include "runtime/io/output_files.hpp"
#include "runtime/system/concatenated.hpp"
#include "tests/example_family/problem.hpp"

namespace gpuseq::base_counts {
namespace {

std::vector<Variant> all_variants() {
#if GPUSEQ_HAVE_CUDA
  return concatenated(cpu_variants(), cuda_variants());
#else
  return cpu_variants();
#endif
}

class BaseCountsFamily final : public Family {
 public:
  std::string_view name() const override { return "base_counts"; }
  std::string_view summary() const override { return "how many of each base a sequence has"; }
  const SearchSpace& problem_space() const override { return base_counts::problem_space(); }
  const std::vector<Variant>& variants() const override { return variants_; }
  Point small_problem() const override { return {{"bases", 10'001}}; }
  std::unique_ptr<Problem> load(const ProblemSpec& spec) const override { return load_problem(spec); }

  std::vector<std::pair<std::string, std::string>> exec_roles() const override {
    return {{"sequence", "FASTA or FASTQ, gzip or plain: what is counted"},
            {"out", "tab-separated: base, count"}};
  }
  std::string_view exec_variant() const override { return "tables"; }

  ExecReport exec(const ExecRequest& request, Device& device) const override {
    ExecReport report;
    if (!request.data.contains("sequence"))
      throw UsageError("exec base_counts needs a file for \"sequence\"");
    OutputFiles files(name(), request.data, request.outputs);
    const auto problem = report.timed("load", [&] {
      return load_problem({.point = {{"sequence", std::string("sequence")}},
                           .files = {{"sequence", request.data.at("sequence")}},
                           .cache_dir = request.cache_dir});
    });
    const auto session = report.timed("prepare", [&] {
      return prepare_as<CountSession>(*problem, variant(request.variant), request.point, device);
    });
    const Counts counts = report.timed("compute", [&] { return session->counts(); });
    report.add(*session);
    for (std::size_t base = 0; base < 4; ++base)
      files.at("out") << "ACGT"[base] << '\t' << counts[base] << '\n';
    files.commit();
    return report;
  }

 private:
  std::vector<Variant> variants_ = all_variants();
};

}  // namespace

std::unique_ptr<Family> make_family() {
  return std::make_unique<BaseCountsFamily>();
}

}  // namespace gpuseq::base_counts
