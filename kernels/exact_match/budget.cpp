#include "kernels/exact_match/budget.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/exact_match/data/enumerate.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::exact_match {

u64 trees_within(u64 text_letters, u64 longest_query, u64 tree_bytes_per_letter, u64 budget_bytes) {
  const u64 letters = budget_bytes / 3 / tree_bytes_per_letter;
  const u64 around = longest_query + 2;  // letters of a part in addition to its own
  if (letters >= text_letters) return 1;
  if (letters <= around)
    throw DoesNotFit(fmt::format(
        "a third of {} bytes has a tree of {} letters; needed are more than the {} by which trees overlap",
        budget_bytes, letters, around));
  return (text_letters + letters - around - 1) / (letters - around);
}

std::vector<QueryRange> query_ranges(const Queries& queries, const Search& search, u32 written, u64 room) {
  std::vector<QueryRange> ranges;
  u64 held = room;  // so that the first query begins a range
  for (u64 query = 0; query < queries.count(); ++query) {
    const u64 length = queries.length(query);
    const u64 slots = slots_of(length, search.min_length);
    const u64 bytes = written * (length + 1 + sizeof(u64)) +
                      search.strands() * (slots * sizeof(Slot) + sizeof(u64) + sizeof(u32));
    if (bytes > room)
      throw DoesNotFit(
          fmt::format("query {} of {} letters takes {} bytes with its slots; the tree leaves {} bytes",
                      query + 1, length, bytes, room));
    if (ranges.empty() || held + bytes > room) {
      ranges.push_back({.first = query, .count = 0});
      held = 0;
    }
    ++ranges.back().count;
    held += bytes;
  }
  return ranges;
}

Queries some_of(const Queries& queries, const QueryRange& range) {
  const auto end = range.first + range.count;
  const u64 from = queries.begin[range.first] - 1;  // the letter before
  Queries some{.names = {queries.names.begin() + static_cast<std::ptrdiff_t>(range.first),
                         queries.names.begin() + static_cast<std::ptrdiff_t>(end)},
               .letters = {queries.letters.begin() + static_cast<std::ptrdiff_t>(from),
                           queries.letters.begin() + static_cast<std::ptrdiff_t>(queries.begin[end])},
               .begin = {},
               .longest = 0};
  for (u64 query = range.first; query <= end; ++query) some.begin.push_back(queries.begin[query] - from);
  for (u64 query = 0; query < range.count; ++query) some.longest = std::max(some.longest, some.length(query));
  return some;
}

}  // namespace gpuseq::exact_match
