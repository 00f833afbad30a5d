#include "kernels/fm_locate/text_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/fm_index/data/query_packing.hpp"
#include "kernels/fm_index/kmers.hpp"
#include "kernels/fm_locate/data/index.hpp"
#include "runtime/contract/axes.hpp"
#include "runtime/contract/unsupported.hpp"

namespace gpuseq::fm_locate {
namespace {

using namespace std::string_literals;

/// The values of fm_index's axes.
Point of_fm_index(const Point& problem) {
  Point searched;
  for (const auto& [axis, value] : problem.values())
    if (fm_index::problem_space().find(axis) != nullptr) searched.set(axis, value);
  return searched;
}

Constraint of_a_text() {
  return {.name = "of_a_text",
          .reason = "reference = synthetic is a transform of no text and has no positions",
          .holds = [](const Point& problem) { return problem.word("reference") != "synthetic"; }};
}

}  // namespace

std::vector<Axis> text_axes() {
  std::vector<Axis> axes = fm_index::problem_space().axes();
  *std::ranges::find(axes, "reference", &Axis::name) =
      open_word_axis("reference", {"random"s},
                     "reference: a data entry of the config; random: seeded bases, whose suffixes are sorted",
                     "random, or the name of a data entry");
  return axes;
}

std::vector<Constraint> text_constraints() {
  std::vector<Constraint> constraints = fm_index::problem_constraints();
  constraints.insert(constraints.begin(), of_a_text());
  return constraints;
}

Axis strands_axis() {
  return listed_axis("strands", {"forward"s, "both"s}, "forward"s,
                     "forward: the queries as given; both: their reverse complements, too");
}

Strands strands_of(const Point& problem) {
  return problem.word("strands") == "both" ? Strands::both : Strands::forward;
}

std::unique_ptr<fm_index::FmProblem> load_text(const ProblemSpec& spec, const Point& complete) {
  ProblemSpec searched = spec;
  searched.point = of_fm_index(complete);
  auto problem = fm_index::load_problem(searched);
  if (problem->bases() > kMostBases)
    throw Unsupported(
        fmt::format("positions have 32 bits: allowed are references of up to {} bases, this one has {}",
                    kMostBases, problem->bases()));
  return problem;
}

QueryEstimate estimated_queries(const StateOutline& state) {
  const auto estimate = [](u64 searched, u64 reads, u64 least_bases, u64 total_bases, u64 packed_bytes) {
    return QueryEstimate{.searched = searched,
                         .reads = reads,
                         .least_bases = least_bases,
                         .total_bases = total_bases,
                         .bytes = packed_bytes + 2 * searched * sizeof(u32)};
  };
  const u64 kmer_bases = static_cast<u64>(state.problem.integer("kmer_bases"));
  if (state.problem.word("queries") == "sampled") {
    const fm_index::Sampling sampling = fm_index::sampling_of(state.problem, 0);
    const u64 kmers = kmer_bases == 0 ? 1 : fm_index::kmers_in(sampling.bases, kmer_bases);
    const u64 searched =
        kmer_bases == 0 ? fm_index::sampled_queries(state.problem).searched : sampling.count * kmers;
    const u64 bases = kmer_bases == 0 ? sampling.bases : kmer_bases;
    return estimate(searched, sampling.count, kmer_bases == 0 ? sampling.least_bases() : kmer_bases,
                    searched * bases, searched * fm_index::packed_words(bases) * sizeof(u32));
  }
  const u64 letters = state.letters("queries", 0, {});
  if (kmer_bases > 0)
    return estimate(letters, letters, kmer_bases, letters * kmer_bases,
                    letters * fm_index::packed_words(kmer_bases) * sizeof(u32));
  // A record has at least two letters besides its bases, and a query begins a unit of 64 bases.
  const u64 asked = static_cast<u64>(state.problem.integer("query_count"));
  const u64 queries = asked == 0 ? letters / 2 : std::min(asked, letters / 2);
  return estimate(queries, queries, 1, letters,
                  letters / 4 + queries * fm_index::packed_words(1) * sizeof(u32));
}

bool is_generated(const Point& problem) {
  return problem.word("reference") == "random" && problem.word("queries") == "sampled";
}

std::string why_no_bound(const Point& problem) {
  const std::string reason = fm_index::why_neighbours_share(problem);
  return reason.empty() ? "" : reason + ", which random access does not";
}

void add_records(Hash& content, const fm_index::Reference& reference) {
  for (const std::string& name : reference.names) content.update(name).update(std::string_view("\n", 1));
  for (const fm_index::Fragment& fragment : reference.fragments)
    content.update(
        std::span<const u64>(std::array{fragment.text_begin, fragment.record, fragment.record_begin}));
}

}  // namespace gpuseq::fm_locate
