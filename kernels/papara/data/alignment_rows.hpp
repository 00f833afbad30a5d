#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

#include "kernels/papara/data/reference_alignment.hpp"
#include "runtime/system/host_memory.hpp"

namespace gpuseq::papara {

/// A line of a file and its number, from 1.
struct TextLine {
  std::size_t number = 0;
  std::string text;
};

/// The reason why a file is not an alignment in the tried format.
struct AlignmentFailure {
  std::size_t line = 0;
  std::string what;
  bool at_end = false;  // the lines are valid, but rows or letters are missing
};

/// Removes leading blanks and the first word from `text`; returns the word.
std::string_view take_word(std::string_view& text);

/// Collects the rows while a file is read. Throws AlignmentFailure.
class AlignmentRows {
 public:
  AlignmentRows(Alphabet alphabet, GrowingMemory& memory) : memory_(memory) { alignment.alphabet = alphabet; }

  /// Adds a row without letters. Blanks in its name become underscores, as in Newick text and in relaxed
  /// PHYLIP, where a blank ends a name.
  void add(std::string_view name, std::size_t line);
  /// Appends the letters of a line without blanks.
  void append(std::size_t row, std::string_view letters, std::size_t line);
  /// "row 2 'name'"
  std::string described(std::size_t row) const;

  ReferenceAlignment alignment;

 private:
  static constexpr u64 kRowBytes = 128;  // memory of a row in lines_, without its name
  GrowingMemory& memory_;
  std::unordered_map<std::string, std::size_t> lines_;
};

}  // namespace gpuseq::papara
