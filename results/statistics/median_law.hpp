#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/system/random.hpp"

namespace gpuseq::results {

/// The values, by their ranks from 0, whose middle is a resample's median: one value where the size is odd.
struct MiddleRanks {
  std::uint16_t lower = 0, upper = 0;
  friend bool operator==(MiddleRanks, MiddleRanks) = default;
};

/// Which values a resample's median lies between, drawn at the price of one random number: what the
/// resample's other values are does not matter. Its law depends on two counts only, so that one table serves
/// every state that was measured as often.
class MedianLaw {
 public:
  static constexpr std::size_t kMostValues = 256;  // the table has up to half the square of it

  struct Outcome {
    MiddleRanks ranks;
    double probability = 0;
  };

  /// Of resamples of `size` among `values`, drawn with replacement. @throws std::invalid_argument if one of
  /// them is 0, or more than kMostValues values
  MedianLaw(std::size_t values, std::size_t size);

  MiddleRanks operator()(Random& random) const {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(random()) * columns_.size();
    const Column& column = columns_[static_cast<std::size_t>(product >> 64)];
    // By place and not by a branch, which no processor can foresee.
    return column.own_and_other[static_cast<std::uint64_t>(product) >= column.share];
  }

  /// Every pair of ranks that can occur, with its probability. Parameters as the constructor's.
  static std::vector<Outcome> outcomes(std::size_t values, std::size_t size);

 private:
  /// Of Walker's alias method: as likely as every other, and split between two outcomes.
  struct Column {
    std::uint64_t share;  // of its own outcome, in 2^-64
    std::array<MiddleRanks, 2> own_and_other;
  };
  std::vector<Column> columns_;
};

}  // namespace gpuseq::results
