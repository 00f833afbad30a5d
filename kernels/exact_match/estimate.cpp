#include "kernels/exact_match/estimate.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/exact_match/data/enumerate.hpp"
#include "kernels/exact_match/data/word_tables.hpp"

namespace gpuseq::exact_match {
namespace {

// Estimates of random numbers are means plus this many standard deviations.
constexpr double kDeviations = 6;

/// Maximal matches of a read at its origin, or at a copy of it.
double matches_at_place(const ProblemEstimate& problem) {
  const double length = problem.search.min_length;
  const double others = std::max(0.0, static_cast<double>(problem.longest) - length);
  double most = 0;
  // Copies differ from the original in one base per hundred for each copying.
  for (const double more : {0.0, 0.01, 0.02}) {
    const double errors = std::min(1.0, problem.errors_per_1000 * 1e-3 + (problem.repeated > 0 ? more : 0));
    most = std::max(most, std::pow(1 - errors, length) * (1 + others * errors));
  }
  return most;
}

/// Expected random occurrences of a k-mer of min_length letters.
double chance_occurrences(const ProblemEstimate& problem, double letters) {
  return letters / std::exp2(2.0 * std::min(problem.search.min_length, 500u));
}

/// Places of a read on both strands including copies: a copy makes a pair of places, and copies
/// of copies make more.
double places_of_read(const ProblemEstimate& problem) {
  return 1 + 2 * problem.repeated * (1 + problem.repeated);
}

u64 matches_at_most(const ProblemEstimate& problem) {
  const auto slots = static_cast<double>(problem.slots), reads = static_cast<double>(problem.queries);
  if (problem.slots == 0) return 0;
  const double places = places_of_read(problem) * (problem.search.both_strands ? 1 : 0.5);
  const double mean = places * matches_at_place(problem);
  const double by_chance = slots * chance_occurrences(problem, static_cast<double>(problem.text_letters));
  // Reads of the same place share matches.
  const double together = places_of_read(problem) * (1 + static_cast<double>(problem.bases) /
                                                             static_cast<double>(problem.text_letters));
  const double all = reads * mean + kDeviations * std::sqrt(reads * (mean + mean * mean) * together) +
                     by_chance + kDeviations * std::sqrt(2 * by_chance * together) + 8 * together;
  // A unique match is the longest at its position.
  return static_cast<u64>(problem.search.mode == Mode::maxmatch ? all : std::min(all, slots));
}

/// Blocks of a tree that a search reads.
class BlockModel {
 public:
  BlockModel(const ProblemEstimate& problem, const SearchWay& way, u64 letters)
      : problem_(problem),
        way_(way),
        letters_(static_cast<double>(letters)),
        filter_(std::min(way.filter_letters, problem.search.min_length)),
        descent_(descent(way.prefix_letters)) {
    if (filter_ == 0) return;
    words_ = problem.search.min_length - filter_ + 1;
    // Probability that a k-mer occurs; its neighbour then occurs too, unless the one new letter differs.
    const double occurs = problem.generated ? -std::expm1(-letters_ / std::exp2(2.0 * filter_)) : 1;
    const double next = 1 - 0.75 * (1 - occurs);
    candidates_ = occurs * std::pow(next, words_ - 1);
    const double seen = next == 1 ? words_ - 1 : occurs * (1 - std::pow(next, words_ - 1)) / (1 - next);
    look_ups_ = 1 + seen;
    passed_ = std::max(1.0, words_ - seen);
  }

  /// A strand of `positions` positions that is not from the text.
  double of_other_strand(double positions) const {
    const double begin = filter_ > 0 ? look_ups_ : descent_;
    return begin + positions * (of_position() + listing(0));
  }
  /// A strand that is from the text.
  double of_matching_strand(double positions) const {
    const double errors = problem_.errors_per_1000 * 1e-3;
    const double near_errors = 1 - std::pow(1 - errors, problem_.search.min_length + 1);
    const double pieces = 1 + positions * errors;
    const double begins =
        filter_ > 0 ? pieces * (words_ + descent_) : descent_;  // without a filter links are followed
    // If leaves are nodes every position follows a link, else those near an error or in a copy do.
    double each = listing(2 * problem_.repeated);
    if (way_.leaf_nodes)
      each += of_position();
    else
      each += kFollowed + near_errors * of_position() + std::min(1.0, 2 * problem_.repeated) * kLinked;
    return 1.03 * begins + positions * each + (way_.listed ? 2 * pieces : 0);
  }
  /// A position searched from the last position's place, or from the root if there is a filter.
  double of_position() const {
    if (filter_ > 0) return candidates_ * (words_ + descent_) + std::min(1.0, look_ups_ / passed_);
    return (way_.leaf_nodes ? kLeafNodes : kLinked) + (way_.compared_ends ? kComparedEnds : 0);
  }
  /// Listing at a position. @param repeated  probability that its place has a copy
  double listing(double repeated) const {
    if (!way_.listed) return 0;
    const double others = problem_.generated ? chance_occurrences(problem_, letters_) : 1;
    if (problem_.search.mode != Mode::maxmatch) return std::min(1.0, others + repeated);
    return std::min(1.0, others + repeated) * (5 + std::log2(1 + others)) +
           2 * (others + repeated * places_of_read(problem_));
  }

 private:
  // Blocks read per position, counted in texts of 20 000 to 4 million bases.
  static constexpr double kLinked = 2.6, kLeafNodes = 3.15, kComparedEnds = 0.1, kFollowed = 0.07;

  /// From the root to a place of the text, using a prefix table if there is one.
  double descent(u32 prefix_letters) const {
    const double depth = std::log2(letters_ + 1) / 2;
    return prefix_letters == 0 ? depth + 5 : 1 + std::max(0.0, depth - prefix_letters) + 4;
  }

  const ProblemEstimate& problem_;
  const SearchWay& way_;
  double letters_;
  u32 filter_;
  double descent_;
  // With a filter: k-mers of a position's match, probability that all occur, expected look-ups until one does
  // not, and positions that are then skipped.
  double words_ = 0, candidates_ = 0, look_ups_ = 0, passed_ = 1;
};

double blocks_of_tree(const ProblemEstimate& problem, const SearchWay& way, u64 letters) {
  const BlockModel model(problem, way, letters);
  const auto strands = static_cast<double>(problem.strands());
  if (!problem.generated)
    return strands * (model.of_other_strand(0)) +
           static_cast<double>(problem.slots) * (model.of_position() + model.listing(1));
  const double positions = static_cast<double>(problem.slots) / strands;
  const double other = model.of_other_strand(positions), matching = model.of_matching_strand(positions);
  // Each read is from one strand and one part; its copies may be on the other strand and in other parts.
  const double share =
      std::min(1.0, static_cast<double>(letters) / static_cast<double>(problem.text_letters));
  const double mean = other + (matching - other) * share / 2 + matching * problem.repeated / 2;
  const double counted = std::min<double>(kCountedQueries, static_cast<double>(problem.queries));
  // Deviations of a read's strand, and of the number of its positions near an error.
  const double strand = problem.search.both_strands ? 0 : std::abs(matching - other) / 2;
  const double near_errors =
      std::sqrt(share * (static_cast<double>(problem.longest) * problem.errors_per_1000 * 1e-3 +
                         2 * problem.repeated)) *
      std::min<double>(problem.search.min_length, positions) * model.of_position();
  return strands * (mean + kDeviations * (strand + near_errors) / std::sqrt(counted));
}

}  // namespace

u64 ProblemEstimate::part_letters(u64 trees) const {
  if (trees <= 1) return text_letters;
  // Parts overlap by the longest query.
  return std::min(text_letters, (text_letters + trees - 1) / trees + longest) + 2;
}

ProblemEstimate estimated_problem(const StateOutline& state) {
  const auto axis = [&](const char* name) { return static_cast<u64>(state.problem.integer(name)); };
  constexpr u64 kLongestOfFile = 100'000;
  const bool random_text = state.problem.word("reference") == "random",
             random_reads = state.problem.word("queries") == "random";
  const u64 asked_bases = axis("reference_bases"), asked_queries = axis("query_count");
  ProblemEstimate problem{.generated = random_text && random_reads, .search = search_of(state.problem)};
  const u64 letters =
      state.letters("reference", asked_bases == 0 ? kGeneratedBases : asked_bases, {"random"});
  // A record of a file has at least two characters besides its bases.
  if (letters > 0) problem.text_letters = letters + 1 + (random_text ? axis("reference_sequences") : 0);
  if (random_reads) {
    problem.queries = asked_queries == 0 ? kSimulatedReads : asked_queries;
    problem.longest = axis("query_bases");
    problem.bases = problem.queries * problem.longest;
    problem.errors_per_1000 = static_cast<u32>(axis("errors_per_1000"));
    problem.slots = problem.strands() * slots_of(problem.longest, problem.search.min_length);
  } else {
    problem.bases = state.letters("queries", 0, {"random"});
    problem.queries = asked_queries == 0 ? problem.bases / 2 : std::min(asked_queries, problem.bases / 2);
    problem.longest = std::min(problem.bases, kLongestOfFile);
    problem.slots = problem.bases * problem.search.strands();
  }
  if (!problem.generated) {
    problem.matches = problem.slots;
    return problem;
  }
  // The last copy may exceed the requested share.
  constexpr double kLongestCopy = 2000;
  if (const u64 percent = axis("repeat_percent"); percent > 0)
    problem.repeated =
        std::min(1.0, static_cast<double>(percent) / 100 + kLongestCopy / static_cast<double>(letters));
  problem.matches = matches_at_most(problem);
  return problem;
}

TreeSize largest_tree(u64 text_letters, bool leaf_nodes) {
  return {
      .nodes = leaf_nodes ? 2 * text_letters : text_letters, .letters = text_letters, .leaves = text_letters};
}

u64 tree_bytes(const TreeSize& tree) {
  return tree.letters + kTextPadding + tree.nodes * (sizeof(TreeNode) + sizeof(LeafRange)) +
         tree.letters * (sizeof(u32) + sizeof(u8)) + tree.leaves * sizeof(u32);
}

u64 prefix_table_bytes(u32 letters) {
  return letters == 0 ? 0 : sizeof(Slot) << (2 * letters);
}

u64 word_filter_bytes(u32 letters) {
  return letters == 0 ? 0 : std::max<u64>((u64{1} << (2 * letters)) / 64, 1) * sizeof(u64);
}

Traffic estimated_traffic(const ProblemEstimate& problem, const SearchWay& way, u64 trees) {
  Traffic traffic{.blocks = 0, .block_bytes = kBlockBytes, .footprint_bytes = 0, .access = access_of(way)};
  const u64 letters = problem.part_letters(trees);
  if (problem.text_letters > 0)
    traffic.footprint_bytes =
        footprint(largest_tree(letters, way.leaf_nodes), way, problem.search.min_length);
  if (problem.known() && problem.slots > 0)
    traffic.blocks = static_cast<double>(trees) * blocks_of_tree(problem, way, letters);
  return traffic;
}

}  // namespace gpuseq::exact_match
