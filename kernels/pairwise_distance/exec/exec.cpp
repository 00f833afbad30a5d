#include "kernels/pairwise_distance/exec/exec.hpp"

#include <fmt/format.h>

#include <limits>

#include "kernels/common/exec_files.hpp"
#include "kernels/pairwise_distance/data/instance_files.hpp"
#include "kernels/pairwise_distance/exec/distance_table.hpp"
#include "runtime/contract/axes.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/text/printable.hpp"

namespace gpuseq::pairwise_distance {
namespace {

namespace fs = std::filesystem;

const fs::path& instances_file(const ExecRequest& request) {
  return file_for(request.data, "instances", "pairwise_distance", "--data instances=path");
}

/// The least number of compared attributes of a pair, and the number of pairs without a common attribute.
struct LeastCompared {
  u32 attributes = std::numeric_limits<u32>::max();
  u64 a = 0, b = 0;
  u64 pairs_without = 0;
};

void take_least(LeastCompared& least, const DistanceBand& band) {
  if (band.compared.empty()) return;
  for (u64 a = band.first; a < band.first + band.rows; ++a)
    for (u64 b = a + 1; b < band.count; ++b) {
      const u32 compared = band.compared[(a - band.first) * band.count + b];
      if (compared == 0) ++least.pairs_without;
      if (compared < least.attributes) {
        least.attributes = compared;
        least.a = a;
        least.b = b;
      }
    }
}

std::string summary(const Instances& instances, const LeastCompared& least, u64 bands) {
  const u64 missing = instances.missing_values(), values = instances.values();
  std::string line = fmt::format(
      "{} instances, {} {}; {} of {} values missing ({:.3g} %)", instances.count, instances.attributes,
      instances.is_real() ? "real attributes" : fmt::format("attributes of {} symbols", instances.alphabet),
      missing, values, 100.0 * static_cast<double>(missing) / static_cast<double>(values));
  if (bands > 1) line += fmt::format("; in {} bands of rows", bands);
  if (missing == 0) return line + "; every pair compared by all attributes\n";
  if (instances.count == 1) return line + "\n";
  line += fmt::format("; fewest attributes compared: {}, of {} and {}", least.attributes,
                      printable(instances.names[least.a]), printable(instances.names[least.b]));
  if (least.pairs_without > 0)
    line += fmt::format("; {} pairs have none in common, their distance is NA", least.pairs_without);
  return line + "\n";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> data_roles() {
  return {
      {"instances",
       "CSV or TSV, aligned FASTA, or a PLINK .bed with its .bim and .fam in the same folder; gzip or plain"},
      {"out", "distances of all pairs: tab-separated, with names, or as --format says"}};
}

std::vector<std::pair<std::string, std::string>> output_roles() {
  return {
      {"compared", "tab-separated: number of attributes that both instances of each pair have a value of"}};
}

const SearchSpace& exec_options() {
  static const SearchSpace options = [] {
    using namespace std::string_literals;
    return SearchSpace(
        {*problem_space().find("metric"), *problem_space().find("header"), *problem_space().find("names"),
         listed_axis("format", {"tsv"s, "phylip"s}, "tsv"s,
                     "tsv: names and the whole matrix; phylip: the lower triangle, for tree programs"),
         open_integer_axis("memory", 0, std::int64_t{1} << 30, 0,
                           "MiB at a time for the distances on a CPU, or for all data on a GPU; 0: the "
                           "available memory, and all distances at once where they fit")});
  }();
  return options;
}

std::map<std::string, fs::path> files_of(const ExecRequest& request) {
  std::map<std::string, fs::path> files = request.data;
  for (const fs::path& file : files_beside(instances_file(request)))
    files[fmt::format("instances ({})", file.extension().string())] = file;
  return files;
}

std::unique_ptr<DistanceProblem> load_request(const ExecRequest& request) {
  for (const auto& [axis, value] : request.problem.values())
    throw UsageError(
        fmt::format("--problem {}: exec pairwise_distance reads its instances from a file; allowed: "
                    "--data instances=path, --metric, --header, --names",
                    axis));
  instances_file(request);
  const Point options = exec_options().complete(request.options);
  return load_problem({.point = {{"instances", std::string("instances")},
                                 {"metric", options.word("metric")},
                                 {"header", options.word("header")},
                                 {"names", options.word("names")}},
                       .files = request.data,
                       .seed = request.seed,
                       .cache_dir = request.cache_dir,
                       .threads = 0},
                      false);
}

std::string write_answers(const DistanceProblem& problem, DistanceSession& session, const Point& options,
                          OutputFiles& files, ExecReport& report) {
  ThreadPool pool;
  const DistanceTable table{.instances = problem.instances(), .metric = problem.metric()};
  const TableFormat format = options.word("format") == "phylip" ? TableFormat::phylip : TableFormat::tsv;
  const bool compared = files.has("compared");
  write_header(files.at("out"), table, format);
  if (compared) write_header(files.at("compared"), table, TableFormat::compared);
  LeastCompared least;
  u64 bands = 0;
  const auto write = [&](const DistanceBand& band) {
    ++bands;
    write_rows(files.at("out"), table, band, format, pool);
    if (compared) write_rows(files.at("compared"), table, band, TableFormat::compared, pool);
    files.flush();
    take_least(least, band);
  };
  report.timed("compute", [&] {
    session.each_band([&](const DistanceBand& band) { report.untimed("compute", [&] { write(band); }); });
  });
  files.commit();
  return summary(problem.instances(), least, bands);
}

}  // namespace gpuseq::pairwise_distance
