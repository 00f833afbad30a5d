#include "kernels/pairwise_distance/data/csv_fields.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace gpuseq::pairwise_distance {
namespace {

constexpr std::array<std::string_view, 5> kMissingFields{"", "NA", "?", "-9", "."};
constexpr auto kNameWords = std::to_array<std::string_view>(
    {"name",      "names",    "id",        "ids",        "iid",         "fid",     "idref",   "sample",
     "samples",   "instance", "instances", "sequence",   "sequences",   "taxon",   "taxa",    "strain",
     "strains",   "isolate",  "isolates",  "individual", "individuals", "subject", "patient", "species",
     "accession", "barcode",  "index",     "rowname",    "rownames",    "unnamed0"});
constexpr std::array<std::string_view, 4> kLastNameWords{"id", "ids", "name", "names"};
constexpr auto kLikeValues =
    std::to_array<std::string_view>({"nan", "inf", "infinity", "true", "false", "null", "none", "nil", "na",
                                     "n/a", "<na>", "#n/a", "-", "--", "#value!"});

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}
bool is_upper(char letter) {
  return letter >= 'A' && letter <= 'Z';
}
bool is_letter(char letter) {
  return is_upper(letter) || (letter >= 'a' && letter <= 'z');
}
char lower(char letter) {
  return is_upper(letter) ? static_cast<char>(letter - 'A' + 'a') : letter;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](char letter) { return lower(letter); });
  return result;
}

std::string_view trimmed(std::string_view field) {
  const std::size_t first = field.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return field.substr(first, field.find_last_not_of(" \t") - first + 1);
}

std::size_t end_of_field(std::string_view rest, char separator) {
  return std::min(separator == ' ' ? rest.find_first_of(" \t") : rest.find(separator), rest.size());
}

/// Removes a quoted field from the front of `rest`, and appends its text.
/// @return whether it is closed, followed only by blanks up to the separator
bool take_quoted(std::string_view& rest, char separator, std::string& text) {
  std::size_t at = 1;
  for (; at < rest.size(); ++at) {
    if (rest[at] == '"' && (at + 1 == rest.size() || rest[at + 1] != '"')) break;
    if (rest[at] == '"') ++at;
    text += rest[at];
  }
  if (at >= rest.size()) return false;
  rest.remove_prefix(at + 1);
  const std::size_t end = end_of_field(rest, separator);
  const bool nothing_behind = trimmed(rest.substr(0, end)).empty();
  rest.remove_prefix(end);
  return nothing_behind;
}

/// A number in decimal notation in the range of double.
std::optional<double> number_in(std::string_view field, bool commas) {
  std::string with_point;
  if (commas && field.find(',') != std::string_view::npos) {
    if (field.find('.') != std::string_view::npos) return std::nullopt;
    with_point = field;
    std::ranges::replace(with_point, ',', '.');
    field = with_point;
  }
  if (field.starts_with("+-")) return std::nullopt;
  if (field.starts_with('+')) field.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  if (error != std::errc{} || end != field.data() + field.size() || !std::isfinite(number))
    return std::nullopt;
  return number;
}

/// Removes digits, with points, commas and blanks between them, from the front.
bool take_digits(std::string_view& text) {
  constexpr auto kBetween = std::to_array<std::string_view>({".", ",", " ", "\xc2\xa0", "\xe2\x80\xaf"});
  bool found = false;
  while (!text.empty()) {
    const auto between = std::ranges::find_if(kBetween, [&](auto one) { return text.starts_with(one); });
    if (between == kBetween.end() && !is_digit(text[0])) break;
    found = found || is_digit(text[0]);
    text.remove_prefix(between == kBetween.end() ? 1 : between->size());
  }
  return found;
}

/// A label with equal stems for labels that differ only in digits.
std::string stem(std::string_view label) {
  std::string result;
  for (const char letter : label)
    if (!is_digit(letter))
      result += letter;
    else if (result.empty() || result.back() != '0')
      result += '0';
  return result;
}

}  // namespace

std::optional<CsvValue> csv_value(std::string_view field, bool commas) {
  if (field.size() == 1 && field[0] != '?' && field[0] != '.') {
    if (is_digit(field[0])) return CsvValue{CsvValue::Kind::number, static_cast<u8>(field[0] - '0')};
    if (field[0] > ' ' && field[0] < '\x7f')
      return CsvValue{CsvValue::Kind::symbol, static_cast<u8>(field[0])};
    return std::nullopt;
  }
  if (std::ranges::find(kMissingFields, field) != kMissingFields.end()) return CsvValue{};
  constexpr double kMissing = -9, kMost = 255;
  const auto number = number_in(field, commas);
  if (number == kMissing) return CsvValue{};
  if (!number || *number < 0 || *number > kMost || *number != std::floor(*number)) return std::nullopt;
  const auto code = static_cast<u8>(*number);
  return CsvValue{CsvValue::Kind::number, code, code > 9};
}

std::optional<CsvReal> csv_real(std::string_view field, bool commas) {
  if (field != "-9" && std::ranges::find(kMissingFields, field) != kMissingFields.end()) return CsvReal{};
  const auto number = number_in(field, commas);
  if (!number || !std::isfinite(static_cast<float>(*number))) return std::nullopt;
  return CsvReal{static_cast<float>(*number)};
}

bool is_like_value(std::string_view field) {
  constexpr std::string_view kMinus = "\xe2\x88\x92";  // U+2212
  if (std::ranges::find(kLikeValues, lower(field)) != kLikeValues.end()) return true;
  if (field.starts_with('+') || field.starts_with('-'))
    field.remove_prefix(1);
  else if (field.starts_with(kMinus))
    field.remove_prefix(kMinus.size());
  if (std::ranges::find(kLikeValues, lower(field)) != kLikeValues.end()) return true;
  if (!take_digits(field)) return false;
  if (field.empty() || field == "%") return true;
  if (lower(field[0]) != 'e') return false;
  field.remove_prefix(1);
  if (field.starts_with('+') || field.starts_with('-')) field.remove_prefix(1);
  return take_digits(field) && field.empty();
}

bool is_name_word(std::string_view field) {
  std::string word, last;  // the letters and digits, and those of the last part of "sample_id", "SampleId"
  for (std::size_t at = 0; at < field.size(); ++at) {
    const char letter = field[at];
    if (!is_letter(letter) && !is_digit(letter)) {
      if (static_cast<unsigned char>(letter) >= 0x80) return false;
      last.clear();
      continue;
    }
    if (at > 0 && is_upper(letter) && !is_upper(field[at - 1])) last.clear();
    word += lower(letter);
    last += lower(letter);
  }
  return std::ranges::find(kNameWords, word) != kNameWords.end() ||
         std::ranges::find(kLastNameWords, last) != kLastNameWords.end();
}

bool are_alike(std::string_view a, std::string_view b) {
  if (a.size() == 1 && b.size() == 1) return is_letter(a[0]) && is_letter(b[0]);
  const std::string of_a = stem(a);
  return of_a.find('0') != std::string::npos && of_a.find_first_not_of('0') != std::string::npos &&
         of_a == stem(b);
}

bool split_csv(std::string_view line, char separator, std::vector<std::string_view>& fields,
               std::string& unquoted) {
  const bool by_blanks = separator == ' ';
  const std::string_view blanks = separator == '\t' ? " " : " \t";
  fields.clear();
  unquoted.clear();
  unquoted.reserve(line.size());  // keeps views into it valid
  for (std::string_view rest = by_blanks ? trimmed(line) : line;;) {
    const std::size_t first = rest.find_first_not_of(blanks);
    if (first != std::string_view::npos && rest[first] == '"') {
      rest.remove_prefix(first);
      const std::size_t begin = unquoted.size();
      if (!take_quoted(rest, separator, unquoted)) return false;
      fields.push_back(std::string_view(unquoted).substr(begin));
    } else {
      const std::size_t end = end_of_field(rest, separator);
      fields.push_back(trimmed(rest.substr(0, end)));
      rest.remove_prefix(end);
    }
    if (rest.empty()) return true;
    rest.remove_prefix(by_blanks ? rest.find_first_not_of(" \t") : 1);
  }
}

}  // namespace gpuseq::pairwise_distance
