#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "runtime/io/json_text.hpp"  // parse_json, read_json

namespace gpuseq::bench {

/// Writes `value` to `path` atomically: readers never see a partial file. @throws ResourceError naming the
/// file and the reason
void write_json(const std::filesystem::path& path, const nlohmann::ordered_json& value);

/// Replaces ${VAR} in every string by the value of the environment variable.
/// @throws UsageError naming the pointer and the unset variable
void expand_variables(nlohmann::json& document, const std::string& name);

/// Applies "a.b.c=JSON": sets the value at /a/b/c, creating objects on the way; a number indexes an array. A
/// value that is a bare word is a string; null removes a member of an object.
/// @throws UsageError for a malformed override, one with more than 100 keys, or an index outside the array
void apply_override(nlohmann::json& document, const std::string& override_text);

/// Hash of the value's canonical text (keys sorted), 16 hex digits.
std::string hash_json(const nlohmann::json& value);

/// An optional value as JSON.
template <typename T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

}  // namespace gpuseq::bench
