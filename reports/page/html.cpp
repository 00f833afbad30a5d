#include "reports/page/html.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "reports/units.hpp"
#include "runtime/text/printable.hpp"

namespace gpuseq::reports::html {

using nlohmann::json;

std::string escape(std::string_view text) {
  const std::string visible = printable(text, Keep::lines);
  std::string safe;
  safe.reserve(visible.size());
  for (const char c : visible) switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  return safe;
}

std::string script_json(const nlohmann::ordered_json& json) {
  std::ostringstream out;
  write_script_json(out, json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  return std::move(out).str();
}

void write_script_json(std::ostream& out, std::string_view json) {
  for (std::size_t end; (end = json.find('<')) != std::string_view::npos; json.remove_prefix(end + 1))
    out << json.substr(0, end) << "\\u003c";
  out << json;
}

Cell number_cell(std::string text, double value) {
  return {std::move(text), fmt::format("{}", value), "number"};
}

namespace {

std::string cell_html(const Cell& cell, const std::string& column) {
  std::string out = fmt::format("<td data-label=\"{}\"", escape(column));
  if (!cell.css_class.empty()) out += fmt::format(" class=\"{}\"", escape(cell.css_class));
  if (!cell.sort.empty()) out += fmt::format(" data-sort=\"{}\"", escape(cell.sort));
  out += cell.link.empty() ? fmt::format(">{}", escape(cell.text))
                           : fmt::format("><a href=\"{}\">{}</a>", escape(cell.link), escape(cell.text));
  if (!cell.note.empty()) out += fmt::format("<div class=\"note\">{}</div>", escape(cell.note));
  if (!cell.more.empty()) {
    out += fmt::format("<details><summary>{}</summary><ol>", escape(cell.more_title));
    for (const std::string& line : cell.more) out += fmt::format("<li>{}</li>", escape(line));
    out += "</ol></details>";
  }
  return out + "</td>";
}

}  // namespace

std::string Table::to_string() const {
  std::string out = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"{0}\"><table class=\"stack{1}\"><caption>{0}</caption><thead><tr>",
      escape(caption), sortable ? " sortable" : "");
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool number = !rows.empty() && i < rows[0].size() && rows[0][i].css_class == "number";
    out += fmt::format("<th scope=\"col\"{}>{}</th>", number ? " class=\"number\"" : "", escape(columns[i]));
  }
  out += "</tr></thead><tbody>\n";
  for (std::size_t at = 0; at < rows.size(); ++at) {
    const std::string of_record = at < records.size() && !records[at].empty()
                                      ? fmt::format(" data-of-record=\"{}\"", escape(records[at]))
                                      : "";
    out += fmt::format("<tr{}>", of_record);
    for (std::size_t i = 0; i < rows[at].size(); ++i)
      out += cell_html(rows[at][i], i < columns.size() ? columns[i] : "");
    out += "</tr>\n";
    if (at < below.size() && !below[at].empty())
      out += fmt::format("<tr class=\"below\"{}><td colspan=\"{}\">{}</td></tr>\n", of_record, columns.size(),
                         below[at]);
  }
  return out + "</tbody></table></div>\n";
}

std::string words_of(std::string key) {
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

std::string describe(std::string_view key, const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number()) {
    const bool bytes =
        key == "bytes" || key.ends_with("_bytes") || key.find("_bytes_per_") != std::string_view::npos;
    if (bytes) return format_value(value.get<double>(), Unit::bytes);
    return value.is_number_float() ? fmt::format("{}", value.get<double>()) : value.dump();
  }
  std::vector<std::string> parts;
  if (value.is_array())
    for (const json& item : value) parts.push_back(describe("", item));
  if (value.is_object())
    for (const auto& [name, item] : value.items())
      parts.push_back(fmt::format("{} {}", words_of(name), describe(name, item)));
  return fmt::format("{}", fmt::join(parts, value.is_array() ? "; " : ", "));
}

std::string definition_list(const json& object) {
  if (!object.is_object()) return "";
  std::string out = "<dl>";
  for (const auto& [key, value] : object.items()) {
    if (key.ends_with("_reason") && object.contains(key.substr(0, key.size() - 7))) continue;
    std::string text = describe(key, value);
    if (value.is_null()) {
      const auto reason = object.find(key + "_reason");
      text = "not available";
      if (reason != object.end() && reason->is_string()) text += ": " + reason->get<std::string>();
    }
    out += fmt::format("<dt>{}</dt><dd>{}</dd>", escape(words_of(key)), escape(text));
  }
  return out + "</dl>\n";
}

}  // namespace gpuseq::reports::html
