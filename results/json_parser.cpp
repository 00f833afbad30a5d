#include "results/json_parser.hpp"

#include <algorithm>

#include "results/line_file.hpp"
#include "runtime/io/json_text.hpp"

namespace gpuseq::results {
namespace {

using simdjson::dom::element_type;

constexpr std::size_t kFirstCapacity = std::size_t{16} << 10;  // grows with the texts

}  // namespace

JsonParser::JsonParser() {
  // simdjson does not count an empty innermost value as a level. So it accepts no text that nests too deep,
  // but leaves some valid texts to parse_rewritten().
  if (parser_.allocate(kFirstCapacity, kMostNesting) != simdjson::SUCCESS) throw std::bad_alloc();
}

JsonElement JsonParser::parse(std::string_view text) {
  JsonElement element;
  if (parser_.parse(text.data(), text.size()).get(element) == simdjson::SUCCESS) return element;
  return parse_rewritten(text);
}

/// A text that simdjson rejects is malformed, and then parse_line() throws, or unusual: an integer beyond 64
/// bits, which is read as a fraction, or a byte order mark. nlohmann rewrites it in a form that simdjson
/// accepts.
JsonElement JsonParser::parse_rewritten(std::string_view text) {
  rewritten_ = parse_line(text).dump();
  return of_rewritten_.parse(rewritten_).value();
}

std::vector<std::pair<std::string_view, JsonElement>> members_of(const simdjson::dom::object& object) {
  std::vector<std::pair<std::string_view, JsonElement>> members;
  members.reserve(object.size());
  for (const auto& [name, value] : object) {
    const auto same = [&name = name](const auto& member) { return member.first == name; };
    if (const auto known = std::find_if(members.begin(), members.end(), same); known != members.end())
      known->second = value;
    else
      members.emplace_back(name, value);
  }
  return members;
}

template <typename Json>
Json json_from(const JsonElement& element) {
  switch (element.type()) {
    case element_type::OBJECT: {
      Json object = Json::object();
      for (const auto& [name, value] : simdjson::dom::object(element))
        object[std::string(name)] = json_from<Json>(value);
      return object;
    }
    case element_type::ARRAY: {
      Json array = Json::array();
      for (const JsonElement& item : simdjson::dom::array(element)) array.push_back(json_from<Json>(item));
      return array;
    }
    case element_type::STRING:
      return std::string(std::string_view(element));
    case element_type::INT64: {
      const std::int64_t value(element);
      return value < 0 ? Json(value) : Json(static_cast<std::uint64_t>(value));
    }
    case element_type::UINT64:
      return std::uint64_t(element);
    case element_type::DOUBLE:
      return double(element);
    case element_type::BOOL:
      return bool(element);
    case element_type::NULL_VALUE:
      return nullptr;
  }
  return nullptr;
}

template nlohmann::json json_from(const JsonElement& element);
template nlohmann::ordered_json json_from(const JsonElement& element);

}  // namespace gpuseq::results
