#include "results/json_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "runtime/contract/errors.hpp"

namespace gpuseq::results {

using nlohmann::ordered_json;

namespace {

std::string shown(const ordered_json& json) {
  std::string text = json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  constexpr std::size_t kMost = 60;
  if (text.size() > kMost) text = fmt::format("{} ({} characters)", json.type_name(), text.size());
  return text;
}

bool all_finite(const ordered_json& json) {
  if (json.is_number_float()) return std::isfinite(json.get<double>());
  return !json.is_structured() || std::all_of(json.begin(), json.end(), all_finite);
}

}  // namespace

Fields::Fields(const ordered_json& json, std::string pointer) : json_(&json), pointer_(std::move(pointer)) {
  require(json.is_object(), json, {nullptr, pointer_, {}}, "an object");
}

void Fields::fail(const std::string& name, const std::string& what) const {
  throw UsageError(fmt::format("{}/{}: {}", pointer_, name, what));
}

void Fields::require(bool holds, const ordered_json& json, const Place& place, const char* allowed) {
  if (!holds)
    throw UsageError(fmt::format("{}: found {}, allowed: {}", place.pointer(), shown(json), allowed));
}

std::string Fields::Place::pointer() const {
  const std::string before = outer ? outer->pointer() : std::string(base);
  if (index) return fmt::format("{}/{}", before, *index);
  return name.empty() && !before.empty() ? before : fmt::format("{}/{}", before, name);
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
  require(field.is_array(), field, {nullptr, pointer_, name}, "an array");
  std::vector<Fields> list;
  for (std::size_t i = 0; i < field.size(); ++i)
    list.emplace_back(field[i], fmt::format("{}/{}/{}", pointer_, name, i));
  return list;
}

nlohmann::json Fields::plain_object(const std::string& name) const {
  const ordered_json& field = at(name);
  require(field.is_object(), field, {nullptr, pointer_, name}, "an object");
  return field;
}

std::int64_t Fields::integer(const ordered_json& json, const Place& place, std::int64_t least,
                             std::int64_t most) {
  require(json.is_number_integer(), json, place, "an integer");
  const bool beyond = json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX;
  const std::int64_t value = json.get<std::int64_t>();
  if (beyond || value < least || value > most)
    throw UsageError(
        fmt::format("{}: found {}, allowed: {} to {}", place.pointer(), json.dump(), least, most));
  return value;
}

std::uint64_t Fields::unsigned_integer(const ordered_json& json, const Place& place) {
  const bool negative =
      json.is_number_integer() && !json.is_number_unsigned() && json.get<std::int64_t>() < 0;
  require(json.is_number_integer() && !negative, json, place, "an integer from 0");
  return json.get<std::uint64_t>();
}

double Fields::number(const ordered_json& json, const Place& place) {
  require(json.is_number(), json, place, "a number");
  return json.get<double>();
}

void require_finite(const ordered_json& json, const std::string& pointer) {
  if (all_finite(json)) return;
  if (!json.is_structured())
    throw std::invalid_argument(
        fmt::format("{} of a record is {}, which JSON cannot hold", pointer, json.get<double>()));
  for (const auto& [name, item] : json.items()) require_finite(item, pointer + "/" + name);
}

}  // namespace gpuseq::results
