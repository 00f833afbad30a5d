#include "kernels/profile_hmm/cuda/policy.hpp"

// The least number of instructions of a launch, for the bound: the recurrence of all cells, the loads from
// memory, and the maxima over the lanes if every row has one. The probe measures minima; maxima are the
// same instructions.

namespace gpuseq::profile_hmm {
namespace {

using Counts = std::map<std::string, double>;

/// Video instructions are emulated. Counts of the emulation's instructions per word in nvcc's code (SSV: for
/// sm_75 to sm_120, the others: for sm_90 and sm_120); the lowest count, without instructions that nvcc may
/// place on either pipe.
Counts emulated(const Policy& policy) {
  switch (policy.filter) {
    case Filter::ssv:
      return {{"lop3", 10}, {"prmt", 3}, {"shf", 1}};  // a difference and a maximum of four bytes
    case Filter::msv:
      return {{"lop3", 15}, {"prmt", 4}, {"shf", 2}};  // a sum, a difference and two maxima
    case Filter::viterbi:
      break;
  }
  if (policy.deletions == Deletions::lazy_f)  // without the sums of D -> D
    return {{"add_s16x2", 8}, {"lop3", 21}, {"prmt", 14}, {"min_s16x2", 4}};
  return {{"add_s16x2", 9}, {"lop3", 24}, {"prmt", 16}, {"min_s16x2", 4}};  // nine saturating sums
}

/// A maximum over the lanes by shuffles, in all states of its word: seven maxima of four bytes,
/// or six of two words.
Counts of_reduction(const Policy& policy) {
  if (policy.filter == Filter::viterbi) return {{"shuffle", 5}, {"min_s16x2", 6}};
  return {{"shuffle", 5}, {"lop3", 22}, {"prmt", 6}, {"shf", 9}};
}

Counts of_recurrence(const Policy& policy) {
  Counts counts;
  switch (policy.arithmetic) {
    case Arithmetic::video:
      return emulated(policy);
    case Arithmetic::f16x2:
      counts = {{"fma_f16x2", 1}, {"vimin3_s16x2", 0.5}};
      break;
    case Arithmetic::s16x2:
      if (policy.filter == Filter::viterbi)
        counts = {{"add_s16x2", 4}, {"viaddmin_s16x2", 5}, {"vimin3_s16x2", 0.5}};
      else
        counts = {{"viaddmin_s16x2", 1}, {"vimin3_s16x2", 0.5}};
      break;
    case Arithmetic::s32:
      counts = {{"viaddmin_s32", 9}, {"max_s32", 1}};
      break;
  }
  if (policy.filter == Filter::msv && policy.follow_j) counts["min_s16x2"] += 1;
  return counts;
}

/// Whether a word is loaded. Read-only and local memory, served by the L1 cache, use the same physical memory
/// as shared memory and are no faster.
bool is_loaded(Memory memory) {
  return memory != Memory::registers;
}

/// Whether a row is loaded. A row in local memory is loaded if the loop over its words is partly unrolled; if
/// it is fully unrolled no index is left, and compilers keep the row in registers.
bool is_row_loaded(const Policy& policy) {
  const bool whole = policy.words_are_constant() && policy.words <= policy.words_unrolled();
  return is_loaded(policy.row) && !(policy.row == Memory::local && whole);
}

}  // namespace

std::map<std::string, double> instructions_per_word(const Policy& policy) {
  Counts counts = of_recurrence(policy);
  if (is_loaded(policy.costs))
    counts[policy.load_words() == 4 ? "load_shared_128" : "load_shared_32"] += 1.0 / policy.load_words();
  if (policy.filter == Filter::viterbi && is_loaded(policy.steps)) {
    const bool all = policy.deletions == Deletions::in_row;  // D -> D is read with a row's other steps
    if (policy.loads == Loads::words)
      counts["load_shared_32"] += all ? kSteps : kSteps - 1;
    else
      counts["load_shared_128"] += 2;
  }
  if (is_row_loaded(policy)) counts["load_shared_32"] += policy.cells_per_state();
  return counts;
}

std::map<std::string, double> instructions_per_row(const Policy& policy) {
  Counts counts;
  if (policy.residues == Memory::shared) counts["load_shared_32"] = 1.0 / 4;
  if (policy.reduction == Reduction::skipped) return counts;
  // Maxima of match states; lazy F also needs the maximum of deletions.
  const double maxima = policy.filter == Filter::viterbi && policy.deletions == Deletions::lazy_f ? 2 : 1;
  for (const auto& [operation, count] : of_reduction(policy)) counts[operation] = maxima * count;
  return counts;
}

Instructions instructions_of(const Policy& policy, u32 words, double residues) {
  // Whole stripes: elements of the last stripe past the model's end are computed as well.
  const double rows = residues * policy.lanes, all_words = rows * words;
  Instructions instructions;
  for (const auto& [operation, count] : instructions_per_word(policy))
    instructions.operations[operation] = count * all_words;
  for (const auto& [operation, count] : instructions_per_row(policy))
    instructions.operations[operation] += count * rows;
  return instructions;
}

}  // namespace gpuseq::profile_hmm
