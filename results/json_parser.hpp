#pragma once

#include <simdjson.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/json_element.hpp"

namespace gpuseq::results {

/// Reads JSON texts and reuses its memory: each text replaces the previous one.
class JsonParser {
 public:
  JsonParser();

  /// Accepts the same texts as parse_line(). @throws UsageError as parse_line()
  JsonElement parse(std::string_view text);

 private:
  JsonElement parse_rewritten(std::string_view text);

  simdjson::dom::parser parser_, of_rewritten_;
  std::string rewritten_;
};

/// The members of an object in their order. If a name is repeated, its last value counts.
std::vector<std::pair<std::string_view, JsonElement>> members_of(const simdjson::dom::object& object);

/// The same value as nlohmann's parser reads from the text.
template <typename Json>
Json json_from(const JsonElement& element);
extern template nlohmann::json json_from(const JsonElement& element);
extern template nlohmann::ordered_json json_from(const JsonElement& element);

}  // namespace gpuseq::results
