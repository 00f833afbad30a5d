#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gpuseq::bench {

/// Checks limits that no schema expresses: texts are UTF-8, keys are printable(), both have at most 4096
/// characters; objects and lists have at most 1 000 000 members, and integers are 64-bit signed.
/// @throws UsageError "<name>: <JSON pointer>: found ...; allowed: ..."
void check_texts(const nlohmann::json& document, const std::string& name);

/// Checks a document against a JSON Schema (draft 7), after check_texts().
/// @throws UsageError "<name>: <JSON pointer>: found ...; allowed: ..." for the deepest violation
void check_schema(const nlohmann::json& document, const nlohmann::json& schema, const std::string& name);

/// A text of any length, shortened for messages.
std::string shortened(const std::string& text);

/// A value for messages: its shortened text, and its type.
std::string show(const nlohmann::json& value);

}  // namespace gpuseq::bench
