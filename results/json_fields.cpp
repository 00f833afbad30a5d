#include "results/json_fields.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "runtime/errors.hpp"

namespace gpuseq::results {

using nlohmann::ordered_json;

namespace {

std::string shown(const ordered_json& json) {
  std::string text = json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  constexpr std::size_t kMost = 60;
  if (text.size() > kMost) text = fmt::format("{} ({} characters)", json.type_name(), text.size());
  return text;
}

}  // namespace

Fields::Fields(const ordered_json& json, std::string pointer) : json_(&json), pointer_(std::move(pointer)) {
  require(json.is_object(), json, pointer_.empty() ? "/" : pointer_, "an object");
}

void Fields::fail(const std::string& name, const std::string& what) const {
  throw UsageError(fmt::format("{}/{}: {}", pointer_, name, what));
}

void Fields::require(bool holds, const ordered_json& json, const std::string& pointer, const char* allowed) {
  if (!holds) throw UsageError(fmt::format("{}: found {}, allowed: {}", pointer, shown(json), allowed));
}

bool Fields::has(const std::string& name) const {
  return json_->contains(name);
}

const ordered_json& Fields::at(const std::string& name) const {
  const auto found = json_->find(name);
  if (found == json_->end()) fail(name, "is missing");
  return *found;
}

Fields Fields::object(const std::string& name) const {
  return Fields(at(name), pointer_ + "/" + name);
}

std::vector<Fields> Fields::objects(const std::string& name) const {
  const ordered_json& field = at(name);
  const std::string pointer = pointer_ + "/" + name;
  require(field.is_array(), field, pointer, "an array");
  std::vector<Fields> list;
  for (std::size_t i = 0; i < field.size(); ++i)
    list.emplace_back(field[i], fmt::format("{}/{}", pointer, i));
  return list;
}

nlohmann::json Fields::plain_object(const std::string& name) const {
  const ordered_json& field = at(name);
  require(field.is_object(), field, pointer_ + "/" + name, "an object");
  return field;
}

std::int64_t Fields::integer(const ordered_json& json, const std::string& pointer, std::int64_t least,
                             std::int64_t most) {
  require(json.is_number_integer(), json, pointer, "an integer");
  const bool beyond = json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX;
  const std::int64_t value = json.get<std::int64_t>();
  if (beyond || value < least || value > most)
    throw UsageError(fmt::format("{}: found {}, allowed: {} to {}", pointer, json.dump(), least, most));
  return value;
}

std::uint64_t Fields::unsigned_integer(const ordered_json& json, const std::string& pointer) {
  const bool negative =
      json.is_number_integer() && !json.is_number_unsigned() && json.get<std::int64_t>() < 0;
  require(json.is_number_integer() && !negative, json, pointer, "an integer from 0");
  return json.get<std::uint64_t>();
}

double Fields::number(const ordered_json& json, const std::string& pointer) {
  require(json.is_number(), json, pointer, "a number");
  return json.get<double>();
}

void require_finite(const ordered_json& json, const std::string& pointer) {
  if (json.is_number_float() && !std::isfinite(json.get<double>()))
    throw std::invalid_argument(
        fmt::format("{} of a record is {}, which JSON cannot hold", pointer, json.get<double>()));
  if (json.is_structured())
    for (const auto& [name, item] : json.items()) require_finite(item, pointer + "/" + name);
}

}  // namespace gpuseq::results
