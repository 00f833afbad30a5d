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

/// Why a file is not an alignment in the format that was tried.
struct AlignmentFailure {
  std::size_t line = 0;
  std::string what;
  bool at_end = false;  // the lines were read, but rows or letters are missing
};

/// Takes the first word off `text`, and the blanks before it.
std::string_view take_word(std::string_view& text);

/// Collects the rows of one reading of a file. Throws AlignmentFailure.
class AlignmentRows {
 public:
  AlignmentRows(Alphabet alphabet, GrowingMemory& memory) : memory_(memory) { alignment.alphabet = alphabet; }

  /// Adds a row without letters. Blanks in its name become underscores: Newick text and relaxed PHYLIP, where
  /// a blank ends a name, write it so.
  void add(std::string_view name, std::size_t line);
  /// Appends the letters of a line, blanks between them left out.
  void append(std::size_t row, std::string_view letters, std::size_t line);
  /// "row 2 'name'"
  std::string described(std::size_t row) const;

  ReferenceAlignment alignment;

 private:
  static constexpr u64 kRowBytes = 128;  // of a row in lines_, beside its name
  GrowingMemory& memory_;
  std::unordered_map<std::string, std::size_t> lines_;
};

}  // namespace gpuseq::papara
