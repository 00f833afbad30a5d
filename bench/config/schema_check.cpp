#include "bench/config/schema_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>
#include <vector>

#include "runtime/contract/errors.hpp"
#include "runtime/contract/nearest_word.hpp"
#include "runtime/text/printable.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;
using Tokens = std::vector<std::string>;

const json& resolve(const json& node, const json& root) {
  if (!node.is_object() || !node.contains("$ref")) return node;
  const std::string reference = node.at("$ref").get<std::string>();
  return resolve(root.at(json::json_pointer(reference.substr(1))), root);
}

/// The subschema of one member, if properties, additionalProperties, items and anyOf lead to it.
const json* member_schema(const json& node, const std::string& token, const json& root) {
  const json& schema = resolve(node, root);
  if (schema.contains("properties") && schema["properties"].contains(token))
    return &schema["properties"][token];
  if (schema.contains("additionalProperties") && schema["additionalProperties"].is_object())
    return &schema["additionalProperties"];
  if (schema.contains("items") && token.find_first_not_of("0123456789") == std::string::npos)
    return &schema["items"];
  if (schema.contains("anyOf"))
    for (const json& alternative : schema["anyOf"])
      if (const json* found = member_schema(alternative, token, root)) return found;
  return nullptr;
}

const json& schema_at(const Tokens& tokens, const json& root) {
  const json* node = &root;
  for (const std::string& token : tokens) {
    const json* next = member_schema(*node, token, root);
    if (next == nullptr) break;
    node = next;
  }
  return resolve(*node, root);
}

std::string bounds(const json& schema) {
  std::string text;
  const auto add = [&](const char* key, const char* words) {
    if (schema.contains(key)) text += fmt::format(" {} {}", words, schema[key].dump());
  };
  add("minimum", "of at least");
  add("exclusiveMinimum", "above");
  add("maximum", "up to");
  add("exclusiveMaximum", "below");
  add("pattern", "matching");
  add("minItems", "with a length of at least");
  add("minLength", "with a length of at least");
  add("maxItems", "with a length of up to");
  add("maxLength", "with a length of up to");
  return text;
}

/// Text on the values a schema allows: its enumeration or types with bounds, then its description.
std::string allowed_by(const json& schema) {
  std::string text;
  if (schema.contains("enum")) {
    for (const json& value : schema["enum"]) text += (text.empty() ? "" : ", ") + value.dump();
  } else if (schema.contains("type")) {
    const json& type = schema["type"];
    text = type.is_string() ? type.get<std::string>()
                            : fmt::format("{}", fmt::join(type.get<std::vector<std::string>>(), " or "));
    text += bounds(schema);
  }
  if (schema.contains("description"))
    text += (text.empty() ? "" : " (") + schema["description"].get<std::string>() + (text.empty() ? "" : ")");
  return text;
}

/// The object schemas for a value: the schema itself or the objects among its alternatives.
const json* object_schema(const json& schema, const json& root) {
  if (schema.contains("properties")) return &schema;
  if (schema.contains("anyOf"))
    for (const json& alternative : schema["anyOf"])
      if (const json* found = object_schema(resolve(alternative, root), root)) return found;
  return nullptr;
}

std::optional<std::string> key_error(const json& value, const json& schema, const json& root) {
  const json* object = value.is_object() ? object_schema(schema, root) : nullptr;
  if (object == nullptr) return std::nullopt;
  Tokens allowed;
  for (const auto& [key, unused] : (*object)["properties"].items()) allowed.push_back(key);
  if (object->value("additionalProperties", json(true)) == json(false))
    for (const auto& [key, unused] : value.items())
      if (!(*object)["properties"].contains(key))
        return fmt::format("found the unknown key \"{}\"; allowed: {}{}", shortened(key),
                           fmt::join(allowed, ", "), did_you_mean(key, {allowed.begin(), allowed.end()}));
  for (const json& required : object->value("required", json::array()))
    if (!value.contains(required.get<std::string>()))
      return fmt::format("the key \"{}\" is missing; allowed: {}", required.get<std::string>(),
                         fmt::join(allowed, ", "));
  return std::nullopt;
}

/// Limits that no schema expresses and that the check itself depends on. It matches texts with std::regex,
/// whose recursion overflows the stack at some ten thousand characters, and it treats all integers as signed.
/// Texts of command lines may not be UTF-8. Paths have at most 4096 characters. `where` receives the path to
/// the value, its last step first.
std::optional<std::string> unfit_below(const json& node, Tokens& where) {
  static constexpr std::size_t kMostText = 4096, kMostMembers = 1'000'000;
  const auto too_long = [](const std::string& text) {
    return fmt::format("found {} characters; allowed: up to {}", text.size(), kMostText);
  };
  if (node.is_string() && node.get_ref<const std::string&>().size() > kMostText)
    return too_long(node.get_ref<const std::string&>());
  if (node.is_string() && !is_utf8(node.get_ref<const std::string&>()))
    return fmt::format("found \"{}\"; allowed: UTF-8, in which run.json records it",
                       printable(shortened(node.get_ref<const std::string&>())));
  if (node.is_number_unsigned() && node.get<std::uint64_t>() > INT64_MAX)
    return fmt::format("found {}; allowed: integers up to {}", show(node), INT64_MAX);
  if (!node.is_structured()) return std::nullopt;
  if (node.size() > kMostMembers)
    return fmt::format("found {} values; allowed: up to {}", node.size(), kMostMembers);
  for (const auto& [key, value] : node.items()) {
    std::optional<std::string> unfit = unfit_below(value, where);
    if (!unfit && node.is_object() && key.size() > kMostText) unfit = too_long(key);
    if (!unfit && node.is_object() && !is_printable(key))
      unfit = "found a name with characters that cannot be seen; allowed: visible ones";
    if (!unfit) continue;
    where.push_back(shortened(key));
    return unfit;
  }
  return std::nullopt;
}

/// valijson's context is "<root>", "[a]", "[0]".
Tokens tokens_of(const std::vector<std::string>& context) {
  Tokens tokens;
  for (const std::string& part : context)
    if (part.size() >= 2 && part.front() == '[') tokens.push_back(part.substr(1, part.size() - 2));
  return tokens;
}

json::json_pointer pointer_of(const Tokens& tokens) {
  json::json_pointer pointer;
  for (const std::string& token : tokens) pointer /= token;
  return pointer;
}

const json& value_at(const json& document, const Tokens& tokens) {
  const json* node = &document;
  for (const std::string& token : tokens)
    node = node->is_array() ? &node->at(std::strtoul(token.c_str(), nullptr, 10)) : &node->at(token);
  return *node;
}

}  // namespace

std::string shortened(const std::string& text) {
  constexpr std::size_t kMost = 80;
  return text.size() <= kMost ? text : text.substr(0, kMost - 3) + "...";
}

std::string show(const json& value) {
  const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  return fmt::format("{} ({})", shortened(text), value.is_number_integer() ? "integer" : value.type_name());
}

void check_texts(const json& document, const std::string& name) {
  Tokens unfit_at;
  const auto unfit = unfit_below(document, unfit_at);
  if (!unfit) return;
  std::ranges::reverse(unfit_at);
  throw UsageError(fmt::format("{}: {}: {}", name, pointer_of(unfit_at).to_string(), *unfit));
}

void check_schema(const json& document, const json& schema, const std::string& name) {
  check_texts(document, name);
  valijson::Schema compiled;
  valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(schema), compiled);
  valijson::Validator validator(valijson::Validator::kStrongTypes);
  valijson::ValidationResults results;
  if (validator.validate(compiled, valijson::adapters::NlohmannJsonAdapter(document), &results)) return;

  const valijson::ValidationResults::Error* deepest = nullptr;
  for (const auto& error : results)
    if (deepest == nullptr || error.context.size() > deepest->context.size()) deepest = &error;
  const Tokens tokens = deepest == nullptr ? Tokens{} : tokens_of(deepest->context);
  const json& value = value_at(document, tokens);
  const json& node = schema_at(tokens, schema);
  const std::string where =
      fmt::format("{}: {}", name, tokens.empty() ? "/" : pointer_of(tokens).to_string());
  if (const auto keys = key_error(value, node, schema)) throw UsageError(where + ": " + *keys);
  throw UsageError(fmt::format("{}: found {}; allowed: {}", where, show(value), allowed_by(node)));
}

}  // namespace gpuseq::bench
