#pragma once

#include <cstring>
#include <string>

#include "runtime/cuda/device/host_device.cuh"
#include "runtime/io/hash.hpp"
#include "runtime/system/random.hpp"

// The file of cache.hpp as one who forges it sees it: a header of u64 words, the planes of column 1, the
// suffix array.

namespace gpuseq::fm_index::testing {

class CacheFile {
 public:
  enum Word { kDollarRow = 4, kFirst = 5, kColumnBytes = 11, kColumnSum, kSuffixBytes, kSuffixSum, kSum };
  static constexpr std::size_t kHeaderBytes = 128;

  explicit CacheFile(std::string content) : content_(std::move(content)) {}

  u64 word(std::size_t index) const {
    u64 value;
    std::memcpy(&value, content_.data() + 8 * index, sizeof value);
    return value;
  }
  void set_word(std::size_t index, u64 value) {
    std::memcpy(content_.data() + 8 * index, &value, sizeof value);
  }
  std::size_t column_begin() const { return kHeaderBytes; }
  std::size_t suffixes_begin() const { return kHeaderBytes + word(kColumnBytes); }
  std::size_t size() const { return content_.size(); }
  char& operator[](std::size_t at) { return content_[at]; }
  u32 suffix(std::size_t index) const {
    u32 value;
    std::memcpy(&value, content_.data() + suffixes_begin() + 4 * index, sizeof value);
    return value;
  }
  void set_suffix(std::size_t index, u32 value) {
    std::memcpy(content_.data() + suffixes_begin() + 4 * index, &value, sizeof value);
  }
  std::size_t suffixes() const { return word(kSuffixBytes) / 4; }

  /// The content with right checksums.
  std::string sealed() {
    const std::string_view all = content_;
    const auto sum = [](std::string_view bytes) { return Hash().update(bytes).value(); };
    set_word(kColumnSum, sum(all.substr(column_begin(), word(kColumnBytes))));
    set_word(kSuffixSum, sum(all.substr(suffixes_begin())));
    set_word(kSum, sum(all.substr(0, 8 * kSum)));
    return content_;
  }

 private:
  std::string content_;
};

/// Changes something that checksums do not tell, in one section or several.
inline void forge(Random& random, CacheFile& file) {
  const auto any_suffix = [&] { return random.below(file.suffixes()); };
  for (u64 i = 0, n = 1 + random.below(3); i < n; ++i) switch (random.below(8)) {
      case 0:
        file.set_word(CacheFile::kDollarRow, random.below(file.suffixes() + 1));
        break;
      case 1:
        file.set_word(CacheFile::kFirst + random.below(5),
                      random.below(2) == 0 ? random() : random.below(file.suffixes() + 1));
        break;
      case 2:
        for (std::size_t at = file.column_begin(); at < file.suffixes_begin(); ++at)
          file[at] = static_cast<char>(random());
        break;
      case 3:
      case 4:
        file[file.column_begin() + random.below(file.suffixes_begin() - file.column_begin())] ^=
            static_cast<char>(1 << random.below(8));
        break;
      case 5:
        file.set_suffix(any_suffix(), static_cast<u32>(random()));
        break;
      case 6: {
        const std::size_t a = any_suffix(), b = any_suffix();
        const u32 value = file.suffix(a);
        file.set_suffix(a, file.suffix(b));
        file.set_suffix(b, value);
        break;
      }
      default:
        file.set_suffix(any_suffix(), file.suffix(any_suffix()));
    }
}

}  // namespace gpuseq::fm_index::testing
