#include "reports/page/packed_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace gpuseq::reports {
namespace {

constexpr int kArray = -1, kShared = -2;

std::string dump(const JsonPacker::Json& json) {
  return json.dump(-1, ' ', false, JsonPacker::Json::error_handler_t::replace);
}

bool stands_for_itself(unsigned char c) {
  return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

/// The number 0.DIGITS times ten to the power of `exponent`, laid out as nlohmann writes numbers.
void append_decimal(std::string& out, std::string_view digits, int exponent) {
  constexpr int kLeastExponent = -4, kMostExponent = 15;
  const int count = static_cast<int>(digits.size());
  if (exponent > 0 && exponent <= kMostExponent) {
    const int whole = std::min(count, exponent);
    out.append(digits.substr(0, static_cast<std::size_t>(whole)));
    out.append(static_cast<std::size_t>(exponent - whole), '0') += '.';
    out.append(whole < count ? digits.substr(static_cast<std::size_t>(whole)) : "0");
  } else if (exponent > kLeastExponent && exponent <= 0) {
    out.append("0.").append(static_cast<std::size_t>(-exponent), '0').append(digits);
  } else {
    out += digits.front();
    if (count > 1) (out += '.').append(digits.substr(1));
    fmt::format_to(std::back_inserter(out), "e{:+03}", exponent - 1);
  }
}

}  // namespace

void append_json(std::string& out, std::string_view text) {
  if (!std::all_of(text.begin(), text.end(), stands_for_itself)) {
    out += dump(JsonPacker::Json(text));
    return;
  }
  (out += '"').append(text) += '"';
}

void append_json(std::string& out, std::int64_t number) {
  const fmt::format_int text(number);
  out.append(text.data(), text.size());
}

void append_json(std::string& out, double number) {
  if (!std::isfinite(number)) {
    out += "null";
    return;
  }
  if (number == std::floor(number) && std::abs(number) < 1e15)
    return append_json(out, static_cast<std::int64_t>(number));
  // "5.33914e-04": a digit, a point, five digits
  std::array<char, 32> text;
  const auto [end, size] = fmt::format_to_n(text.data(), text.size(), "{:.5e}", std::abs(number));
  text[1] = text[0];
  int exponent = 0;
  std::from_chars(text.data() + 8 + (text[8] == '+' ? 1 : 0), end, exponent);
  std::string_view digits(text.data() + 1, 6);
  digits = digits.substr(0, std::max<std::size_t>(digits.find_last_not_of('0') + 1, 1));
  if (std::signbit(number)) out += '-';
  append_decimal(out, digits, exponent + 1);
}

template <typename AnyJson>
void JsonPacker::pack(const AnyJson& value, std::string& out) {
  using Json = AnyJson;
  switch (value.type()) {
    case Json::value_t::object:
      append_json(out += '[', static_cast<std::int64_t>(shape([&](auto visit) {
                    for (auto item = value.begin(); item != value.end(); ++item) visit(item.key());
                  })));
      for (const Json& item : value) pack(item, out += ',');
      out += ']';
      break;
    case Json::value_t::array:
      append_json(out += '[', std::int64_t{kArray});
      for (const Json& item : value) pack(item, out += ',');
      out += ']';
      break;
    case Json::value_t::string:
      append_json(out, value.template get_ref<const std::string&>());
      break;
    case Json::value_t::number_float:
      append_json(out, value.template get<double>());
      break;
    case Json::value_t::number_unsigned:
      out += fmt::format_int(value.template get<std::uint64_t>()).c_str();
      break;
    case Json::value_t::number_integer:
      append_json(out, value.template get<std::int64_t>());
      break;
    default:
      out += value.dump();
  }
}

template void JsonPacker::pack(const nlohmann::json& value, std::string& out);
template void JsonPacker::pack(const nlohmann::ordered_json& value, std::string& out);

std::size_t JsonPacker::share(const Json& value) {
  std::string text;
  pack(value, text);
  const auto [place, is_new] = pool_places_.try_emplace(std::move(text), pool_places_.size());
  if (is_new) pool_.append(pool_.empty() ? "" : ",").append(place->first);
  return place->second;
}

std::string JsonPacker::dictionary() const {
  return fmt::format("{{\"shapes\":[{}],\"pool\":[{}]}}", shapes_, pool_);
}

std::size_t JsonPacker::place_of_shape(const std::string& keys) {
  const auto [place, is_new] = shape_places_.try_emplace(keys, shape_places_.size());
  if (is_new) shapes_.append(shapes_.empty() ? "" : ",").append(keys);
  return place->second;
}

nlohmann::ordered_json shared(std::size_t place) {
  return nlohmann::ordered_json::array({kShared, place});
}

}  // namespace gpuseq::reports
