#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/pairwise_distance/data/csv_fields.hpp"
#include "kernels/pairwise_distance/data/instance_files.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/byte_source.hpp"

namespace gpuseq::pairwise_distance {
namespace {

constexpr std::string_view kAllowed =
    "integers from 0 to 255 or single symbols; empty, NA, ?, -9 and . are missing";
constexpr std::string_view kAllowedReal =
    "finite numbers, up to 3.4e38 either way; empty, NA, ? and . are missing";

using Fields = std::vector<std::string_view>;

class CsvReader {
 public:
  CsvReader(const std::filesystem::path& path, NextBytes bytes, const Reading& how)
      : path_(path), lines_(path, std::move(bytes)), how_(how) {}

  ReadInstances read() {
    for (std::string line; lines_.next(line);) {
      if (!seen_lines_ && line.starts_with("\xef\xbb\xbf")) line.erase(0, 3);
      if (line.find_first_not_of(" \t") == std::string::npos) continue;
      if (!seen_lines_) separator_ = line.find('\t') == std::string::npos ? ',' : '\t';
      make_room_for_fields(line);
      if (!split_csv(line, separator_, fields_, unquoted_))
        fail("a quoted field has no end, or more behind it, allowed: \"...\"");
      if (seen_lines_ || !take_header()) take_instance();
      seen_lines_ = true;
    }
    if (instances_.count == 0)
      throw UsageError(
          fmt::format("{}: no instances, allowed: a line for each, {}", path_.string(), allowed()));
    if (how_.real)
      instances_.alphabet = 0;
    else
      encode();
    return {.instances = std::move(instances_), .numeric = !symbols_, .format = "CSV"};
  }

 private:
  std::string_view allowed() const { return how_.real ? kAllowedReal : kAllowed; }
  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError(fmt::format("{}:{}: {}", path_.string(), lines_.number(), what));
  }
  [[noreturn]] void fail_value(std::size_t field, std::string_view allowed) const {
    constexpr std::size_t kShown = 40;
    fail(fmt::format("field {}: found '{}', allowed: {}", field + 1, fields_[field].substr(0, kShown),
                     allowed));
  }

  void make_room_for_fields(const std::string& line) {
    fields_.clear();
    unquoted_.clear();
    lines_.memory().make_room(fields_, static_cast<u64>(std::ranges::count(line, separator_)) + 1);
    lines_.memory().make_room(unquoted_, line.size());
  }

  /// A first line that is a header is kept as such.
  bool take_header() {
    const bool named = is_name_word(fields_[0]);
    const auto others = fields_.size() > 1 ? std::span(fields_).subspan(1) : std::span(fields_);
    const bool is_header = named || std::ranges::all_of(others, is_column_name);
    if (!is_header) return false;
    header_fields_ = fields_.size();
    header_line_ = lines_.number();
    names_ = named || (fields_.size() > 1 && fields_[0].empty());
    return true;
  }

  /// Whether the first field of an instance is its name: no value, or a letter where the others are numbers.
  bool is_name() const {
    if (how_.real) return !csv_real(fields_[0]);
    const auto first = csv_value(fields_[0]);
    if (!first) return true;
    u64 numbers = 0;
    for (std::size_t field = 1; field < fields_.size(); ++field) {
      const auto value = csv_value(fields_[field]);
      if (value && value->kind == CsvValue::Kind::symbol) return false;
      if (value && value->kind == CsvValue::Kind::number) ++numbers;
    }
    return first->kind == CsvValue::Kind::symbol && numbers > 0;
  }

  /// Whether there are names, and how many fields every line has: from the first instance.
  void begin() {
    const bool corner_left_out = header_fields_ > 0 && header_fields_ + 1 == fields_.size();
    names_ = names_ || corner_left_out || is_name();
    line_fields_ = header_fields_ == 0 || corner_left_out ? fields_.size() : header_fields_;
    shape_line_ = header_fields_ == 0 ? lines_.number() : header_line_;
    instances_.attributes = line_fields_ - (names_ ? 1 : 0);
    if (instances_.attributes == 0) fail("a name and no value, allowed: a value or more of each instance");
  }

  void take_instance() {
    if (instances_.count == 0) begin();
    if (fields_.size() != line_fields_)
      fail(fmt::format("found {} fields, allowed: {}, as line {} says", fields_.size(), line_fields_,
                       shape_line_));
    if (how_.real)
      lines_.memory().make_room(instances_.reals, instances_.attributes);
    else
      lines_.memory().make_room(instances_.codes, instances_.attributes);
    lines_.memory().make_room_in_each(instances_.names);
    if (names_) lines_.memory().take(fields_[0].size());
    instances_.names.push_back(names_ ? std::string(fields_[0]) : std::to_string(instances_.count + 1));
    for (std::size_t field = names_ ? 1 : 0; field < fields_.size(); ++field)
      how_.real ? take_real(field) : take_value(field);
    ++instances_.count;
    if (how_.pairs_at_once) require_pairs_fit_so_far(instances_);
  }

  /// One more value, if any.
  template <typename Value>
  void take(std::vector<Value>& values, std::optional<Value> value) {
    std::vector<u8>& missing = instances_.missing;
    if (!value) {
      if (missing.size() < values.size())
        lines_.memory().make_room(missing, values.capacity() - missing.size());
      missing.resize(values.size());
    }
    if (!value || !missing.empty()) missing.push_back(value ? 0 : 1);
    values.push_back(value.value_or(Value{}));
  }

  void take_real(std::size_t field) {
    const auto value = csv_real(fields_[field]);
    if (!value) fail_value(field, kAllowedReal);
    if (std::abs(double{value->number.value_or(0)}) > largest_real(instances_.attributes))
      fail_value(field,
                 fmt::format("{:.3g} at most either way, so that squares of distances by {} attributes are "
                             "32-bit floating point numbers",
                             largest_real(instances_.attributes), instances_.attributes));
    take(instances_.reals, value->number);
  }

  void take_value(std::size_t field) {
    const auto value = csv_value(fields_[field]);
    if (!value) fail_value(field, kAllowed);
    if (value->kind == CsvValue::Kind::missing) return take(instances_.codes, std::optional<u8>());
    u8 code = value->number;
    if (value->kind == CsvValue::Kind::symbol) {
      if (wide_line_ > 0)
        fail_value(field, fmt::format("integers from 0 to 255, because line {} has one of several digits",
                                      wide_line_));
      if (!symbols_) become_symbols();
    } else if (value->is_wide) {
      if (symbols_) fail_value(field, "single symbols, because there is one that is no integer before it");
      if (wide_line_ == 0) wide_line_ = lines_.number();
    } else if (symbols_) {
      code = static_cast<u8>('0' + code);
    }
    take(instances_.codes, std::optional(code));
  }

  /// What was read as numbers were digits among other symbols.
  void become_symbols() {
    symbols_ = true;
    for (u64 i = 0; i < instances_.codes.size(); ++i)
      if (i >= instances_.missing.size() || instances_.missing[i] == 0)
        instances_.codes[i] = static_cast<u8>('0' + instances_.codes[i]);
  }

  void encode() {
    std::array<bool, 256> seen{};
    for (u64 i = 0; i < instances_.codes.size(); ++i)
      if (!instances_.has_missing() || instances_.missing[i] == 0) seen[instances_.codes[i]] = true;
    std::array<u8, 256> code_of{};
    u32 symbols = 0, largest = 0;
    for (u32 byte = 0; byte < seen.size(); ++byte) {
      code_of[byte] = static_cast<u8>(symbols_ ? symbols : byte);
      if (!seen[byte]) continue;
      ++symbols;
      largest = byte;
    }
    instances_.alphabet = symbols_ ? symbols : largest + 1;
    for (u64 i = 0; i < instances_.codes.size(); ++i)
      instances_.codes[i] =
          instances_.has_missing() && instances_.missing[i] != 0 ? u8{0} : code_of[instances_.codes[i]];
  }

  std::filesystem::path path_;
  LineReader lines_;
  Reading how_;
  char separator_ = ',';
  Fields fields_;
  std::string unquoted_;
  bool seen_lines_ = false, names_ = false;
  std::size_t header_fields_ = 0, header_line_ = 0, line_fields_ = 0, shape_line_ = 0;
  bool symbols_ = false;       // values are symbols, kept as their bytes
  std::size_t wide_line_ = 0;  // the first that has a number which is no symbol
  Instances instances_;
};

}  // namespace

ReadInstances read_csv(const std::filesystem::path& path, NextBytes bytes, const Reading& how) {
  return CsvReader(path, std::move(bytes), how).read();
}

}  // namespace gpuseq::pairwise_distance
