#include <algorithm>

#include "kernels/fm_index/kmers.hpp"
#include "kernels/fm_index/problem.hpp"
#include "kernels/fm_index/query_order.hpp"
#include "runtime/contract/axes.hpp"

namespace gpuseq::fm_index {
namespace {

constexpr i64 kMostBases = i64{1} << 40;
constexpr i64 kMostQueries = i64{1} << 31;
constexpr i64 kMostQueryBases = 1'000'000;
constexpr i64 kMostStrains = 100'000;

std::vector<Axis> axes() {
  using namespace std::string_literals;
  return {
      open_word_axis("reference", {"random"s, "synthetic"s},
                     "reference: a data entry of the config; random: seeded bases, whose suffixes are "
                     "sorted; synthetic: a seeded random BWT, which may be of no text",
                     "random, synthetic, or the name of a data entry"),
      about("reference", open_integer_axis("reference_bases", 0, kMostBases, 0,
                                           "bases of the reference; a file is cut after them; 0: a whole "
                                           "file, or 1 000 000 generated bases")),
      open_word_axis("queries", {"sampled"s},
                     "queries: a data entry of the config; sampled: seeded substrings of the reference",
                     "sampled, or the name of a data entry"),
      about("queries",
            open_integer_axis(
                "query_count", 0, kMostQueries, 0,
                "number of queries; of a file, the first ones; 0: a whole file, or 100 000 sampled queries")),
      about("queries", open_integer_axis("query_bases", 0, kMostQueryBases, 100, "bases per sampled query")),
      about(
          "queries",
          open_integer_axis(
              "occurring_percent", 0, 100, 100,
              "percentage of the sampled queries that occur in the reference; the others are random bases")),
      integer_axis("kmer_bases", {0, 21, 31}, 0,
                   "k: all k-mers of each query are searched instead of it; 0: the queries themselves", 0,
                   kMostQueryBases),
      listed_axis("query_order", {kQueryOrders.begin(), kQueryOrders.end()}, "as_given"s,
                  "order of the search; sorted: lexicographic; sorted_reversed: lexicographic from the last "
                  "base, which a backward search takes first; by_rows: by the last 12 bases, in the order of "
                  "the suffix-array rows"),
      about("reference", open_integer_axis("strains", 1, kMostStrains, 1,
                                           "strains of a pan-genome: the reference, and copies of it with "
                                           "substitutions; 1: the reference alone")),
      about("reference", open_integer_axis("mutations_per_1000", 0, 1000, 10,
                                           "substitutions per 1000 bases in each further strain")),
      about(
          "queries",
          open_integer_axis(
              "shortest_query_bases", 0, kMostQueryBases, 0,
              "bases of the shortest sampled query; the longest have query_bases; 0: all have query_bases")),
      about("queries", open_integer_axis("n_percent", 0, 100, 0,
                                         "percentage of the sampled queries with an N, which are not "
                                         "searched; the same among occurring and other queries")),
  };
}

/// A k-mer that is longer than all reads is a mistake, and an empty problem is no answer to it.
Constraint kmers_fit() {
  return {.name = "kmers_fit",
          .reason = "kmer_bases must be at most query_bases where queries are sampled",
          .holds = [](const Point& problem) {
            return problem.word("queries") != "sampled" ||
                   problem.integer("kmer_bases") <= problem.integer("query_bases");
          }};
}

Constraint lengths_in_order() {
  return {.name = "lengths_in_order",
          .reason = "shortest_query_bases must be at most query_bases",
          .holds = [](const Point& problem) {
            return problem.integer("shortest_query_bases") <= problem.integer("query_bases");
          }};
}

Constraint an_n_is_in_a_query() {
  return {.name = "an_n_is_in_a_query",
          .reason = "n_percent is of queries that have bases, and must be 0 where kmer_bases is not",
          .holds = [](const Point& problem) {
            return problem.integer("n_percent") == 0 ||
                   (problem.integer("query_bases") > 0 && problem.integer("kmer_bases") == 0);
          }};
}

Constraint strains_of_a_text() {
  return {.name = "strains_of_a_text",
          .reason = "reference = synthetic is a transform of no text and has no strains",
          .holds = [](const Point& problem) {
            return problem.integer("strains") == 1 || problem.word("reference") != "synthetic";
          }};
}

}  // namespace

Sampling sampling_of(const Point& problem, u64 seed) {
  const auto axis = [&](const char* name) { return static_cast<u32>(problem.integer(name)); };
  const auto asked = static_cast<u64>(problem.integer("query_count"));
  return {.count = asked == 0 ? kSampledQueries : asked,
          .bases = axis("query_bases"),
          .shortest_bases = axis("shortest_query_bases"),
          .occurring_percent = axis("occurring_percent"),
          .n_percent = axis("n_percent"),
          .seed = seed};
}

SampledQueries sampled_queries(const Point& problem) {
  const Sampling sampling = sampling_of(problem, 0);
  const u64 occurring = sampling.count * sampling.occurring_percent / 100;
  const u64 searched = sampling.count - occurring * sampling.n_percent / 100 -
                       (sampling.count - occurring) * sampling.n_percent / 100;
  const u32 least = sampling.least_bases();
  if (const auto kmer_bases = static_cast<u32>(problem.integer("kmer_bases")); kmer_bases > 0) {
    if (kmer_bases > sampling.bases) return {.count = 0, .bases = kmer_bases, .searched = 0};
    // There are as many reads of each length, so that their k-mers
    // are on average those of the mean of the lengths that have any.
    const u64 from = std::max(least, kmer_bases), lengths = sampling.bases - from + 1;
    const u64 of_all = (kmers_in(from, kmer_bases) + kmers_in(sampling.bases, kmer_bases)) * lengths / 2;
    const u64 kmers = sampling.count * of_all / (sampling.bases - least + 1);
    return {.count = kmers, .bases = kmer_bases, .searched = kmers};
  }
  return {.count = sampling.count, .bases = (least + sampling.bases + 1) / 2, .searched = searched};
}

Strains strains_of(const Point& problem) {
  return {.count = static_cast<u64>(problem.integer("strains")),
          .mutations_per_1000 = static_cast<u32>(problem.integer("mutations_per_1000"))};
}

std::vector<Constraint> problem_constraints() {
  return {kmers_fit(), lengths_in_order(), an_n_is_in_a_query(), strains_of_a_text()};
}

const SearchSpace& problem_space() {
  static const SearchSpace space(axes(), problem_constraints());
  return space;
}

}  // namespace gpuseq::fm_index
