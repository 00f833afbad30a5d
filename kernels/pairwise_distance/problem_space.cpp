#include <algorithm>
#include <utility>

#include "kernels/pairwise_distance/problem.hpp"
#include "runtime/contract/axes.hpp"

namespace gpuseq::pairwise_distance {
namespace {

constexpr std::int64_t kMostInstances = 1 << 24;
constexpr std::int64_t kMostAttributes = (std::int64_t{1} << 32) - 1;
constexpr std::int64_t kMostDataSets = 1'000'000;

Axis metric_axis() {
  std::vector<AxisValue> names;
  names.reserve(std::size(kMetricNames));
  for (const std::string_view name : kMetricNames) names.emplace_back(std::string(name));
  return listed_axis("metric", names, names.front(),
                     "distance per attribute: hamming 1 if two values differ, manhattan |a - b|, "
                     "squared_euclidean (a - b)^2, ibs the alleles that two genotypes do not share; "
                     "euclidean: real values, the root of the sum of (a - b)^2");
}

Axis choice_axis(std::string name, std::string meaning) {
  using namespace std::string_literals;
  return listed_axis(std::move(name), {"auto"s, "yes"s, "no"s}, "auto"s, std::move(meaning));
}

bool leaves_files_alone(const Point& problem) {
  return problem.word("instances") != "random" ||
         (problem.word("header") == "auto" && problem.word("names") == "auto");
}

SearchSpace make_problem_space() {
  using namespace std::string_literals;
  return SearchSpace(
      {
          metric_axis(),
          open_word_axis("instances", {"random"s},
                         "instances: a data entry of the config (CSV or TSV, aligned FASTA, or a PLINK .bed "
                         "with its .bim and .fam in the same folder); random: seeded, uniform",
                         "random, or the name of a data entry"),
          about("instances",
                open_integer_axis("instance_count", 1, kMostInstances, 112, "number of random instances")),
          about("instances", open_integer_axis("attribute_count", 1, kMostAttributes, 512,
                                               "attributes per random instance")),
          about(
              "instances",
              open_integer_axis("alphabet", 1, kMostSymbols, 3,
                                "number of symbols of random instances, except for euclidean; 3: genotypes")),
          about("instances",
                open_integer_axis("missing", 0, 1000, 0, "missing values per 1000 random values")),
          about("instances",
                open_integer_axis("data_set", 0, kMostDataSets, 0,
                                  "number of the random data set of a seed; all are drawn alike")),
          choice_axis("header",
                      "whether the first row of a CSV file is a header; auto: decided by its content"),
          choice_axis("names",
                      "whether the first column of a CSV file has names; auto: decided by its content"),
      },
      {{"header and names", "header and names are about a file, not about random instances",
        leaves_files_alone}});
}

}  // namespace

KnownData known_data(const Point& problem) {
  const auto metric = std::ranges::find(kMetricNames, problem.word("metric"));
  KnownData data{.metric = static_cast<Metric>(metric - kMetricNames.begin())};
  if (problem.word("instances") != "random") return data;
  data.alphabet = static_cast<u32>(problem.integer("alphabet"));
  data.missing = problem.integer("missing") != 0;
  data.instances = static_cast<u64>(problem.integer("instance_count"));
  data.attributes = static_cast<u64>(problem.integer("attribute_count"));
  return data;
}

KnownData known_data(const Instances& instances, Metric metric) {
  return {.metric = metric,
          .alphabet = instances.alphabet,
          .missing = instances.has_missing(),
          .instances = instances.count,
          .attributes = instances.attributes};
}

Work work_of(const KnownData& data) {
  const auto count = static_cast<double>(data.instances);
  return {.amount = count * count * static_cast<double>(data.attributes), .unit = "comparisons"};
}

u64 matrix_bytes(const KnownData& data) {
  return data.instances * data.instances * sizeof(u32) * (data.missing ? 2 : 1);
}

const SearchSpace& problem_space() {
  static const SearchSpace space = make_problem_space();
  return space;
}

}  // namespace gpuseq::pairwise_distance
