#include "kernels/fm_locate/oracle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace gpuseq::fm_locate {
namespace {

bool occurs_at(std::span<const u8> text, u64 position, std::string_view letters) {
  if (position + letters.size() > text.size()) return false;
  for (std::size_t i = 0; i < letters.size(); ++i)
    if ("ACGT"[text[position + i]] != letters[i]) return false;
  return true;
}

}  // namespace

std::string reverse_complement(std::string_view letters) {
  std::string result(letters.rbegin(), letters.rend());
  for (char& letter : result) letter = letter == 'A' ? 'T' : letter == 'C' ? 'G' : letter == 'G' ? 'C' : 'A';
  return result;
}

std::string why_wrong(std::span<const u8> text, const fm_index::SuffixArray& suffixes,
                      const fm_index::Interval<u64>& interval, u64 most_hits, std::string_view letters,
                      std::span<const u32> positions) {
  const u64 all = letters.empty() ? 0 : interval.h - interval.l;
  const u64 asked = most_hits == 0 ? all : std::min(all, most_hits);
  if (positions.size() != asked)
    return fmt::format("expected {} of {} positions, found {}", asked, all, positions.size());
  std::vector<u64> expected(asked), found(positions.begin(), positions.end());
  for (u64 i = 0; i < asked; ++i)
    expected[i] = std::visit([&](const auto& sorted) { return static_cast<u64>(sorted[interval.l + i - 1]); },
                             suffixes);
  std::ranges::sort(expected);
  std::ranges::sort(found);
  for (u64 i = 0; i < asked; ++i) {
    if (found[i] != expected[i])
      return fmt::format("expected position {}, found {} (number {} of {} in order)", expected[i], found[i],
                         i + 1, asked);
    if (!occurs_at(text, found[i], letters))
      return fmt::format("at position {} the text has other letters", found[i]);
  }
  return "";
}

}  // namespace gpuseq::fm_locate
