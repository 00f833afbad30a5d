#pragma once

#include <concepts>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <utility>

namespace gpuseq::results {

/// A JSON value whose copies share memory, read as a const json. A change copies the value first.
class SharedJson {
 public:
  using json = nlohmann::json;

  SharedJson();  // {}
  SharedJson(json::initializer_list_t values) : SharedJson(std::make_shared<const json>(json(values))) {}
  template <std::convertible_to<json> T>
  requires(!std::same_as<T, SharedJson>) SharedJson(T value)
      : SharedJson(std::make_shared<const json>(std::move(value))) {}
  explicit SharedJson(std::shared_ptr<const json> value) : value_(std::move(value)) {}

  const json& operator*() const { return *value_; }
  operator const json&() const { return *value_; }
  /// Equal for values that share memory.
  const json* address() const { return value_.get(); }

  bool is_object() const { return value_->is_object(); }
  bool contains(std::string_view key) const { return value_->contains(key); }
  auto find(std::string_view key) const { return value_->find(key); }
  auto end() const { return value_->end(); }
  auto items() const { return value_->items(); }
  template <typename T>
  auto value(const char* key, const T& otherwise) const {
    return value_->value(key, otherwise);
  }
  const json& operator[](std::string_view key) const { return value_->at(key); }

  json& own();
  template <typename Key>
  json& operator[](Key&& key) {
    return own()[std::string(std::forward<Key>(key))];
  }
  void update(const json& values) { own().update(values); }
  void erase(std::string_view key) { own().erase(key); }

  friend bool operator==(const SharedJson& a, const SharedJson& b) { return *a == *b; }

 private:
  std::shared_ptr<const json> value_;
};

/// Shares the memory of equal values: hundreds of a run's records have the same host and device.
class JsonPool {
 public:
  /// The value, or an equal one that was shared earlier. 1 and 1.0 are not equal, as they are written
  /// differently.
  SharedJson share(nlohmann::json value);

 private:
  using Value = std::shared_ptr<const nlohmann::json>;
  struct Hash {
    std::size_t operator()(const Value& value) const { return std::hash<nlohmann::json>()(*value); }
  };
  struct Same {
    bool operator()(const Value& a, const Value& b) const;
  };
  std::unordered_set<Value, Hash, Same> values_;
};

}  // namespace gpuseq::results
