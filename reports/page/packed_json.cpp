#include "reports/page/packed_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace gpuseq::reports {
namespace {

constexpr int kArray = -1, kShared = -2;

}  // namespace

double six_digits(double value) {
  return std::isfinite(value) ? std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr) : value;
}

JsonPacker::Json JsonPacker::pack(const Json& value) {
  if (value.is_object()) {
    Json packed = Json::array({shape_of(value)});
    for (const auto& [key, item] : value.items()) packed.push_back(pack(item));
    return packed;
  }
  if (value.is_array()) {
    Json packed = Json::array({kArray});
    for (const Json& item : value) packed.push_back(pack(item));
    return packed;
  }
  if (!value.is_number_float()) return value;
  const double number = value.get<double>();
  const bool whole = number == std::floor(number) && std::abs(number) < 1e15;
  return whole ? Json(static_cast<std::int64_t>(number)) : Json(six_digits(number));
}

JsonPacker::Json JsonPacker::share(const Json& value) {
  Json packed = pack(value);
  // Text that is no UTF-8 must not stop a report.
  std::string text = packed.dump(-1, ' ', false, Json::error_handler_t::replace);
  const auto [place, is_new] = pool_places_.try_emplace(std::move(text), pool_.size());
  if (is_new) pool_.push_back(std::move(packed));
  return Json::array({kShared, place->second});
}

JsonPacker::Json JsonPacker::dictionary() const {
  return {{"shapes", shapes_}, {"pool", pool_}};
}

std::size_t JsonPacker::shape_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, item] : object.items()) keys.push_back(key);
  const auto [place, is_new] = shape_places_.try_emplace(keys, shapes_.size());
  if (is_new) shapes_.push_back(std::move(keys));
  return place->second;
}

}  // namespace gpuseq::reports
