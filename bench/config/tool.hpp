#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/contract/device.hpp"
#include "runtime/contract/point.hpp"

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

using Arguments = std::vector<std::string>;

/// Another program that solves a family's problem as a whole process.
struct Tool {
  std::string name, family, summary;
  std::string package;   // of Debian; may be empty
  std::string built_by;  // what makes the program where no package has it; may be empty
  std::string checkout;  // the variable that names the folder {checkout}; may be empty
  DeviceKind device = DeviceKind::cpu;
  Arguments version;               // prints the version; may be empty
  std::string version_pattern;     // ECMAScript; its first group is the version
  std::vector<Arguments> prepare;  // once for the same input, not timed with the command
  Arguments command;
  Arguments startup;        // the same with as little to do as can be; may be empty
  std::string folder;       // where command and startup run; empty: {work}
  std::string own_seconds;  // pattern in what the command prints: its own time of the work; may be empty
  double own_unit_s = 1;    // of what is found there
  SearchSpace space;
  std::vector<std::string> work_factors;  // see ToolInput::count()
  std::string work_unit;
  std::optional<AnswerFormat> answers;  // nullopt: nothing to check
  bool may_differ = false;              // answers to a like question: how far they agree is told
  std::string answers_from = "{out}";   // where they are: "stdout", or a file
  std::uint64_t most_file_bytes = std::uint64_t{1} << 30;
};

/// A problem that only tools solve: its input are files of the run configuration's data, and parameters.
struct ToolProblemSpec {
  std::string name, summary;
  SearchSpace space;
  std::vector<std::string> data_axes;
};

struct Tools {
  std::vector<Tool> tools;
  std::vector<ToolProblemSpec> families;
};

/// The document of tools that a config names or holds: the name of a file, relative to `folder`, or the
/// document itself. ${VAR} is expanded; programs named by a relative path are taken from the document's
/// folder.
/// @param source  names the config in messages
/// @throws UsageError as tools_from_json() does, or if the file cannot be read
nlohmann::json resolve_tools(nlohmann::json given, const std::filesystem::path& folder,
                             const std::string& source);

/// @param source  names the document in messages
/// @throws UsageError with the JSON pointer, what was found and what is allowed
Tools tools_from_json(const nlohmann::json& document, const std::string& source);

}  // namespace gpuseq::bench
