#include "results/shared_json.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace gpuseq::results {
namespace {

using nlohmann::json;

bool written_alike(const json& a, const json& b) {
  if (a.type() != b.type() || a.size() != b.size()) return false;
  if (a.is_number_float())
    return std::bit_cast<std::uint64_t>(a.get<double>()) == std::bit_cast<std::uint64_t>(b.get<double>());
  if (a.is_array()) return std::equal(a.begin(), a.end(), b.begin(), written_alike);
  if (!a.is_object()) return a == b;
  for (auto i = a.begin(), j = b.begin(); i != a.end(); ++i, ++j)
    if (i.key() != j.key() || !written_alike(*i, *j)) return false;
  return true;
}

}  // namespace

SharedJson::SharedJson() {
  static const auto empty = std::make_shared<const json>(json::object());
  value_ = empty;
}

json& SharedJson::own() {
  auto changed = std::make_shared<json>(*value_);
  value_ = changed;
  return *changed;
}

SharedJson JsonPool::share(json value) {
  return SharedJson(*values_.insert(std::make_shared<const json>(std::move(value))).first);
}

bool JsonPool::Same::operator()(const Value& a, const Value& b) const {
  return written_alike(*a, *b);
}

}  // namespace gpuseq::results
