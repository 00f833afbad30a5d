#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "results/json_parser.hpp"

namespace gpuseq::results {

/// Reads the fields of a JSON object strictly: no missing field, no silent conversion between types. Every
/// error is a UsageError that starts with the JSON pointer of the field. Refers to the parser's memory.
class Fields {
 public:
  /// @throws UsageError if `json` is not an object
  explicit Fields(const JsonElement& json, std::string pointer = "");

  bool has(std::string_view name) const { return find(name) != nullptr; }
  const JsonElement& at(std::string_view name) const;
  Fields object(std::string_view name) const;
  std::vector<Fields> objects(std::string_view name) const;
  nlohmann::json plain_object(std::string_view name) const;

  template <typename T>
  T get(std::string_view name) const {
    return value<T>(at(name), {nullptr, pointer_, name});
  }
  /// A number of at least `least`.
  template <typename T>
  T at_least(std::string_view name, T least) const {
    const T number = get<T>(name);
    if (!(number >= least)) fail(name, fmt::format("found {}, allowed: {} and more", number, least));
    return number;
  }
  /// A number above 0.
  double positive(std::string_view name) const {
    const auto number = get<double>(name);
    if (!(number > 0)) fail(name, fmt::format("found {}, allowed: more than 0", number));
    return number;
  }
  /// A non-empty text.
  std::string text(std::string_view name) const;
  /// One of the allowed words.
  std::string word(std::string_view name, std::span<const std::string_view> allowed) const;
  /// @throws UsageError for a field that was not read
  void refuse_others() const;

  /// `convert` of the field. A UsageError of `convert` gets the JSON pointer.
  template <typename Convert>
  auto read(std::string_view name, Convert convert) const {
    const JsonElement& field = at(name);
    try {
      return convert(field);
    } catch (const std::exception& error) {
      fail(name, error.what());
    }
  }
  [[noreturn]] void fail(std::string_view name, const std::string& what) const;

 private:
  template <typename T>
  struct is_vector : std::false_type {};
  template <typename T>
  struct is_vector<std::vector<T>> : std::true_type {};
  template <typename T>
  struct is_map : std::false_type {};
  template <typename T>
  struct is_map<std::map<std::string, T>> : std::true_type {};

  /// The place of a value: in `outer`, or in the object at `base`. Its text is made for errors only.
  struct Place {
    const Place* outer = nullptr;
    std::string_view base = {}, name = {};
    std::optional<std::size_t> index = {};
    std::string pointer() const;
  };

  static std::int64_t integer(const JsonElement& json, const Place& place, std::int64_t least,
                              std::int64_t most);
  static std::uint64_t unsigned_integer(const JsonElement& json, const Place& place);
  static double number(const JsonElement& json, const Place& place);
  static void require(bool holds, const JsonElement& json, const Place& place, const char* allowed);

  template <typename T>
  static T value(const JsonElement& json, const Place& place) {
    if constexpr (std::is_same_v<T, std::string>) {
      require(json.is_string(), json, place, "a string");
      return std::string(std::string_view(json));
    } else if constexpr (std::is_same_v<T, bool>) {
      require(json.is_bool(), json, place, "true or false");
      return bool(json);
    } else if constexpr (std::is_same_v<T, double>) {
      return number(json, place);
    } else if constexpr (std::is_integral_v<T> && std::is_unsigned_v<T>) {
      static_assert(sizeof(T) == sizeof(std::uint64_t));
      return unsigned_integer(json, place);
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(
          integer(json, place, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
    } else if constexpr (is_vector<T>::value) {
      require(json.is_array(), json, place, "an array");
      const simdjson::dom::array items(json);
      T values;
      values.reserve(items.size());
      for (const JsonElement& item : items)
        values.push_back(value<typename T::value_type>(item, {&place, {}, {}, values.size()}));
      return values;
    } else {
      static_assert(is_map<T>::value);
      require(json.is_object(), json, place, "an object");
      T values;
      for (const auto& [name, item] : members_of(json))
        values.emplace(name, value<typename T::mapped_type>(item, {&place, {}, name}));
      return values;
    }
  }

  const JsonElement* find(std::string_view name) const;

  std::vector<std::pair<std::string_view, JsonElement>> members_;
  mutable std::size_t next_ = 0;  // fields are mostly read in order
  mutable std::vector<bool> asked_for_;
  std::string pointer_;
};

/// @throws std::invalid_argument with the JSON pointer of a number without a JSON form (NaN, infinity)
void require_finite(const nlohmann::ordered_json& json, const std::string& pointer = "");

}  // namespace gpuseq::results
