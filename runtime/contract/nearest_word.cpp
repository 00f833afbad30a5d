#include "runtime/contract/nearest_word.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace gpuseq {
namespace {

constexpr std::size_t kLongestWord = 200;  // longer words are not typing errors

/// Optimal string alignment: letters between two swapped ones are not edited.
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::array<std::vector<std::size_t>, 3> rows;  // two rows before, one before, this row
  for (auto& row : rows) row.resize(b.size() + 1);
  std::iota(rows[2].begin(), rows[2].end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::rotate(rows.begin(), rows.begin() + 1, rows.end());
    const auto& [two_before, before, row] = rows;
    rows[2][0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t least = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        least = std::min(least, two_before[j - 2] + 1);
      rows[2][j] = least;
    }
  }
  return rows[2][b.size()];
}

}  // namespace

std::string_view nearest_word(std::string_view word, const std::vector<std::string_view>& allowed) {
  std::string_view nearest;
  std::size_t least = kLongestWord;
  if (word.size() > kLongestWord) return nearest;
  for (const std::string_view candidate : allowed) {
    const std::size_t longer = std::max(word.size(), candidate.size());
    if (longer > kLongestWord) continue;
    const std::size_t edits = edits_between(word, candidate);
    if (edits >= least || edits > std::max<std::size_t>(1, longer / 3) || edits >= longer) continue;
    least = edits;
    nearest = candidate;
  }
  return nearest;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& allowed) {
  const std::string_view nearest = nearest_word(word, allowed);
  return nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest);
}

}  // namespace gpuseq
