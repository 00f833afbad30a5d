#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gpuseq::reports {

/// JSON for thousands of objects of few shapes, a fraction of its plain size: an object is written as
/// [shape, values...], where a shape is a list of keys kept once; an array as [-1, items...]; what share()
/// took as [-2, place in the pool]. records.js undoes it. Fractions keep six significant digits, more than
/// any timing has; integers stay exact.
class JsonPacker {
 public:
  using Json = nlohmann::ordered_json;

  Json pack(const Json& value);

  /// As pack(), for values that many records repeat: equal ones are kept once.
  Json share(const Json& value);

  /// {"shapes": [[key, ...], ...], "pool": [packed value, ...]}: complete once everything is packed.
  Json dictionary() const;

 private:
  std::size_t shape_of(const Json& object);

  std::vector<std::vector<std::string>> shapes_ = {};
  std::map<std::vector<std::string>, std::size_t> shape_places_ = {};
  Json pool_ = Json::array();
  std::map<std::string, std::size_t> pool_places_ = {};
};

/// The number with six significant digits.
double six_digits(double value);

}  // namespace gpuseq::reports
