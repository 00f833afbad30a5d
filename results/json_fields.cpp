#include "results/json_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "runtime/contract/errors.hpp"

namespace gpuseq::results {

using nlohmann::ordered_json;

namespace {

std::string shown(const JsonElement& element) {
  const auto json = json_from<ordered_json>(element);
  std::string text = json.dump();
  constexpr std::size_t kMost = 60;
  if (text.size() > kMost) text = fmt::format("{} ({} characters)", json.type_name(), text.size());
  return text;
}

bool all_finite(const ordered_json& json) {
  if (json.is_number_float()) return std::isfinite(json.get<double>());
  return !json.is_structured() || std::all_of(json.begin(), json.end(), all_finite);
}

}  // namespace

Fields::Fields(const JsonElement& json, std::string pointer) : pointer_(std::move(pointer)) {
  require(json.is_object(), json, {nullptr, pointer_, {}}, "an object");
  members_ = members_of(json);
  asked_for_.resize(members_.size());
}

void Fields::fail(std::string_view name, const std::string& what) const {
  throw UsageError(fmt::format("{}/{}: {}", pointer_, name, what));
}

void Fields::require(bool holds, const JsonElement& json, const Place& place, const char* allowed) {
  if (!holds)
    throw UsageError(fmt::format("{}: found {}, allowed: {}", place.pointer(), shown(json), allowed));
}

std::string Fields::Place::pointer() const {
  const std::string before = outer ? outer->pointer() : std::string(base);
  if (index) return fmt::format("{}/{}", before, *index);
  return name.empty() && !before.empty() ? before : fmt::format("{}/{}", before, name);
}

const JsonElement* Fields::find(std::string_view name) const {
  for (std::size_t tried = 0; tried < members_.size(); ++tried) {
    if (next_ == members_.size()) next_ = 0;
    const auto& [own_name, value] = members_[next_++];
    if (own_name != name) continue;
    asked_for_[next_ - 1] = true;
    return &value;
  }
  return nullptr;
}

const JsonElement& Fields::at(std::string_view name) const {
  const JsonElement* found = find(name);
  if (!found) fail(name, "is missing");
  return *found;
}

std::string Fields::text(std::string_view name) const {
  auto found = get<std::string>(name);
  if (found.empty()) fail(name, "found \"\", allowed: a text that is not empty");
  return found;
}

std::string Fields::word(std::string_view name, std::span<const std::string_view> allowed) const {
  auto found = get<std::string>(name);
  if (std::ranges::find(allowed, found) == allowed.end())
    fail(name, fmt::format("found {}, allowed: {}", shown(at(name)), fmt::join(allowed, ", ")));
  return found;
}

void Fields::refuse_others() const {
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (!asked_for_[i]) fail(members_[i].first, "is no field of a record that this program knows");
}

Fields Fields::object(std::string_view name) const {
  return Fields(at(name), fmt::format("{}/{}", pointer_, name));
}

std::vector<Fields> Fields::objects(std::string_view name) const {
  const JsonElement& field = at(name);
  require(field.is_array(), field, {nullptr, pointer_, name}, "an array");
  std::vector<Fields> list;
  for (const JsonElement& item : simdjson::dom::array(field))
    list.emplace_back(item, fmt::format("{}/{}/{}", pointer_, name, list.size()));
  return list;
}

nlohmann::json Fields::plain_object(std::string_view name) const {
  const JsonElement& field = at(name);
  require(field.is_object(), field, {nullptr, pointer_, name}, "an object");
  return json_from<nlohmann::json>(field);
}

std::int64_t Fields::integer(const JsonElement& json, const Place& place, std::int64_t least,
                             std::int64_t most) {
  require(json.is_int64() || json.is_uint64(), json, place, "an integer");
  std::int64_t value = 0;
  const bool beyond = json.get(value) != simdjson::SUCCESS;
  if (beyond || value < least || value > most)
    throw UsageError(
        fmt::format("{}: found {}, allowed: {} to {}", place.pointer(), shown(json), least, most));
  return value;
}

std::uint64_t Fields::unsigned_integer(const JsonElement& json, const Place& place) {
  require(json.is_uint64(), json, place, "an integer from 0");
  return std::uint64_t(json);
}

double Fields::number(const JsonElement& json, const Place& place) {
  require(json.is_number(), json, place, "a number");
  return double(json);
}

void require_finite(const ordered_json& json, const std::string& pointer) {
  if (all_finite(json)) return;
  if (!json.is_structured())
    throw std::invalid_argument(
        fmt::format("{} of a record is {}, which JSON cannot hold", pointer, json.get<double>()));
  for (const auto& [name, item] : json.items()) require_finite(item, fmt::format("{}/{}", pointer, name));
}

}  // namespace gpuseq::results
