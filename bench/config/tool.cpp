#include "bench/config/tool.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/config/json_file.hpp"
#include "bench/config/schema_check.hpp"
#include "bench/config/selection.hpp"
#include "bench/config/tool_expression.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/embedded.hpp"
#include "runtime/io/expression.hpp"

GPUSEQ_EMBEDDED(tools_schema)

namespace gpuseq::bench {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

[[noreturn]] void refuse(const Place& place, const std::string& what) {
  throw UsageError(fmt::format("{}: {}", place.text(), what));
}

Axis data_axis(const std::string& name, const json& given) {
  return {.name = name,
          .values = {},
          .default_value = std::string("none"),  // a word that no data file should have
          .meaning = given["data"].get<std::string>(),
          .accepts =
              [](const AxisValue& value) {
                const auto* word = std::get_if<std::string>(&value);
                return word != nullptr && !word->empty();
              },
          .allowed = "the name of a data entry"};
}

Axis parameter_axis(const std::string& name, const json& given, const Place& place) {
  Axis axis{.name = name,
            .values = {},
            .default_value = axis_value_from_json(given["default"]),
            .meaning = given["meaning"].get<std::string>(),
            .accepts = {},
            .allowed = {}};
  for (const json& value : given.value("values", json::array()))
    axis.values.push_back(axis_value_from_json(value));
  if (axis.values.empty()) axis.values.push_back(axis.default_value);
  if (given.contains("minimum") != given.contains("maximum"))
    refuse(place, "found one of minimum and maximum; allowed: both or none");
  if (given.contains("minimum")) {
    const auto low = given["minimum"].get<std::int64_t>(), high = given["maximum"].get<std::int64_t>();
    axis.accepts = [low, high](const AxisValue& value) {
      const auto* number = std::get_if<std::int64_t>(&value);
      return number != nullptr && *number >= low && *number <= high;
    };
    axis.allowed = fmt::format("an integer from {} to {}", low, high);
  }
  const auto allowed = axis_values(given["default"], axis, place / "default");
  if (allowed.empty()) refuse(place / "default", "the default is not among the values");
  return axis;
}

SearchSpace space_from(const json& axes, const Place& place, std::vector<std::string>* data_axes = nullptr) {
  std::vector<Axis> list;
  for (const auto& [name, given] : axes.items()) {
    if (!is_axis_name(name))
      refuse(place / name,
             "found a name that no axis can have; allowed: lower-case letters, digits and '_', "
             "and none of: checkout, device, out, prepared, program, work");
    if (given.contains("data")) {
      list.push_back(data_axis(name, given));
      data_axes->push_back(name);
    } else {
      list.push_back(parameter_axis(name, given, place / name));
    }
  }
  return SearchSpace(std::move(list));
}

std::vector<std::string> placeholders_at(const std::string& text, const Place& place) try {
  return placeholders(text);
} catch (const UsageError& error) {
  refuse(place, error.what());
}

Arguments command_from(const json& given, const Place& place) {
  auto arguments = given.get<Arguments>();
  for (std::size_t i = 0; i < arguments.size(); ++i) placeholders_at(arguments[i], place / std::to_string(i));
  if (arguments.front().empty()) refuse(place / "0", "found \"\"; allowed: the name of a program");
  return arguments;
}

std::vector<std::string> factors_from(const json& product, const Place& place) {
  std::vector<std::string> factors;
  for (std::size_t i = 0; i < product.size(); ++i) {
    factors.push_back(product[i].is_string() ? product[i].get<std::string>()
                                             : fmt::format("{:.17g}", product[i].get<double>()));
    try {
      check_count(factors.back());
    } catch (const UsageError& error) {
      refuse(place / std::to_string(i), error.what());
    }
  }
  return factors;
}

using Kind = AnswerFormat::Kind;

Kind kind_of(const json& word) {
  if (word == "table") return Kind::table;
  if (word == "sections") return Kind::sections;
  if (word == "matrix") return Kind::matrix;
  if (word == "rows") return Kind::rows;
  return word == "pairs" ? Kind::pairs : Kind::count_lines;
}

/// Options of some formats only.
void read_columns(AnswerFormat& format, const json& given, const Place& place) {
  for (const char* key : {"count_equal", "line_equal", "count_words"})
    if (given.contains(key) && format.kind != Kind::sections)
      refuse(place / key, "allowed in the format sections only");
  if (given.contains("same_columns") && format.kind != Kind::count_lines)
    refuse(place / "same_columns", "allowed in the format count_lines only");
  format.same_columns = given.value("same_columns", std::vector<int>());
  if (given.contains("first_column") && format.kind != Kind::matrix)
    refuse(place / "first_column", "allowed in the format matrix only");
  if (given.contains("count_equal"))
    format.count_equal = {given["count_equal"]["header_column"].get<int>(),
                          given["count_equal"]["line_column"].get<int>()};
  if (given.contains("line_equal"))
    format.line_equal = {given["line_equal"]["column"].get<int>(),
                         given["line_equal"]["text"].get<std::string>()};
  format.count_words = given.value("count_words", "");
  format.first_column = given.value("first_column", 1);
  const bool pairs = format.kind == Kind::pairs, rows = format.kind == Kind::rows;
  if (given.contains("key_columns") != pairs) refuse(place, "key_columns belongs to the format pairs");
  if (given.contains("sum") != (pairs || rows)) refuse(place, "sum belongs to the formats pairs and rows");
  if (given.contains("header_lines") && !rows)
    refuse(place / "header_lines", "allowed in the format rows only");
  format.header_lines = given.value("header_lines", 0);
  if (pairs) format.key_columns = {given["key_columns"][0].get<int>(), given["key_columns"][1].get<int>()};
  for (const json& part : given.value("sum", json::array()))
    format.sum.emplace_back(part["column"].get<int>(), part.value("times", 1.0));
}

AnswerFormat answer_format(const json& given, const Place& place) {
  AnswerFormat format;
  format.kind = kind_of(given["format"]);
  const bool keyed = format.kind != Kind::matrix && format.kind != Kind::pairs && format.kind != Kind::rows;
  if (keyed != given.contains("key_column"))
    refuse(place, "key_column belongs to every format but matrix, pairs and rows");
  format.key_column = given.value("key_column", 1);
  format.value_column = given.value("value_column", 0);
  format.header = given.value("header", "");
  format.comment = given.value("comment", "");
  read_columns(format, given, place);
  const bool table = format.kind == Kind::table, sections = format.kind == Kind::sections;
  if (table != given.contains("value_column")) refuse(place, "value_column belongs to the format table");
  if (sections ? !given.contains("header") : given.contains("header") && !table)
    refuse(place, "header belongs to the format sections, and may be in table");
  if (format.key_column == 0 || (table && format.value_column == 0))
    refuse(place, "columns count from 1, or from the end with -1");
  return format;
}

/// "stdout", or a file as a placeholder or in one of the folders.
std::string answers_from_place(const std::string& from, const Place& place) {
  if (from == "stdout") return from;
  if (from == "out") return "{out}";
  if (placeholders_at(from, place).empty())
    refuse(place, fmt::format("found \"{}\"; allowed: stdout, out, or a file as in {{work}}/x.tsv", from));
  return from;
}

/// An expression whose first group is the result.
std::string pattern_from(const json& given, const Place& place, const char* allowed) {
  auto pattern = given.get<std::string>();
  if (Expression(pattern, place.text() + ": ").groups() < 1)
    refuse(place, fmt::format("has no group; allowed: {}", allowed));
  return pattern;
}

void read_version(Tool& tool, const json& given, const Place& place) {
  if (!given.contains("version")) return;
  const json& version = given["version"];
  tool.version = command_from(version["command"], place / "version" / "command");
  tool.version_pattern = pattern_from(version["pattern"], place / "version" / "pattern",
                                      "one around the version, as in \"v([0-9.]+)\"");
}

Tool tool_from(const std::string& name, const json& given, const Place& place) {
  Tool tool;
  tool.name = name;
  tool.family = given["family"].get<std::string>();
  tool.summary = given["summary"].get<std::string>();
  tool.package = given.value("package", "");
  tool.built_by = given.value("built_by", "");
  tool.checkout = given.value("checkout", "");
  tool.device = given.value("device", "cpu") == "cuda" ? DeviceKind::cuda : DeviceKind::cpu;
  read_version(tool, given, place);
  const json prepare = given.value("prepare", json::array());
  for (std::size_t i = 0; i < prepare.size(); ++i)
    tool.prepare.push_back(command_from(prepare[i], place / "prepare" / std::to_string(i)));
  tool.command = command_from(given["command"], place / "command");
  if (given.contains("startup")) tool.startup = command_from(given["startup"], place / "startup");
  tool.folder = given.value("folder", "");
  placeholders_at(tool.folder, place / "folder");
  if (given.contains("own_seconds"))
    tool.own_seconds = pattern_from(given["own_seconds"], place / "own_seconds",
                                    "one around a number, as in \"seconds ([0-9.]+)\"");
  tool.own_unit_s = given.value("own_unit", "s") == "ms" ? 1e-3 : 1;
  tool.space = space_from(given.value("axes", json::object()), place / "axes");
  const json only = given.value("only", json::object());
  for (const auto& [parameter, values] : only.items())
    for (const json& value : values) tool.only[parameter].push_back(axis_value_from_json(value));
  tool.work_factors = factors_from(given["work"]["product"], place / "work" / "product");
  tool.work_unit = given["work"]["unit"].get<std::string>();
  if (given.contains("answers")) {
    tool.answers = answer_format(given["answers"], place / "answers");
    tool.may_differ = given["answers"].value("may_differ", false);
    tool.answers_from = answers_from_place(given["answers"]["from"], place / "answers" / "from");
  }
  tool.most_file_bytes = given.value("most_file_bytes", tool.most_file_bytes);
  return tool;
}

void take_from_folder(json& program, const fs::path& folder) {
  const auto name = program.get<std::string>();
  if (name.find('/') != std::string::npos && !name.starts_with('{'))
    program = (folder / name).lexically_normal().string();
}

const json& tools_schema() {
  static const json schema = parse_json(embedded_tools_schema(), "configs/tools/tools.schema.json");
  return schema;
}

}  // namespace

json resolve_tools(json given, const fs::path& folder, const std::string& source) {
  if (given.is_string()) {
    const fs::path path = (folder / given.get<std::string>()).lexically_normal();
    return resolve_tools(read_json(path), fs::absolute(path).parent_path(), path.string());
  }
  expand_variables(given, source);
  tools_from_json(given, source);
  for (auto& [name, tool] : given["tools"].items()) {
    for (const char* key : {"command", "startup"})
      if (tool.contains(key)) take_from_folder(tool[key][0], folder);
    if (tool.contains("version")) take_from_folder(tool["version"]["command"][0], folder);
    if (tool.contains("prepare"))
      for (json& command : tool["prepare"]) take_from_folder(command[0], folder);
  }
  return given;
}

Tools tools_from_json(const json& document, const std::string& source) {
  check_schema(document, tools_schema(), source);
  const Place root{.source = source, .pointer = json::json_pointer()};
  Tools result;
  const json families = document.value("families", json::object());
  for (const auto& [name, given] : families.items()) {
    ToolProblemSpec spec{
        .name = name, .summary = given["summary"].get<std::string>(), .space = {}, .data_axes = {}};
    spec.space = space_from(given["problem"], root / "families" / name / "problem", &spec.data_axes);
    result.families.push_back(std::move(spec));
  }
  for (const auto& [name, given] : document["tools"].items())
    result.tools.push_back(tool_from(name, given, root / "tools" / name));
  return result;
}

}  // namespace gpuseq::bench
