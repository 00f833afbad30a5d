#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gpuseq::bench {

/// Checks what no schema says: texts are UTF-8, keys are printable(), both have up to 4096 characters;
/// objects and lists have up to 1 000 000 members, and integers 64 bits with sign.
/// @throws UsageError "<name>: <JSON pointer>: found ...; allowed: ..."
void check_texts(const nlohmann::json& document, const std::string& name);

/// Checks a document against a JSON Schema (draft 7), after check_texts().
/// @throws UsageError "<name>: <JSON pointer>: found ...; allowed: ..." for the deepest violation
void check_schema(const nlohmann::json& document, const nlohmann::json& schema, const std::string& name);

/// A text of any length as error messages show it.
std::string shortened(const std::string& text);

/// A value as error messages show it: its text, shortened, and its type.
std::string show(const nlohmann::json& value);

}  // namespace gpuseq::bench
