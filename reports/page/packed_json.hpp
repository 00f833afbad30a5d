#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_map>

namespace gpuseq::reports {

/// Append JSON to `out`.
void append_json(std::string& out, std::string_view text);
void append_json(std::string& out, std::int64_t number);
/// With six significant digits, or all of a whole number; null for what is not finite.
void append_json(std::string& out, double number);

/// JSON text for thousands of objects of few shapes, a fraction of its plain size: an object is written as
/// [shape, values...], where a shape is a list of keys kept once; an array as [-1, items...]; what share()
/// took as [-2, place in the pool]. records.js undoes it. Fractions keep six significant digits, more than
/// any timing has; integers stay exact. Text that is no UTF-8 does not stop a report: it is replaced.
class JsonPacker {
 public:
  using Json = nlohmann::ordered_json;

  /// Appends the packed value to `out`.
  template <typename AnyJson>
  void pack(const AnyJson& value, std::string& out);

  /// The number of the shape whose keys `visit_keys` calls its argument with.
  template <typename VisitKeys>
  std::size_t shape(VisitKeys visit_keys) {
    keys_ = '[';
    visit_keys([this](std::string_view key) { append_json(keys_.size() > 1 ? keys_ += ',' : keys_, key); });
    return place_of_shape(keys_ += ']');
  }

  /// The place in the pool of a value that many records repeat: equal ones are kept once.
  std::size_t share(const Json& value);

  /// {"shapes": [[key, ...], ...], "pool": [packed value, ...]}: complete once everything is packed.
  std::string dictionary() const;

 private:
  std::size_t place_of_shape(const std::string& keys);

  std::string shapes_, pool_;  // the items of their arrays
  std::unordered_map<std::string, std::size_t> shape_places_, pool_places_;
  std::string keys_;  // of the object that is being packed
};

extern template void JsonPacker::pack(const nlohmann::json& value, std::string& out);
extern template void JsonPacker::pack(const nlohmann::ordered_json& value, std::string& out);

/// [-2, place]: what stands for a value of the pool.
nlohmann::ordered_json shared(std::size_t place);

}  // namespace gpuseq::reports
