#include <algorithm>

#include "kernels/exact_match/problem.hpp"
#include "runtime/contract/axes.hpp"

namespace gpuseq::exact_match {
namespace {

using namespace std::string_literals;

constexpr std::int64_t kMostQueries = std::int64_t{1} << 31;
constexpr std::int64_t kMostQueryBases = 10'000'000;
constexpr std::int64_t kMostLength = 1'000'000'000;

SearchSpace make_problem_space() {
  std::vector<Axis> axes{
      open_word_axis("reference", {"random"s},
                     "reference: a data entry of the config; random: seeded bases with repeats",
                     "random, or the name of a data entry"),
      about("reference",
            open_integer_axis("reference_bases", 0, static_cast<std::int64_t>(kMostTextLetters) - 2'000'000,
                              0, "bases of a random reference; 0: 1 000 000")),
      about("reference", open_integer_axis("reference_sequences", 1, 1'000'000, 1,
                                           "number of sequences of a random reference")),
      about("reference",
            open_integer_axis("repeat_percent", 0, 95, 5,
                              "percentage of a random reference that is copied from elsewhere in it")),
      open_word_axis(
          "queries", {"random"s},
          "queries: a data entry of the config; random: reads simulated from both strands of the reference",
          "random, or the name of a data entry"),
      about("queries",
            open_integer_axis(
                "query_count", 0, kMostQueries, 0,
                "number of queries; of a file, the first ones; 0: a whole file, or 100 000 simulated reads")),
      about("queries", open_integer_axis("query_bases", 1, kMostQueryBases, 100, "bases per simulated read")),
      about("queries", open_integer_axis("errors_per_1000", 0, 1000, 10,
                                         "substitutions per 1000 bases of simulated reads"))};
  for (Axis& axis : search_axes()) axes.push_back(std::move(axis));
  return SearchSpace(std::move(axes));
}

}  // namespace

std::vector<Axis> search_axes() {
  return {open_integer_axis("min_length", 1, kMostLength, 20, "minimum length of a match in bases"),
          listed_axis("mode", {"maxmatch"s, "mumreference"s, "mum"s}, "maxmatch"s,
                      "maxmatch: all maximal matches; mumreference: matches that are unique in the "
                      "reference; mum: matches that are unique in the reference and in the query"),
          listed_axis("both_strands", {"no"s, "yes"s}, "no"s,
                      "yes: the reverse complements of the queries are searched, too")};
}

Search search_of(const Point& point) {
  Search search{.min_length = static_cast<u32>(point.integer("min_length")),
                .mode = Mode::maxmatch,
                .both_strands = point.word("both_strands") == "yes"};
  for (std::size_t mode = 0; mode < kModeNames.size(); ++mode)
    if (point.word("mode") == kModeNames[mode]) search.mode = static_cast<Mode>(mode);
  return search;
}

NodeOrder node_order_of(const Point& point) {
  const auto name = std::find(kNodeOrderNames.begin(), kNodeOrderNames.end(), point.word("node_order"));
  return static_cast<NodeOrder>(name - kNodeOrderNames.begin());
}

const SearchSpace& problem_space() {
  static const SearchSpace space = make_problem_space();
  return space;
}

}  // namespace gpuseq::exact_match
