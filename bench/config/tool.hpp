#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/contract/device.hpp"
#include "runtime/contract/point.hpp"

namespace gpuseq::bench {

/// Format of an external tool's answers. Columns are separated by blanks or tabs and count from 1, or from
/// the end if negative.
struct AnswerFormat {
  enum class Kind {
    count_lines,  // a key's number is the number of lines that contain it
    sections,     // a header line has the key, its number is the number of lines up to the next header
    table,        // a line has a key and its number
    matrix,       // n lines of n numbers; keys are "line,column" from 1, of about kMostOfMatrix evenly spread
    pairs,        // a line has two keys and a number; keys are "first,second", of at most kMostOfMatrix
    rows,         // a line has a number; keys are the numbers of lines from 1
  };
  Kind kind = Kind::count_lines;
  int key_column = 1;  // of the line without `header`
  int value_column = 0;
  std::string header = {};             // beginning of a section's first line; of a table's lines, empty: all
  std::string comment = {};            // beginning of ignored lines; empty: none
  std::vector<int> same_columns = {};  // count_lines: only lines with the same word in all of them
  std::optional<std::pair<int, int>> count_equal =
      {};  // count lines whose second column equals the header's first
  std::optional<std::pair<int, std::string>> line_equal = {};  // count lines with this word in this column
  std::string count_words = {};          // count a line's columns that contain it; empty: count the line
  int first_column = 1;                  // of a matrix's numbers
  int header_lines = 0;                  // of rows: lines before them
  std::pair<int, int> key_columns = {};  // of pairs
  std::vector<std::pair<int, double>> sum = {};  // of pairs and rows: columns and their factors
};

using Arguments = std::vector<std::string>;

/// An external tool that solves a family's problem as a whole process.
struct Tool {
  std::string name, family, summary;
  std::string package;   // Debian package; may be empty
  std::string built_by;  // how to build the program if no package has it; may be empty
  std::string checkout;  // environment variable with the folder {checkout}; may be empty
  DeviceKind device = DeviceKind::cpu;
  Arguments version;               // prints the version; may be empty
  std::string version_pattern;     // ECMAScript; its first group is the version
  std::vector<Arguments> prepare;  // once per input, not timed with the command
  Arguments command;
  Arguments startup;        // the command with minimal work; may be empty
  std::string folder;       // working folder of command and startup; empty: {work}
  std::string own_seconds;  // pattern for the tool's own time in its output; may be empty
  double own_unit_s = 1;    // unit of that time in seconds
  SearchSpace space;
  std::map<std::string, std::vector<AxisValue>> only;  // parameters of the problem that it is limited to
  std::vector<std::string> work_factors;               // see ToolInput::count()
  std::string work_unit;
  std::optional<AnswerFormat> answers;  // nullopt: no check
  bool may_differ = false;              // answers to a similar question: their agreement is reported
  std::string answers_from = "{out}";   // place of the answers: "stdout", or a file
  std::uint64_t most_file_bytes = std::uint64_t{1} << 30;
};

/// A problem that only tools solve. Its input is data files of the run's config, and parameters.
struct ToolProblemSpec {
  std::string name, summary;
  SearchSpace space;
  std::vector<std::string> data_axes;
};

struct Tools {
  std::vector<Tool> tools;
  std::vector<ToolProblemSpec> families;
};

/// The tools of a config: the document of the file that it names, relative to `folder`, or the document
/// itself. ${VAR} is expanded; relative paths of programs refer to the document's folder.
/// @param source  names the config in messages
/// @throws UsageError as tools_from_json() does, or if the file cannot be read
nlohmann::json resolve_tools(nlohmann::json given, const std::filesystem::path& folder,
                             const std::string& source);

/// @param source  names the document in messages
/// @throws UsageError with the JSON pointer, the found value and the allowed ones
Tools tools_from_json(const nlohmann::json& document, const std::string& source);

}  // namespace gpuseq::bench
