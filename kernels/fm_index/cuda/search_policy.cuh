#pragma once

#include "kernels/fm_index/data/psi.cuh"

// The compile-time parameters of a search kernel, and its arguments.

namespace gpuseq::fm_index {

/// How the threads of a warp share the work (Chacon et al. 2013, section 4); one_hot and those behind are
/// ours.
enum class Scheme : u32 {
  task_parallel,           // a thread takes l and h of a query, 4-byte loads
  task_parallel_16b,       // the same, 16-byte loads
  task_parallel_split,     // two threads a query, one LF each, 16-byte loads
  memory_cooperative,      // two threads a query, the warp copies whole entries to shared memory
  full_cooperative,        // lanes_per_query threads read and count an entry together
  full_cooperative_split,  // two threads a query; lanes_per_entry threads read and count for them
  one_hot,                 // full_cooperative on the one-hot layout
  psi,                     // a thread searches l and h among the entries of a word
  psi_lines,               // lanes_per_query threads read the line of a word and count
  verify,                  // no FM-index: a thread compares a query with the text
  elias_fano,              // lanes_per_query threads read the line of a word among compressed one-hot bits
  one_hot_routed           // one_hot, a step of all queries at a time, where their next blocks lie
};

/// Queries of which a lane of one_hot_routed reads the words at a time, and those that a warp lists at most.
inline constexpr u32 kRoutedOfLane = 4;
inline constexpr u32 kRoutedListed = 256;

/// The compile-time parameters of one kernel. kernels/fm_index/cuda/policy.cpp lists their values.
struct Policy {
  Scheme scheme = Scheme::task_parallel;
  u32 k = 1;
  u32 d = 0;
  bool alternate = false;
  bool wide = false;
  u32 threads_per_block = 128;
  u32 lanes_per_query = 1;
  u32 queries_in_flight = 1;             // independent queries that a group of lanes interleaves
  bool entries_in_l1 = true;             // entries are allocated in L1, or pass it by
  PsiSearch search = PsiSearch::linear;  // psi only
  u32 line_bytes = 0;                    // psi_lines and elias_fano only
  u32 row_bytes = 0;                     // verify only
  bool early_exit = false;               // psi and psi_lines: a query's first k bases are looked up first
  bool separate_entries = false;         // l and h read an entry each, also where they share it
  bool whole_entries = false;            // all rows of an entry are read, not only those up to a position
  u32 lanes_per_entry = 0;               // full_cooperative_split only
  bool divided = false;                  // one_hot_routed only: words are divided between devices

  GPUSEQ_HD constexpr LayoutKind kind() const {
    switch (scheme) {
      case Scheme::one_hot:
      case Scheme::one_hot_routed:
        return LayoutKind::one_hot;
      case Scheme::psi:
        return LayoutKind::psi;
      case Scheme::psi_lines:
        return LayoutKind::psi_lines;
      case Scheme::verify:
        return LayoutKind::verify;
      case Scheme::elias_fano:
        return LayoutKind::elias_fano;
      case Scheme::task_parallel:
      case Scheme::task_parallel_16b:
      case Scheme::task_parallel_split:
      case Scheme::memory_cooperative:
      case Scheme::full_cooperative:
      case Scheme::full_cooperative_split:
        break;
    }
    return alternate ? LayoutKind::alternate : LayoutKind::full;
  }
  GPUSEQ_HD constexpr Layout layout() const {
    return {.kind = kind(), .k = k, .d = d, .wide = wide, .line_bytes = line_bytes, .row_bytes = row_bytes};
  }
  /// A lane follows l or h, not both.
  GPUSEQ_HD constexpr bool one_position() const {
    return scheme == Scheme::task_parallel_split || scheme == Scheme::memory_cooperative ||
           scheme == Scheme::full_cooperative_split;
  }
  /// Lanes that read and count an entry together, of the full-cooperative schemes.
  GPUSEQ_HD constexpr u32 cooperating_lanes() const {
    return scheme == Scheme::full_cooperative_split ? lanes_per_entry : lanes_per_query;
  }
  /// A warp copies the entries or lines of its threads to shared memory.
  GPUSEQ_HD constexpr bool has_slots() const {
    return scheme == Scheme::memory_cooperative || (scheme == Scheme::elias_fano && lanes_per_query == 1);
  }
  /// Shared memory of a block: an entry for each thread and query in flight. Slots are an odd number of
  /// 16-byte words apart, so that threads reading the same word of different slots meet different banks.
  /// Routed: for each warp the list of those of its queries that are of its window.
  GPUSEQ_HD constexpr u32 slot_bytes() const { return layout().entry_bytes() + 16; }
  /// Number and word of each listed query; divided: also where its interval comes from, its place where it
  /// goes to, and the device there.
  GPUSEQ_HD constexpr u32 list_bytes() const { return kRoutedListed * (divided ? 8 : 5); }
  GPUSEQ_HD constexpr u32 shared_bytes() const {
    if (scheme == Scheme::one_hot_routed) return threads_per_block / 32 * list_bytes();
    return has_slots() ? threads_per_block * queries_in_flight * slot_bytes() : 0;
  }
};

/// The window that the memory of a word is in.
GPUSEQ_HD constexpr u32 window_of_word(u32 word, u32 words, u32 windows) {
  return word * windows / words;
}

/// The device that has the entries of a word, where `devices` share all words.
GPUSEQ_HD constexpr u32 device_of_word(u32 word, u32 words, u32 devices) {
  return window_of_word(word, words, devices);
}
/// The first word of a device; that of device number `devices` is the number of words.
GPUSEQ_HD constexpr u32 first_word_of(u32 device, u32 words, u32 devices) {
  return (device * words + devices - 1) / devices;
}

/// Where a multiprocessor is among those of its window, which share portions of queries as evenly.
struct Seat {
  u32 window;
  u32 rank, count;  // of the window's seats: portions rank, rank + count, ... are this one's
};
/// Numbers in Routes::taken are as far apart, so that adding to one does not wait for another.
inline constexpr u32 kTakenStride = 8;

/// The most devices that share the words.
inline constexpr u32 kMostDevices = 16;

/// Intervals of queries that go from a device to another one between two steps, because the next word's
/// entries are there. The intervals of a portion of queries that arrive at one device are consecutive.
struct Crossing {
  u32 device = 0;   // the number of this one
  u32 devices = 1;  // that share the words
  /// For each device, in its memory, [2][pitch] intervals that arrive, by parity of the step that takes them.
  /// A device reads its own and writes the others.
  void* inboxes[kMostDevices] = {};
};

/// The data that one_hot_routed reads in addition to the index. Pointers are to device memory.
struct Routes {
  const u8* words;      // of step after step, the words of all queries, `pitch` bytes apart
  const u32* openings;  // of each query its place in IndexView::prefix
  const u32* steps;     // of each query, as not all have as many; else null
  const Seat* seats;    // in the order of windows
  const u32* seat_of;   // by number of a multiprocessor
  u32* taken;           // by seat, kTakenStride apart: how many of its portions this step has taken so far
  u64 pitch;            // a multiple of 128, at least the number of queries
  u32 step;             // kOpeningStep: intervals are looked up
  u32 step_count;       // of the query that has most
  u32 seat_count;
  u32 windows;  // memory of words 0 ... 4^k - 1 is divided into as many, at whole words
  Crossing crossing =
      {};  // Policy::divided only: consecutive windows are of the same device, as many of each
};
inline constexpr u32 kOpeningStep = ~0u;

/// The single argument of every search kernel; pointers are to device memory.
struct SearchArguments {
  IndexView index;
  QueryView queries;
  void* intervals;            // Interval<Position>[queries.count], overwritten
  u64 superblock_reciprocal;  // wide: reciprocal(entries or blocks of a superblock)
  Routes routes = {};         // one_hot_routed only
};

/// Multiplier for quotient(): exact for every dividend and divisor below 2^32 - 1.
GPUSEQ_HD constexpr u64 reciprocal(u64 divisor) {
  return ~u64{0} / divisor;
}

template <bool wide>
struct PositionType {
  using type = u32;
};
template <>
struct PositionType<true> {
  using type = u64;
};

}  // namespace gpuseq::fm_index
