#pragma once

#include <span>

#include "runtime/cuda/device/host_device.cuh"
#include "runtime/system/threads.hpp"

namespace gpuseq {

/// The ends of suffixes.
enum class SuffixEnds {
  text,       // after the text, with an end smaller than all letters: no two suffixes are equal
  separators  // at each letter above 3, which is greater than the others; suffixes that are equal up to it
              // are ordered by position. The text ends with one
};

/// Longer texts have positions beyond 32 bits.
inline constexpr u64 kMostSortedLetters = (u64{1} << 32) - 2;

/// Upper bound of the memory of sort_in_buckets() without text and positions, except for its largest buckets.
u64 bucket_sort_bytes(u64 letters, SuffixEnds ends, int threads);

/// Sorts the suffixes of a text of letters 0...3 (and separators) with all threads: they are put into buckets
/// by their first letters, and buckets are sorted by 32 letters at a time. The time grows with the length of
/// repeats, which is first estimated from one in hundreds of suffixes.
/// @param positions  [letters below 4] of the suffixes that begin with such a letter, overwritten
/// @returns whether the suffixes are sorted. False: gave up early, as the text repeats so much that
/// libdivsufsort on one thread is expected to be faster
/// @throws DoesNotFit if the largest buckets do not fit the host's memory
bool sort_in_buckets(std::span<const u8> text, SuffixEnds ends, std::span<u32> positions, ThreadPool& pool);

}  // namespace gpuseq
