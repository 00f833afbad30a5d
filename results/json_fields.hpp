#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace gpuseq::results {

/// Reads the fields of a JSON object strictly: no missing field, no silent conversion between types. Every
/// error is a UsageError that starts with the JSON pointer of the field. Refers to the JSON; does not own it.
class Fields {
 public:
  /// @throws UsageError if `json` is not an object
  explicit Fields(const nlohmann::ordered_json& json, std::string pointer = "");

  bool has(const std::string& name) const;
  const nlohmann::ordered_json& at(const std::string& name) const;
  Fields object(const std::string& name) const;
  /// The objects of an array.
  std::vector<Fields> objects(const std::string& name) const;
  /// A whole object, kept as JSON.
  nlohmann::json plain_object(const std::string& name) const;

  template <typename T>
  T get(const std::string& name) const {
    return value<T>(at(name), {nullptr, pointer_, name});
  }
  /// `convert` of the field, a UsageError of its own completed with the pointer.
  template <typename Convert>
  auto read(const std::string& name, Convert convert) const {
    const nlohmann::ordered_json& field = at(name);
    try {
      return convert(field);
    } catch (const std::exception& error) {
      fail(name, error.what());
    }
  }
  [[noreturn]] void fail(const std::string& name, const std::string& what) const;

 private:
  template <typename T>
  struct is_vector : std::false_type {};
  template <typename T>
  struct is_vector<std::vector<T>> : std::true_type {};
  template <typename T>
  struct is_map : std::false_type {};
  template <typename T>
  struct is_map<std::map<std::string, T>> : std::true_type {};

  /// Where a value stands: in `outer`, or in the object at `base`. Its text is made for errors only.
  struct Place {
    const Place* outer = nullptr;
    std::string_view base = {}, name = {};
    std::optional<std::size_t> index = {};
    std::string pointer() const;
  };

  static std::int64_t integer(const nlohmann::ordered_json& json, const Place& place, std::int64_t least,
                              std::int64_t most);
  static std::uint64_t unsigned_integer(const nlohmann::ordered_json& json, const Place& place);
  static double number(const nlohmann::ordered_json& json, const Place& place);
  static void require(bool holds, const nlohmann::ordered_json& json, const Place& place,
                      const char* allowed);

  template <typename T>
  static T value(const nlohmann::ordered_json& json, const Place& place) {
    if constexpr (std::is_same_v<T, std::string>) {
      require(json.is_string(), json, place, "a string");
      return json.get<std::string>();
    } else if constexpr (std::is_same_v<T, bool>) {
      require(json.is_boolean(), json, place, "true or false");
      return json.get<bool>();
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
      T values;
      values.reserve(json.size());
      for (const nlohmann::ordered_json& item : json)
        values.push_back(value<typename T::value_type>(item, {&place, {}, {}, values.size()}));
      return values;
    } else {
      static_assert(is_map<T>::value);
      require(json.is_object(), json, place, "an object");
      T values;
      for (const auto& [name, item] : json.items())
        values.emplace(name, value<typename T::mapped_type>(item, {&place, {}, name}));
      return values;
    }
  }

  const nlohmann::ordered_json* json_;
  std::string pointer_;
};

/// @throws std::invalid_argument naming the JSON pointer of a number that JSON cannot hold (NaN, infinity)
void require_finite(const nlohmann::ordered_json& json, const std::string& pointer = "");

}  // namespace gpuseq::results
