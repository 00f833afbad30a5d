#include "kernels/papara/problem.hpp"
#include "runtime/contract/axes.hpp"

namespace gpuseq::papara {
namespace {

constexpr std::int64_t kMostReferences = std::int64_t{1} << 28;
constexpr std::int64_t kMostSites = 100'000'000;
constexpr std::int64_t kMostQueries = std::int64_t{1} << 31;
constexpr std::int64_t kMostPenalty = 100;

Axis penalty(std::string name, std::int64_t default_value, std::string meaning) {
  return open_integer_axis(std::move(name), 0, kMostPenalty, default_value, std::move(meaning));
}

bool evolved(const Point& point, std::string_view axis) {
  return point.word(axis) == "evolved";
}

std::vector<Axis> data_axes() {
  using namespace std::string_literals;
  const std::string allowed = "evolved, or the name of a data entry";
  return {
      listed_axis("alphabet", {"dna"s, "protein"s}, "dna"s, "dna: nucleotides; protein: amino acids"),
      open_word_axis("alignment", {"evolved"s},
                     "reference alignment: a data entry of the config (FASTA or PHYLIP); evolved: seeded "
                     "sequences evolved along a seeded tree, with substitutions, insertions and deletions",
                     allowed),
      open_word_axis("tree", {"evolved"s},
                     "tree of the alignment's sequences: a data entry (Newick or NEXUS); evolved: the tree "
                     "of the evolved alignment",
                     allowed),
      open_word_axis("queries", {"evolved"s},
                     "reads: a data entry (FASTA or FASTQ); evolved: seeded substrings of the alignment's "
                     "sequences with substitutions and indels",
                     allowed),
      about("tree", open_integer_axis("references", 0, kMostReferences, 0,
                                      "number of edges that reads are aligned to, the first ones of the "
                                      "tree; 0: all of a file, or 64 evolved edges")),
      about("alignment", open_integer_axis("sites", 1, kMostSites, 1000, "columns of an evolved alignment")),
      about("queries",
            open_integer_axis(
                "query_count", 0, kMostQueries, 0,
                "number of queries; of a file, the first ones; 0: a whole file, or 100 evolved queries")),
      about("queries",
            open_integer_axis("shortest_query", 1, kMostSites, 100, "bases of the shortest evolved query")),
      about("queries",
            open_integer_axis("longest_query", 1, kMostSites, 100,
                              "bases of the longest evolved query; lengths are uniform between the two")),
  };
}

SearchSpace make_problem_space() {
  std::vector<Axis> axes = data_axes();
  axes.push_back(penalty("mismatch", 3, "cost of a mismatch: the base and the site have no base in common"));
  axes.push_back(penalty("cgap", 3, "cost of a base at a site whose CGAP flag is set"));
  axes.push_back(penalty("gap_open", 4, "cost of the first site of a deletion"));
  axes.push_back(penalty("gap_extend", 1, "cost of each further site of a deletion"));
  axes.push_back(penalty("insertion", 3, "cost of an inserted base"));
  return SearchSpace(
      std::move(axes),
      {{"alignment and tree agree",
        "alignment and tree come together: both evolved, or both names of data entries",
        [](const Point& p) { return evolved(p, "alignment") == evolved(p, "tree"); }},
       {"query lengths", "shortest_query must not exceed longest_query",
        [](const Point& p) { return p.integer("shortest_query") <= p.integer("longest_query"); }},
       {"queries fit", "longest_query must not exceed the sites of an evolved alignment",
        [](const Point& p) {
          return !evolved(p, "alignment") || !evolved(p, "queries") ||
                 p.integer("longest_query") <= p.integer("sites");
        }},
       {"gap costs",
        "gap_open must be at least gap_extend, or one long deletion would cost more than several short ones",
        [](const Point& p) { return p.integer("gap_open") >= p.integer("gap_extend"); }}});
}

}  // namespace

const SearchSpace& problem_space() {
  static const SearchSpace space = make_problem_space();
  return space;
}

}  // namespace gpuseq::papara
