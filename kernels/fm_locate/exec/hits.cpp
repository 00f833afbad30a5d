#include "kernels/fm_locate/exec/hits.hpp"

#include <algorithm>
#include <ostream>
#include <vector>

#include "kernels/fm_locate/data/places.hpp"

namespace gpuseq::fm_locate {
namespace {

std::string name_of(const fm_index::Reference& reference, u64 record) {
  const std::string& name = reference.names[record];
  return name.empty() ? std::to_string(record + 1) : name;
}

/// What exec tells of one query.
struct Answer {
  u64 occurrences = 0;
  std::span<const u32> positions;  // as they were located
  u64 bases = 0;
};

/// Calls tell(name, answer) for every query in the order of the file.
template <class Tell>
void for_each_query(const LocateProblem& problem, std::span<const u32> positions, const Tell& tell) {
  const fm_index::Queries& queries = problem.queries();
  const Occurrences& found = problem.occurrences();
  const std::vector<u32> order = queries.in_file_order();
  std::size_t next = 0;
  for (u64 number = 0; number < queries.total; ++number) {
    Answer answer;
    if (next < order.size() && queries.source[order[next]] == number) {
      const u32 query = order[next++];
      answer.bases = queries.bases[query];
      const auto entry = std::ranges::lower_bound(found.query, query);
      if (entry != found.query.end() && *entry == query) {
        const auto at = static_cast<std::size_t>(entry - found.query.begin());
        answer.occurrences = found.rows[at];
        answer.positions = found.of(at, positions);
      }
    }
    tell(queries.name_in_file(number), answer);
  }
}

}  // namespace

void write_hits(std::ostream& out, const LocateProblem& problem, std::span<const u32> positions) {
  out << "query\trecord\tposition\tstrand\n";
  std::vector<u32> ascending;
  for_each_query(problem, positions, [&](const std::string& name, const Answer& answer) {
    ascending.assign(answer.positions.begin(), answer.positions.end());
    std::ranges::sort(ascending);
    for (const u32 position : ascending)
      if (const auto place = place_of(problem.reference(), position, answer.bases))
        out << name << '\t' << name_of(problem.reference(), place->record) << '\t' << place->offset + 1
            << "\t+\n";
  });
}

void write_counts(std::ostream& out, const LocateProblem& problem, std::span<const u32> positions) {
  out << "name\toccurrences\tlocated\tacross_joins\n";
  for_each_query(problem, positions, [&](const std::string& name, const Answer& answer) {
    const auto across = std::ranges::count_if(answer.positions, [&](u32 position) {
      return !place_of(problem.reference(), position, answer.bases);
    });
    out << name << '\t' << answer.occurrences << '\t' << answer.positions.size() << '\t' << across << '\n';
  });
}

}  // namespace gpuseq::fm_locate
