#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gpuseq::bench {

/// Checks a document against a JSON Schema (draft 7).
/// @throws UsageError "<name>: <JSON pointer>: found ...; allowed: ..." for the deepest violation
void check_schema(const nlohmann::json& document, const nlohmann::json& schema, const std::string& name);

/// A value as error messages show it: its text, shortened, and its type.
std::string show(const nlohmann::json& value);

}  // namespace gpuseq::bench
