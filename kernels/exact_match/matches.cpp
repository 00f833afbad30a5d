#include "kernels/exact_match/matches.hpp"

#include <algorithm>

namespace gpuseq::exact_match {

void keep_unique_in_query(std::vector<Match>& matches, u64 from) {
  const auto begin = matches.begin() + static_cast<std::ptrdiff_t>(from);
  // Longer matches first among those with the same start: then a match comes after every match that contains
  // it, unless both are the same piece.
  std::sort(begin, matches.end(), [](const Match& a, const Match& b) {
    if (a.reference != b.reference) return a.reference < b.reference;
    return a.length != b.length ? a.length > b.length : a.query < b.query;
  });
  auto kept = begin;
  u64 furthest = 0;
  for (auto match = begin; match != matches.end();) {
    auto next = match + 1;
    while (next != matches.end() && next->reference == match->reference && next->length == match->length)
      ++next;
    const u64 end = u64{match->reference} + match->length;
    const bool unique = next == match + 1 && end > furthest;
    furthest = std::max(furthest, end);
    if (unique) *kept++ = *match;
    match = next;
  }
  matches.erase(kept, matches.end());
  std::sort(matches.begin() + static_cast<std::ptrdiff_t>(from), matches.end());
}

}  // namespace gpuseq::exact_match
