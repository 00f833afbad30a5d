#pragma once

#include "kernels/profile_hmm/cuda/filter_lanes.cuh"

// Locations of a lane's words: its row of cells, and the costs of a residue.

namespace gpuseq::profile_hmm {

/// The number of a lane's words: a constant, or a launch argument.
template <class Tuned>
class WordCount {
 public:
  GPUSEQ_HD explicit WordCount(const FilterArguments& arguments) : words_(arguments.words) {}
  GPUSEQ_HD u32 operator()() const { return Tuned::value.words_are_constant() ? Tuned::value.words : words_; }

 private:
  u32 words_;
};

template <class Tuned>
inline constexpr u32 kUnrolled = Tuned::value.words_unrolled();

/// One word for each of a lane's words. Stays in registers only if the compiler knows every index.
template <class Tuned, Memory memory = Tuned::value.row>
struct Row {
  static constexpr u32 words = Tuned::value.words_are_constant() ? Tuned::value.words : kMostLocalWords;
  u32 word[words];
  GPUSEQ_HD explicit Row(u32*) {}
  GPUSEQ_HD u32 get(u32 q) const { return word[q]; }
  GPUSEQ_HD void set(u32 q, u32 value) { word[q] = value; }
};
template <class Tuned>
struct Row<Tuned, Memory::shared> {
  u32* first;  // this lane's first word; the words of the warp's lanes are interleaved
  GPUSEQ_HD explicit Row(u32* at) : first(at) {}
  GPUSEQ_HD u32 get(u32 q) const { return first[q * kWarp]; }
  GPUSEQ_HD void set(u32 q, u32 value) { first[q * kWarp] = value; }
};

/// Loads a word of a table in shared memory, or in memory that the kernel does not write.
template <Memory memory>
GPUSEQ_HD u32 table_word(const u32* at) {
  if constexpr (memory == Memory::read_only)
    return load_word<true>(reinterpret_cast<const u8*>(at));
  else
    return *at;
}
template <Memory memory>
GPUSEQ_HD Piece table_piece(const u32* at) {
  if constexpr (memory == Memory::read_only)
    return load_piece<true>(reinterpret_cast<const u8*>(at));
  else
    return *reinterpret_cast<const Piece*>(at);
}

/// The costs of residues for a lane.
template <class Tuned, Memory memory = Tuned::value.costs>
class Costs {
  static constexpr Policy policy = Tuned::value;
  static constexpr u32 width = policy.load_words();
  static constexpr bool ahead = width > 1;  // a whole row is loaded before it is used

 public:
  /// @param table  of the launch, or its copy in shared memory
  /// @param lane  within the group
  GPUSEQ_HD Costs(const FilterArguments& arguments, const u32* table, u32 lane) : table_(table), lane_(lane) {
    constexpr Policy here = Tuned::value;  // the static member does not exist on the device
    stride_ = here.row_stride(WordCount<Tuned>(arguments)());
  }

  struct OfResidue {
    const u32* row;
    u32 word[ahead ? policy.words : 1];

    GPUSEQ_HD u32 get(u32 q) const {
      if constexpr (ahead)
        return word[q];
      else
        return table_word<memory>(row + q * policy.lanes);
    }
  };
  GPUSEQ_HD OfResidue of(u32 residue) const {
    const u32* row = table_ + residue * stride_;
    OfResidue costs;
    costs.row = row + lane_;
    if constexpr (ahead) {
      constexpr u32 whole = policy.words / width * width;
#pragma unroll
      for (u32 q = 0; q < whole; q += width) {
        const Piece piece = table_piece<memory>(row + lane_ * width + q * policy.lanes);
#pragma unroll
        for (u32 i = 0; i < width; ++i) costs.word[q + i] = piece.word[i];
      }
#pragma unroll
      for (u32 q = whole; q < policy.words; ++q)
        costs.word[q] = table_word<memory>(costs.row + q * policy.lanes);
    }
    return costs;
  }

 private:
  const u32* table_;
  u32 lane_;
  u32 stride_;
};

/// One thread per sequence: lane r of the warp holds residue r's costs, which the others read by shuffles.
template <class Tuned>
class Costs<Tuned, Memory::registers> {
  static constexpr u32 words = Tuned::value.words;

 public:
  /// @param lane  within the warp
  GPUSEQ_HD Costs(const FilterArguments& arguments, const u32*, u32 lane) {
    const u32 residue = lane < kCostRows ? lane : kPad;
    constexpr u32 stride = Tuned::value.row_stride(words);
    const u32* row = arguments.costs + residue * stride;
#pragma unroll
    for (u32 q = 0; q < words; ++q) held_[q] = table_word<Memory::read_only>(row + q);
  }
  struct OfResidue {
    const Costs& costs;
    u32 residue;
    GPUSEQ_HD u32 get(u32 q) const { return shuffle_from(costs.held_[q], residue, kWarp); }
  };
  GPUSEQ_HD OfResidue of(u32 residue) const {
    return {*this, residue};
  }

 private:
  u32 held_[words];
};

}  // namespace gpuseq::profile_hmm
