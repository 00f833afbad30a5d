#include "kernels/fm_index/kmers.hpp"
#include "kernels/fm_index/problem.hpp"
#include "kernels/fm_index/query_order.hpp"
#include "runtime/contract/axes.hpp"

namespace gpuseq::fm_index {
namespace {

constexpr i64 kMostBases = i64{1} << 40;
constexpr i64 kMostQueries = i64{1} << 31;
constexpr i64 kMostQueryBases = 1'000'000;

std::vector<Axis> axes() {
  using namespace std::string_literals;
  return {
      open_word_axis(
          "reference", {"random"s, "synthetic"s},
          "what is searched: a data name of the configuration; random: seeded bases, really sorted; "
          "synthetic: a seeded random BWT, which may be of no text",
          "random, synthetic, or the name of a data entry"),
      about("reference",
            open_integer_axis(
                "reference_bases", 0, kMostBases, 0,
                "bases of the reference; of a file, only so many from its start. 0: all of a file, 1 000 000 "
                "generated")),
      open_word_axis(
          "queries", {"sampled"s},
          "what is searched for: a data name of the configuration; sampled: seeded pieces of the reference",
          "sampled, or the name of a data entry"),
      about("queries",
            open_integer_axis(
                "query_count", 0, kMostQueries, 0,
                "queries; of a file, only so many from its start. 0: all of a file, 100 000 sampled")),
      about("queries", open_integer_axis("query_bases", 0, kMostQueryBases, 100, "bases of a sampled query")),
      about("queries",
            open_integer_axis("occurring_percent", 0, 100, 100,
                              "percentage of the sampled queries that occur; the others are random bases")),
      integer_axis("kmer_bases", {0, 21, 31}, 0,
                   "k: all k-mers of each query are searched for, one after the other, in its place; 0: the "
                   "queries themselves",
                   0, kMostQueryBases),
      listed_axis(
          "query_order", {kQueryOrders.begin(), kQueryOrders.end()}, "as_given"s,
          "order in which queries are searched. sorted: lexicographic; sorted_reversed: from their "
          "last base, which a backward search takes first; by_rows: by their last 12 bases, as rows are"),
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

}  // namespace

SampledQueries sampled_queries(const Point& problem) {
  const auto asked = static_cast<u64>(problem.integer("query_count"));
  const u64 count = asked == 0 ? kSampledQueries : asked;
  const auto bases = static_cast<u32>(problem.integer("query_bases")),
             kmer_bases = static_cast<u32>(problem.integer("kmer_bases"));
  if (kmer_bases == 0) return {count, bases};
  return {count * kmers_in(bases, kmer_bases), kmer_bases};
}

const SearchSpace& problem_space() {
  static const SearchSpace space(axes(), {kmers_fit()});
  return space;
}

}  // namespace gpuseq::fm_index
