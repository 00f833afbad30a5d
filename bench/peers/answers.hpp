#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/contract/family.hpp"

namespace gpuseq::bench {

/// How the answers of another program are read. Columns are separated by blanks or tabs and count from 1, or
/// from the end where negative.
struct AnswerFormat {
  enum class Kind {
    count_lines,  // a key's number is how many lines have it
    sections,     // a header line has the key, its number is how many lines follow up to the next header
    table,        // a line has a key and its number
    matrix,       // n lines of n numbers; keys are "line,column" from 1, of about kMostOfMatrix evenly spread
    pairs,        // a line has two keys and a number; keys are "first,second", of at most kMostOfMatrix
    rows,         // a line has a number; keys are the numbers of lines from 1
  };
  Kind kind = Kind::count_lines;
  int key_column = 1;  // of the line without `header`
  int value_column = 0;
  std::string header = {};             // what a section's first line begins with; a table's lines, empty: all
  std::string comment = {};            // lines that begin with it are left out; empty: none
  std::vector<int> same_columns = {};  // of count_lines: only lines that have one word in all of them
  std::optional<std::pair<int, int>> count_equal =
      {};  // count lines whose second column is the header's first
  std::optional<std::pair<int, std::string>> line_equal = {};  // count lines that have this word there
  std::string count_words = {};                  // count a line's columns that hold it; empty: the line
  int first_column = 1;                          // of a matrix's numbers
  int header_lines = 0;                          // of rows: that come before them
  std::pair<int, int> key_columns = {};          // of pairs
  std::vector<std::pair<int, double>> sum = {};  // of pairs and rows: columns, and how often each is added
};

inline constexpr std::size_t kMostOfMatrix = 1 << 18;

/// Blank lines are left out. @throws UsageError with file and line for what is not in the format
Answers read_answers(const std::filesystem::path& path, const AnswerFormat& format);

}  // namespace gpuseq::bench
