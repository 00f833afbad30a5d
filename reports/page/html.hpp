#pragma once

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace gpuseq::reports::html {

/// Text as it may stand in an element or a quoted attribute; but for line breaks and tabs it is printable().
std::string escape(std::string_view text);

/// JSON as it may stand in a <script> element: no '<' inside.
std::string script_json(const nlohmann::ordered_json& json);
/// Writes the text of JSON so.
void write_script_json(std::ostream& out, std::string_view json);

/// A cell: its text (escaped here) and, where the column sorts by number, the number.
struct Cell {
  std::string text;
  std::string sort = {};               // empty: sorts by text
  std::string css_class = {};          // "number", "ok", "failed"
  std::string note = {};               // a second line, smaller
  std::string more_title = {};         // what opens `more`
  std::vector<std::string> more = {};  // lines that are closed at first
  std::string link = {};               // where the text leads, such as "#figures"
};
Cell number_cell(std::string text, double value);

/// A table with a caption for screen readers; `sortable` columns get buttons where scripts run. On narrow
/// screens each row stands as a block, its cells named by their columns.
struct Table {
  std::string caption;
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows = {};
  bool sortable = false;
  std::vector<std::string> below =
      {};  // by row: HTML over all columns under it; such a table is not sortable
  std::vector<std::string> records = {};  // by row: the record that it is of, which the page's filter asks
  std::string to_string() const;
};

/// A value of a description: "yes", "132", "141 GiB" for keys that end in _bytes; lists and objects in
/// words.
std::string describe(std::string_view key, const nlohmann::json& value);

/// "memory bytes" of "memory_bytes".
std::string words_of(std::string key);

/// A definition list of a JSON object; nulls read "not available: <key>_reason".
std::string definition_list(const nlohmann::json& object);

}  // namespace gpuseq::reports::html
