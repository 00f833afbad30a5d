#pragma once

#include <array>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "kernels/exact_match/data/tree.cuh"
#include "runtime/io/hash.hpp"
#include "runtime/system/random.hpp"

// The file of cache.hpp as one who forges it sees it: a header of u64 words, then nodes, ranges, parents and
// depths of the leaves, leaves.

namespace gpuseq::exact_match::testing {

class CacheFile {
 public:
  enum Word { kTextLetters = 3, kNodes, kLeaves, kSectionSums, kSum = kSectionSums + 5 };
  enum Section { nodes, ranges, leaf_parent, leaf_depth, leaves };
  static constexpr std::size_t kHeaderBytes = 96;
  static constexpr std::array<std::size_t, 5> kElementBytes{32, 8, 4, 1, 4};

  explicit CacheFile(std::string content) : content_(std::move(content)) {}

  std::size_t elements(Section section) const {
    return word(section <= ranges ? kNodes : section == leaves ? kLeaves : kTextLetters);
  }
  std::size_t begin(Section section) const {
    std::size_t at = kHeaderBytes;
    for (int before = 0; before < section; ++before)
      at += elements(static_cast<Section>(before)) * kElementBytes[static_cast<std::size_t>(before)];
    return at;
  }
  /// Values of 4 bytes (leaf_depth: of 1): a node has 8, a range 2.
  std::size_t values(Section section) const {
    return section == leaf_depth ? elements(section) : elements(section) * kElementBytes[section] / 4;
  }
  u32 value(Section section, std::size_t index) const {
    u32 result = 0;
    std::memcpy(&result, content_.data() + begin(section) + index * width(section), width(section));
    return result;
  }
  void set(Section section, std::size_t index, u32 value) {
    std::memcpy(content_.data() + begin(section) + index * width(section), &value, width(section));
  }

  /// The content with right checksums: of a section that of its pieces', of which a small file's have one.
  std::string sealed() {
    const auto sum = [&](std::size_t from, std::size_t bytes) {
      return Hash().update(std::string_view(content_).substr(from, bytes)).value();
    };
    for (const Section section : {nodes, ranges, leaf_parent, leaf_depth, leaves}) {
      const u64 piece = sum(begin(section), elements(section) * kElementBytes[section]);
      set_word(static_cast<std::size_t>(kSectionSums) + static_cast<std::size_t>(section),
               Hash().update(std::span(&piece, 1)).value());
    }
    set_word(kSum, sum(0, 8 * kSum));
    return content_;
  }

 private:
  static std::size_t width(Section section) { return section == leaf_depth ? 1 : 4; }
  u64 word(std::size_t index) const {
    u64 value;
    std::memcpy(&value, content_.data() + 8 * index, sizeof value);
    return value;
  }
  void set_word(std::size_t index, u64 value) {
    std::memcpy(content_.data() + 8 * index, &value, sizeof value);
  }

  std::string content_;
};

/// Changes something in one section that checksums do not tell: to any value, to one nearby, or to that of
/// another element; or two elements change their places.
inline void forge(Random& random, CacheFile& file) {
  const auto section = static_cast<CacheFile::Section>(random.below(5));
  const u32 fields = section == CacheFile::nodes ? 8 : section == CacheFile::ranges ? 2 : 1;
  for (u64 i = 0, n = 1 + random.below(2); i < n; ++i) {
    const std::size_t at = random.below(file.values(section));
    // Another element's value of the same field.
    const std::size_t other = random.below(file.elements(section)) * fields + at % fields;
    const u32 here = file.value(section, at), there = file.value(section, other);
    switch (random.below(5)) {
      case 0:
        file.set(section, at, static_cast<u32>(random()));
        break;
      case 1:
        file.set(section, at, here + static_cast<u32>(random.below(5)) - 2);
        break;
      case 2:
        file.set(section, at, here ^ 0x80000000u);
        break;
      case 3:
        file.set(section, other, here);
        [[fallthrough]];
      default:
        file.set(section, at, there);
    }
  }
}

}  // namespace gpuseq::exact_match::testing
