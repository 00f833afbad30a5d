#include "kernels/pairwise_distance/data/csv_fields.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace gpuseq::pairwise_distance {
namespace {

constexpr std::array<std::string_view, 5> kMissingFields{"", "NA", "?", "-9", "."};
constexpr std::array<std::string_view, 9> kNameWords{"name",    "names",    "id",       "iid",  "sample",
                                                     "samples", "instance", "sequence", "taxon"};

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

std::string_view trimmed(std::string_view field) {
  const std::size_t first = field.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return field.substr(first, field.find_last_not_of(" \t") - first + 1);
}

/// Takes a quoted field from the front of `rest`, and appends what it says.
/// @return whether it is closed, with nothing but blanks up to the separator
bool take_quoted(std::string_view& rest, char separator, std::string& said) {
  std::size_t at = 1;
  for (; at < rest.size(); ++at) {
    if (rest[at] == '"' && (at + 1 == rest.size() || rest[at + 1] != '"')) break;
    if (rest[at] == '"') ++at;
    said += rest[at];
  }
  if (at >= rest.size()) return false;
  rest.remove_prefix(at + 1);
  const std::size_t end = std::min(rest.find(separator), rest.size());
  const bool nothing_behind = trimmed(rest.substr(0, end)).empty();
  rest.remove_prefix(end);
  return nothing_behind;
}

}  // namespace

std::optional<CsvValue> csv_value(std::string_view field) {
  if (field.size() == 1 && field[0] != '?' && field[0] != '.') {
    if (is_digit(field[0])) return CsvValue{CsvValue::Kind::number, static_cast<u8>(field[0] - '0')};
    if (field[0] > ' ' && field[0] < '\x7f')
      return CsvValue{CsvValue::Kind::symbol, static_cast<u8>(field[0])};
    return std::nullopt;
  }
  if (std::ranges::find(kMissingFields, field) != kMissingFields.end()) return CsvValue{};
  unsigned number = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  if (error != std::errc{} || end != field.data() + field.size() || number > 255) return std::nullopt;
  return CsvValue{CsvValue::Kind::number, static_cast<u8>(number), true};
}

std::optional<CsvReal> csv_real(std::string_view field) {
  if (field != "-9" && std::ranges::find(kMissingFields, field) != kMissingFields.end()) return CsvReal{};
  const std::string_view digits = field.starts_with('+') ? field.substr(1) : field;
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool is_finite = std::isfinite(static_cast<float>(number));
  if (error != std::errc{} || end != digits.data() + digits.size() || !is_finite) return std::nullopt;
  return CsvReal{static_cast<float>(number)};
}

bool is_name_word(std::string_view field) {
  if (field.starts_with('#')) field.remove_prefix(1);
  return std::ranges::any_of(kNameWords, [&](std::string_view word) {
    return std::ranges::equal(word, field, {}, {}, [](char letter) {
      return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
  });
}

bool is_column_name(std::string_view field) {
  if (csv_value(field)) return false;
  double number = 0;
  const std::string_view digits = field.starts_with('+') ? field.substr(1) : field;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc::invalid_argument || end != digits.data() + digits.size();
}

bool split_csv(std::string_view line, char separator, std::vector<std::string_view>& fields,
               std::string& unquoted) {
  fields.clear();
  unquoted.clear();
  unquoted.reserve(line.size());  // so that views into it stay
  for (std::string_view rest = line;;) {
    const std::size_t first = rest.find_first_not_of(separator == '\t' ? " " : " \t");
    if (first != std::string_view::npos && rest[first] == '"') {
      rest.remove_prefix(first);
      const std::size_t begin = unquoted.size();
      if (!take_quoted(rest, separator, unquoted)) return false;
      fields.push_back(std::string_view(unquoted).substr(begin));
    } else {
      const std::size_t end = std::min(rest.find(separator), rest.size());
      fields.push_back(trimmed(rest.substr(0, end)));
      rest.remove_prefix(end);
    }
    if (rest.empty()) return true;
    rest.remove_prefix(1);
  }
}

}  // namespace gpuseq::pairwise_distance
