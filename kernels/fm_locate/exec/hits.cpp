#include "kernels/fm_locate/exec/hits.hpp"

#include <algorithm>
#include <compare>
#include <ostream>
#include <vector>

#include "kernels/fm_locate/data/places.hpp"

namespace gpuseq::fm_locate {
namespace {

struct Hit {
  u32 position;
  Strand strand;
  friend auto operator<=>(const Hit&, const Hit&) = default;
};

/// The result of exec for one query.
struct Answer {
  u64 occurrences = 0;
  std::vector<Hit> hits;  // in the order of location
  u64 bases = 0;
};

void collect(const LocateProblem& problem, std::span<const u32> positions, u32 query, Answer& answer) {
  const Occurrences& found = problem.occurrences();
  const auto [first, last] = entries_of(found, query);
  answer.bases = problem.queries().bases[query];
  for (std::size_t entry = first; entry < last; ++entry) {
    answer.occurrences += found.rows[entry];
    for (const u32 position : found.of(entry, positions))
      answer.hits.push_back({position, found.strand[entry]});
  }
}

/// Calls tell(name, answer) for every query in the order of the file.
template <class Tell>
void for_each_query(const LocateProblem& problem, std::span<const u32> positions, const Tell& tell) {
  const fm_index::Queries& queries = problem.queries();
  Answer of_query;
  queries.for_each_in_file([&](u64 position, std::optional<u32> query) {
    of_query.occurrences = of_query.bases = 0;
    of_query.hits.clear();
    if (query) collect(problem, positions, *query, of_query);
    tell(queries.name_in_file(position), of_query);
  });
}

}  // namespace

void write_hits(std::ostream& out, const LocateProblem& problem, std::span<const u32> positions) {
  out << "query\trecord\tposition\tstrand\n";
  for_each_query(problem, positions, [&](const std::string& name, Answer& answer) {
    std::ranges::sort(answer.hits);
    for (const Hit& hit : answer.hits)
      if (const auto place = place_of(problem.reference(), hit.position, answer.bases))
        out << name << '\t' << record_name(problem.reference(), place->record) << '\t' << place->offset + 1
            << '\t' << (hit.strand == Strand::forward ? '+' : '-') << '\n';
  });
}

void write_counts(std::ostream& out, const LocateProblem& problem, std::span<const u32> positions) {
  out << "name\toccurrences\tlocated\tacross_joins\n";
  for_each_query(problem, positions, [&](const std::string& name, const Answer& answer) {
    const auto across = std::ranges::count_if(answer.hits, [&](const Hit& hit) {
      return !place_of(problem.reference(), hit.position, answer.bases);
    });
    out << name << '\t' << answer.occurrences << '\t' << answer.hits.size() << '\t' << across << '\n';
  });
}

}  // namespace gpuseq::fm_locate
