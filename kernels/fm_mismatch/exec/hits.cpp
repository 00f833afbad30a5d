#include "kernels/fm_mismatch/exec/hits.hpp"

#include <algorithm>
#include <compare>
#include <ostream>
#include <vector>

#include "kernels/fm_locate/data/places.hpp"

namespace gpuseq::fm_mismatch {
namespace {

struct Occurrence {
  u32 position;
  Strand strand;
  u32 mismatches;
  friend auto operator<=>(const Occurrence&, const Occurrence&) = default;
};

/// The result of exec for one query.
struct OfQuery {
  u64 bases = 0;
  ByMismatches counts{};
  std::vector<Occurrence> occurrences;  // ascending
};

/// Calls tell(name, of query) for every query in the order of the file.
template <class Tell>
void for_each_query(const MismatchProblem& problem, const Found& found, const Tell& tell) {
  const fm_index::Queries& queries = problem.queries();
  const std::vector<u64> begins = begins_of_hits(found.answers);
  queries.for_each_in_file([&](u64 in_file, std::optional<u32> query) {
    OfQuery told;
    for (u32 strand = 0; query && strand < problem.strands(); ++strand) {
      const u64 place = u64{*query} * problem.strands() + strand;
      told.bases = queries.bases[*query];
      for (u32 spent = 0; spent <= kMostMismatches; ++spent)
        told.counts[spent] += found.answers[place].occurrences[spent];
      for (const Hit& hit : found.hits.subspan(begins[place], begins[place + 1] - begins[place]))
        for (u32 row = hit.first_row; row < hit.first_row + hit.rows; ++row)
          told.occurrences.push_back({problem.position(row), static_cast<Strand>(strand), hit.mismatches});
    }
    std::ranges::sort(told.occurrences);
    tell(queries.name_in_file(in_file), told);
  });
}

}  // namespace

void write_hits(std::ostream& out, const MismatchProblem& problem, const Found& found) {
  out << "query\trecord\tposition\tstrand\tmismatches\n";
  for_each_query(problem, found, [&](const std::string& name, const OfQuery& told) {
    for (const Occurrence& one : told.occurrences)
      if (const auto place = fm_locate::place_of(problem.reference(), one.position, told.bases))
        out << name << '\t' << fm_locate::record_name(problem.reference(), place->record) << '\t'
            << place->offset + 1 << '\t' << (one.strand == Strand::forward ? '+' : '-') << '\t'
            << one.mismatches << '\n';
  });
}

void write_counts(std::ostream& out, const MismatchProblem& problem, const Found& found) {
  out << "name\texact\tone_mismatch\ttwo_mismatches\tacross_joins\n";
  for_each_query(problem, found, [&](const std::string& name, const OfQuery& told) {
    const auto across = std::ranges::count_if(told.occurrences, [&](const Occurrence& one) {
      return !fm_locate::place_of(problem.reference(), one.position, told.bases);
    });
    out << name;
    for (const u64 count : told.counts) out << '\t' << count;
    out << '\t' << across << '\n';
  });
}

}  // namespace gpuseq::fm_mismatch
