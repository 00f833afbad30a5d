#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/fm_index/data/intervals.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::fm_index::testing {

/// Letters that repeat as hard as can still be sorted by comparing: copies of earlier pieces, runs of one
/// base and short periods, among them at both ends.
inline std::string repeating_text(u64 bases) {
  constexpr u64 kLongest = 700;
  Random random(bases);
  std::string text(std::min<u64>(bases / 4, 100), 'A');
  while (text.size() < bases) {
    const u64 length = 1 + random.below(kLongest);
    switch (random.below(6)) {
      case 0:
        text.append(random.below(60), "ACGT"[random.below(4)]);
        break;
      case 1:
        for (u64 i = 0; i < length / 5; ++i) text += "ACG"[i % 3];
        break;
      case 2:
        if (text.size() > length) text += text.substr(random.below(text.size() - length), length);
        break;
      default:
        for (u64 i = 0; i < length; ++i) text += "ACGT"[random.below(4)];
    }
  }
  text.resize(bases);
  for (u64 i = 1; i <= std::min<u64>(bases / 4, 100); ++i) text[bases - i] = 'A';
  return text;
}

/// The suffixes of a text in the order of comparing them; the end of the text is smallest.
class ComparedSuffixes {
 public:
  explicit ComparedSuffixes(const std::string& text) : text_(text), positions_(text.size()) {
    for (u32 at = 0; at < positions_.size(); ++at) positions_[at] = at;
    std::ranges::sort(positions_, [&](u32 a, u32 b) { return text_.substr(a) < text_.substr(b); });
  }
  const std::vector<u32>& positions() const { return positions_; }

  /// Rows of a query, row 0 being the end of the text.
  Interval<u64> interval(std::string_view query) const {
    if (query.empty()) return {0, positions_.size() + 1};
    const auto head = [&](u32 at) { return text_.substr(at, query.size()); };
    const auto found = std::ranges::equal_range(positions_, query, {}, head);
    const auto row = [&](auto at) { return static_cast<u64>(at - positions_.begin()) + 1; };
    return {row(found.begin()), row(found.end())};
  }

 private:
  std::string_view text_;
  std::vector<u32> positions_;
};

}  // namespace gpuseq::fm_index::testing
