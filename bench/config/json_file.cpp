#include "bench/config/json_file.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>
#include <vector>

#include "bench/config/config_file.hpp"
#include "bench/config/provenance.hpp"
#include "bench/config/schema_check.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/io/hash.hpp"

namespace gpuseq::bench {
namespace {

constexpr std::size_t kMostSteps = kMostNesting;  // of the path of an override

/// @param where  returns the place of the text; called for messages only
template <typename Where>
std::string expand(const std::string& text, Where&& where) {
  std::string expanded;
  std::size_t at = 0;
  while (true) {
    const std::size_t open = text.find("${", at);
    expanded += text.substr(at, open - at);
    if (open == std::string::npos) return expanded;
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos)
      throw UsageError(fmt::format("{}: found \"{}\" with \"${{\" but no \"}}\"; allowed: ${{VAR}}", where(),
                                   shortened(text)));
    const std::string variable = text.substr(open + 2, close - open - 2);
    if (const char* value = std::getenv(variable.c_str()); value != nullptr)
      expanded += value;
    else if (variable == kRootVariable)
      expanded += source_root().string();
    else
      throw UsageError(fmt::format("{}: the environment variable {} in \"{}\" is not set", where(),
                                   shortened(variable), shortened(text)));
    at = close + 1;
  }
}

/// The path from a value up to its document, by keys and indexes; messages print it as a JSON pointer.
struct Way {
  const Way* above = nullptr;
  const std::string* key = nullptr;
  std::size_t index = 0;

  nlohmann::json::json_pointer pointer() const {
    if (above == nullptr) return nlohmann::json::json_pointer();
    return key == nullptr ? above->pointer() / index : above->pointer() / *key;
  }
};

void expand_below(nlohmann::json& node, const Way& way, const std::string& name) {
  if (node.is_string()) {
    const auto& text = node.get_ref<const std::string&>();
    if (text.find("${") != std::string::npos)
      node = expand(text, [&] { return name + ": " + way.pointer().to_string(); });
  } else if (node.is_object()) {
    for (auto& [key, value] : node.get_ref<nlohmann::json::object_t&>())
      expand_below(value, {.above = &way, .key = &key}, name);
  } else if (node.is_array()) {
    for (std::size_t i = 0; i < node.size(); ++i) expand_below(node[i], {.above = &way, .index = i}, name);
  }
}

nlohmann::json& step_into(nlohmann::json& node, const std::string& key, const std::string& override_text) {
  if (node.is_null()) node = nlohmann::json::object();
  if (node.is_object()) return node[key];
  const bool digits =
      !key.empty() && key.size() < 9 && key.find_first_not_of("0123456789") == std::string::npos;
  if (node.is_array() && digits && std::stoul(key) < node.size()) return node[std::stoul(key)];
  if (node.is_array())
    throw UsageError(fmt::format("--set {}: found \"{}\"; allowed: an index below {}",
                                 shortened(override_text), shortened(key), node.size()));
  throw UsageError(fmt::format("--set {}: \"{}\" is below a value that is no object",
                               shortened(override_text), shortened(key)));
}

nlohmann::json override_value(const std::string& text, const std::string& override_text) {
  if (nests_too_deep(text))
    throw UsageError(
        fmt::format("--set {}: nested more than {} deep", shortened(override_text), kMostNesting));
  nlohmann::json value = nlohmann::json::parse(text, nullptr, false);
  if (!value.is_discarded()) return value;
  if (text.empty() || text.find_first_of("[]{}\",") != std::string::npos)
    throw UsageError(fmt::format("--set {}: found \"{}\"; allowed: JSON or a bare word",
                                 shortened(override_text), shortened(text)));
  return text;
}

/// An axis set for all devices of a probe replaces the config's values for one kind of device.
void forget_axis_of_kinds(nlohmann::json& probe, const std::string& axis) {
  for (const char* kind : {"cpu", "cuda"}) {
    if (!probe.contains(kind)) continue;
    nlohmann::json& spaces = probe[kind];
    if (spaces.is_object()) spaces.erase(axis);
    if (spaces.is_array())
      for (nlohmann::json& space : spaces)
        if (space.is_object()) space.erase(axis);
  }
}

}  // namespace

void write_json(const std::filesystem::path& path, const nlohmann::ordered_json& value) {
  write_file_atomically(path, value.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void expand_variables(nlohmann::json& document, const std::string& name) {
  expand_below(document, {}, name);
}

void apply_override(nlohmann::json& document, const std::string& override_text) {
  const std::size_t equals = override_text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UsageError(fmt::format("--set {}: allowed: a.b.c=JSON", shortened(override_text)));
  const std::string path = override_text.substr(0, equals);
  nlohmann::json *node = &document, *parent = nullptr;
  std::istringstream keys(path);
  std::vector<std::string> walked;
  for (std::string key; std::getline(keys, key, '.');) {
    if (key.empty())
      throw UsageError(
          fmt::format("--set {}: an empty key in \"{}\"", shortened(override_text), shortened(path)));
    if (walked.size() == kMostSteps)
      throw UsageError(fmt::format("--set {}: more than {} keys", shortened(override_text), kMostSteps));
    parent = node;
    node = &step_into(*node, key, override_text);
    walked.push_back(key);
  }
  *node = override_value(override_text.substr(equals + 1), override_text);
  if (node->is_null() && parent->is_object()) parent->erase(walked.back());
  if (walked.size() == 3 && walked[0] == "probes" && walked[2] != "cpu" && walked[2] != "cuda")
    forget_axis_of_kinds(document["probes"][walked[1]], walked[2]);
}

std::string hash_json(const nlohmann::json& value) {
  return hash_hex16(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace gpuseq::bench
