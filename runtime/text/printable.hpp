#pragma once

#include <string>
#include <string_view>

// Names and texts come from files of others. A control character in one of them can move the cursor of a
// terminal, start a line that a program takes for a command, or reverse the order of letters.

namespace gpuseq {

/// The characters that printable() keeps besides visible ones.
enum class Keep {
  one_line,           // nothing
  lines,              // line breaks and tabs
  lines_and_colours,  // also colours (ECMA-48, Select Graphic Rendition)
};

/// The text with invisible characters escaped as in JSON: control characters (C0, DEL, C1), characters that
/// set the direction of writing, line and paragraph separators ("\n", "\u001b", "\u202e"). A byte that is not
/// UTF-8 becomes "\xff". Backslashes stay unchanged, so that a second call changes nothing.
std::string printable(std::string_view text, Keep keep = Keep::one_line);

bool is_printable(std::string_view text);
bool is_utf8(std::string_view text);

/// JSON text whose strings, after parsing, have the form of printable(). Malformed JSON stays malformed.
/// @param buffer  holds the result if it is not `text` itself
std::string_view printable_json(std::string_view text, std::string& buffer);

/// Lines without commands for programs that read logs: "::" at the beginning of a line and "##word[" anywhere
/// are commands of GitHub Actions (its runner's ActionCommand.cs), Azure Pipelines and TeamCity. One of their
/// characters is escaped as in JSON.
std::string without_commands(std::string_view text);

}  // namespace gpuseq
