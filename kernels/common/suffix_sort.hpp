#pragma once

#include <span>

#include "runtime/cuda/device/host_device.cuh"
#include "runtime/system/threads.hpp"

namespace gpuseq {

/// Where suffixes end.
enum class SuffixEnds {
  text,       // behind the text, by an end that is smaller than all letters: no two suffixes are the same
  separators  // by each letter above 3, which is greater than the others; positions order those that are the
              // same up to there. The text ends with one
};

/// Texts of more letters have positions that 32 bits do not hold.
inline constexpr u64 kMostSortedLetters = (u64{1} << 32) - 2;

/// Memory that sort_in_buckets() takes at most beside text and positions, but for its largest buckets.
u64 bucket_sort_bytes(u64 letters, SuffixEnds ends, int threads);

/// Sorts the suffixes of a text of letters 0...3 (and separators) by all threads: they are put into buckets
/// by their first letters, and buckets are sorted by 32 letters at a time. That takes time by the length of
/// repeats, which is estimated first from one suffix of hundreds.
/// @param positions  [letters below 4] of the suffixes that begin with one, overwritten
/// @returns whether it was done. False: given up early, as the text repeats so much that libdivsufsort, on
///   one thread, is thought to be faster
/// @throws DoesNotFit if the host's memory cannot hold the largest buckets
bool sort_in_buckets(std::span<const u8> text, SuffixEnds ends, std::span<u32> positions, ThreadPool& pool);

}  // namespace gpuseq
