#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/pairwise_distance/data/csv_fields.hpp"
#include "kernels/pairwise_distance/data/instance_files.hpp"
#include "kernels/pairwise_distance/data/table_roles.hpp"
#include "kernels/pairwise_distance/data/table_rows.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/byte_source.hpp"

namespace gpuseq::pairwise_distance {
namespace {

constexpr std::string_view kAllowed =
    "integers from 0 to 255 or single symbols; empty, NA, ?, -9 and . are missing";
constexpr std::string_view kAllowedReal =
    "finite numbers, up to 3.4e38 either way; empty, NA, ? and . are missing";

/// Moves rows of `from` values each to rows of `to` values, `first_row` rows and `first` values further on.
template <typename Value>
void widen(std::vector<Value>& values, u64 rows, u64 from, u64 to, u64 first_row, u64 first) {
  values.resize((rows + first_row) * to);
  for (u64 row = rows; row-- > 0;) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(row * from);
    const auto place = static_cast<std::ptrdiff_t>((row + first_row) * to + first);
    std::copy_backward(begin, begin + static_cast<std::ptrdiff_t>(from),
                       values.begin() + place + static_cast<std::ptrdiff_t>(from));
  }
}

/// Keeps the first `to` of each `from` values.
template <typename Value>
void narrow(std::vector<Value>& values, u64 rows, u64 from, u64 to) {
  if (values.empty()) return;
  for (u64 row = 0; row < rows; ++row)
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(row * from), to,
                values.begin() + static_cast<std::ptrdiff_t>(row * to));
  values.resize(rows * to);
}

/// Values are stored as they are read, except for the first row and the first column: only at the end is it
/// known whether these are values.
class CsvReader {
 public:
  CsvReader(const std::filesystem::path& path, NextBytes bytes, const Reading& how)
      : path_(path), rows_(path, std::move(bytes)), how_(how) {}

  ReadInstances read() {
    auto row = std::make_unique<TableRow>();
    if (!rows_.next(*row)) fail_empty();
    take_first(std::move(row));
    for (TableRow next; rows_.next(next);) take_row(next);
    drop_empty_column();
    finish();
    if (how_.real)
      instances_.alphabet = 0;
    else
      encode();
    return {.instances = std::move(instances_), .numeric = !symbols_, .format = "CSV"};
  }

 private:
  std::string_view allowed() const { return how_.real ? kAllowedReal : kAllowed; }
  [[noreturn]] void fail_empty() const {
    throw UsageError(
        fmt::format("{}: no instances, allowed: a line for each, {}", path_.string(), allowed()));
  }
  [[noreturn]] void fail_value(std::size_t line, std::size_t field, std::string_view found,
                               std::string_view allowed) const {
    constexpr std::size_t kShown = 40;
    rows_.fail(line,
               fmt::format("field {}: found '{}', allowed: {}{}", field + 1, found.substr(0, kShown), allowed,
                           fields_ == 1 ? "; separators are tabs, semicolons, commas or blanks" : ""));
  }

  /// A line with '#' above the first row becomes the first row if it has a field for each column, and
  /// the row has values.
  void take_first(std::unique_ptr<TableRow> row) {
    auto comment = rows_.comment();
    const auto others = std::span(row->fields).subspan(row->fields.size() > 1 ? 1 : 0);
    const bool has_values =
        !std::ranges::all_of(others, [&](std::string_view field) { return is_word(field); });
    if (!comment || how_.header == Choice::no || comment->fields.size() != row->fields.size() ||
        !has_values) {
      first_ = std::move(row);
      require_some_field(*first_);
      return;
    }
    first_ = std::move(comment);
    commented_ = true;
    take_row(*row);
  }
  bool is_word(std::string_view field) const {
    const bool commas = rows_.commas_are_points();
    const bool is_value =
        how_.real ? csv_real(field, commas).has_value() : csv_value(field, commas).has_value();
    return !is_value && !is_like_value(field);
  }
  void require_some_field(const TableRow& row) const {
    if (row.fields.size() > 1 && std::ranges::all_of(row.fields, &std::string_view::empty))
      rows_.fail(row.line, "separators and no field, allowed: NA where a value is missing, or no such line");
  }

  /// Sets the number of fields per row: from the second row, as a header may have one less.
  void begin(const TableRow& row) {
    const std::size_t above = first_->fields.size(), here = row.fields.size();
    fields_ = here == above + 1 && !commented_ ? here : above;
    shape_line_ = here == fields_ && here != above ? row.line : first_->line;
    body_from_ = fields_ > 1 ? 1 : 0;
    instances_.attributes = fields_ - body_from_;
  }

  void take_row(const TableRow& row) {
    if (lines_.empty()) begin(row);
    if (row.fields.size() != fields_)
      rows_.fail(row.line, fmt::format("found {} fields, allowed: {}, as line {} says, separated by {}",
                                       row.fields.size(), fields_, shape_line_, rows_.separator_name()));
    require_some_field(row);
    last_is_empty_ = last_is_empty_ && row.fields.back().empty();
    GrowingMemory& memory = rows_.memory();
    memory.make_room_in_each(lines_, instances_.names);
    lines_.push_back(row.line);
    memory.take(row.fields[0].size());
    instances_.names.emplace_back(row.fields[0]);
    if (how_.real)
      memory.make_room(instances_.reals, instances_.attributes);
    else
      memory.make_room(instances_.codes, instances_.attributes);
    for (std::size_t field = body_from_; field < fields_; ++field)
      if (how_.real)
        take(instances_.reals, real_in(row.fields[field], row.line, field));
      else
        take(instances_.codes, code_in(row.fields[field], row.line, field));
    ++instances_.count;
    if (how_.pairs_at_once) require_pairs_fit_so_far(instances_);
  }

  /// Appends a value; a missing one if there is none.
  template <typename Value>
  void take(std::vector<Value>& values, std::optional<Value> value) {
    std::vector<u8>& missing = instances_.missing;
    if (!value) {
      if (missing.size() < values.size())
        rows_.memory().make_room(missing, values.capacity() - missing.size());
      missing.resize(values.size());
    }
    if (!value || !missing.empty()) missing.push_back(value ? 0 : 1);
    values.push_back(value.value_or(Value{}));
  }

  /// Points and commas must not be mixed in numbers.
  void check_point(std::string_view field, std::size_t line, std::size_t place) {
    if (field.size() < 2 || !rows_.commas_are_points()) return;
    const std::size_t comma = field.find(',');
    if (comma == std::string_view::npos && field.find('.') == std::string_view::npos) return;
    (comma == std::string_view::npos ? point_line_ : comma_line_) = line;
    constexpr std::size_t kThousand = 3;
    const bool thousands = rows_.has_thousands() && comma != std::string_view::npos && field[0] != '0' &&
                           comma <= kThousand && field.size() == comma + 1 + kThousand;
    if (thousands || (point_line_ > 0 && comma_line_ > 0))
      fail_value(line, place, field,
                 thousands ? "decimal points, as this may be thousands"
                           : fmt::format("one kind of decimal point, of which line {} has the other",
                                         comma == std::string_view::npos ? comma_line_ : point_line_));
  }

  std::optional<float> real_in(std::string_view field, std::size_t line, std::size_t place) {
    check_point(field, line, place);
    const auto value = csv_real(field, rows_.commas_are_points());
    if (!value) fail_value(line, place, field, kAllowedReal);
    const double most = largest_real(instances_.attributes);
    if (std::abs(double{value->number.value_or(0)}) > most)
      fail_value(line, place, field,
                 fmt::format("{:.3g} at most either way, so that squares of distances by {} attributes are "
                             "32-bit floating point numbers",
                             most, instances_.attributes));
    return value->number;
  }

  std::optional<u8> code_in(std::string_view field, std::size_t line, std::size_t place) {
    check_point(field, line, place);
    const auto value = csv_value(field, rows_.commas_are_points());
    if (!value) fail_value(line, place, field, kAllowed);
    if (value->kind == CsvValue::Kind::missing) return std::nullopt;
    if (value->kind == CsvValue::Kind::symbol) {
      if (wide_line_ > 0)
        fail_value(
            line, place, field,
            fmt::format("integers from 0 to 255, because line {} has one of several digits", wide_line_));
      if (!symbols_) become_symbols();
    } else if (value->is_wide) {
      if (symbols_) fail_value(line, place, field, "single symbols, because others are no integers");
      if (wide_line_ == 0) wide_line_ = line;
    } else if (symbols_) {
      return static_cast<u8>('0' + value->number);
    }
    return value->number;
  }

  /// The numbers read so far were digits among other symbols.
  void become_symbols() {
    symbols_ = true;
    for (u64 i = 0; i < instances_.codes.size(); ++i)
      if (i >= instances_.missing.size() || instances_.missing[i] == 0)
        instances_.codes[i] = static_cast<u8>('0' + instances_.codes[i]);
  }

  /// A separator at the end of every row does not create a column.
  void drop_empty_column() {
    constexpr std::size_t kFewest = 3;
    std::vector<std::string_view>& above = first_->fields;
    if (lines_.empty()) fields_ = above.size();
    const bool is_left_out = above.size() + 1 == fields_;
    if (fields_ < kFewest || !last_is_empty_ || (!is_left_out && !above.back().empty())) return;
    if (!is_left_out) above.pop_back();
    --fields_;
    narrow(instances_.codes, instances_.count, instances_.attributes, fields_ - body_from_);
    narrow(instances_.reals, instances_.count, instances_.attributes, fields_ - body_from_);
    narrow(instances_.missing, instances_.count, instances_.attributes, fields_ - body_from_);
    if (instances_.missing_values() == 0) instances_.missing.clear();
    instances_.attributes = fields_ - body_from_;
  }

  TableBody body() const {
    TableBody body{.real = how_.real, .symbols = symbols_};
    for (u64 i = 0; i < instances_.values(); ++i) {
      if (instances_.has_missing() && instances_.missing[i] != 0) continue;
      const double value = how_.real ? double{instances_.reals[i]} : static_cast<double>(instances_.codes[i]);
      ++body.values;
      body.lowest = std::min(body.lowest, value);
      body.highest = std::max(body.highest, value);
      if (!how_.real) body.seen[instances_.codes[i]] = true;
    }
    return body;
  }

  std::size_t line_of(u64 row) const { return row == 0 ? first_->line : lines_[row - 1]; }

  [[noreturn]] void refuse(u64 row, std::size_t field, std::string_view remark) const {
    if (!remark.empty()) rows_.fail(line_of(row), std::string(remark));
    std::string way(allowed());
    if (row == 0) way += "; --header yes, if the line is a header";
    if (field == 0 && fields_ > 1) way += "; --names yes, if the first column has names";
    const std::string_view found =
        row == 0 ? first_->fields[field] : std::string_view(instances_.names[row - 1]);
    fail_value(line_of(row), field, found, way);
  }

  TableRoles roles() {
    const std::span<const std::string_view> above = first_->fields;
    TableEdges edges{.corner = std::nullopt,
                     .top = above,
                     .side = instances_.names,
                     .top_line = first_->line,
                     .rows = lines_.size(),
                     .one_column = fields_ == 1,
                     .commented = commented_,
                     .is_remark = commented_ && first_->text.find_first_of(" \t") == 0,
                     .decimal_commas = rows_.commas_are_points()};
    if (edges.one_column) edges.side = {};
    if (above.size() == fields_ && fields_ > 1) {
      edges.corner = above.front();
      edges.top = above.subspan(1);
    }
    TableBody body = this->body();
    // A single row is compared with itself.
    if (edges.rows == 0)
      for (const std::string_view field : edges.top)
        if (const auto value = csv_value(field, edges.decimal_commas);
            !how_.real && value && value->kind != CsvValue::Kind::missing) {
          ++body.values;
          body.symbols = body.symbols || value->kind == CsvValue::Kind::symbol;
        }
    return roles_of(edges, body, how_, [this](u64 row, std::size_t field, std::string_view remark) {
      refuse(row, field, remark);
    });
  }

  /// Stores the first row and the first column as values or as labels.
  void finish() {
    const TableRoles roles = this->roles();
    if (roles.header && lines_.empty()) fail_empty();
    const u64 first_rows = roles.header ? 0 : 1, first_columns = roles.names || fields_ == 1 ? 0 : 1;
    const u64 from = lines_.empty() ? 0 : instances_.attributes, rows = lines_.size();
    instances_.attributes = fields_ - (roles.names ? 1 : 0);
    instances_.count = rows + first_rows;
    if (!roles.header) {
      if (how_.pairs_at_once) require_pairs_fit_so_far(instances_);
      rows_.memory().make_room_in_each(instances_.names);
      instances_.names.insert(instances_.names.begin(), std::string(first_->fields.front()));
    }
    if (how_.real)
      place(instances_.reals, rows, from, first_rows, first_columns,
            [this](auto field, auto line, auto place) { return real_in(field, line, place); });
    else
      place(instances_.codes, rows, from, first_rows, first_columns,
            [this](auto field, auto line, auto place) { return code_in(field, line, place); });
    if (fields_ == 1 && !how_.real) require_separators();
    if (!roles.names)
      for (u64 i = 0; i < instances_.count; ++i) instances_.names[i] = std::to_string(i + 1);
  }

  /// Rows that consist of equally many digits lack separators between their values.
  void require_separators() const {
    const std::string& first = instances_.names.front();
    const bool are_rows = std::ranges::all_of(instances_.names, [&](const std::string& text) {
      return text.size() == first.size() && text.find_first_not_of("0123456789") == std::string::npos;
    });
    if (are_rows && first.size() > 1 && instances_.count > 1)
      rows_.fail(line_of(1),
                 "found digits and no separator, allowed: tabs, semicolons, commas or blanks "
                 "between values; a name before a value of several digits");
  }

  /// @param value_of  reads a value; its first call for each value decides about symbols, its
  /// second returns the code
  template <typename Value, typename ValueOf>
  void place(std::vector<Value>& values, u64 rows, u64 from, u64 first_rows, u64 first_columns,
             ValueOf value_of) {
    const u64 to = instances_.attributes, skipped = fields_ - to;
    const auto each = [&](auto take) {
      if (first_rows > 0)
        for (u64 k = 0; k < to; ++k)
          take(k, value_of(first_->fields[k + skipped], first_->line, k + skipped));
      for (u64 i = 0; first_columns > 0 && i < rows; ++i)
        take((i + first_rows) * to,
             value_of(std::string_view(instances_.names[i + first_rows]), lines_[i], 0));
    };
    bool missing = !instances_.missing.empty();
    each([&](u64, std::optional<Value> value) { missing = missing || !value; });
    if (first_rows == 0 && first_columns == 0) return;
    rows_.memory().make_room(values, instances_.values() - values.size());
    widen(values, rows, from, to, first_rows, first_columns);
    if (missing) {
      rows_.memory().make_room(instances_.missing, instances_.values() - instances_.missing.size());
      instances_.missing.resize(rows * from);
      widen(instances_.missing, rows, from, to, first_rows, first_columns);
    }
    each([&](u64 at, std::optional<Value> value) {
      values[at] = value.value_or(Value{});
      if (missing) instances_.missing[at] = value ? 0 : 1;
    });
  }

  void encode() {
    std::array<bool, kMostSymbols> seen{};
    for (u64 i = 0; i < instances_.codes.size(); ++i)
      if (!instances_.has_missing() || instances_.missing[i] == 0) seen[instances_.codes[i]] = true;
    std::array<u8, kMostSymbols> code_of{};
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
  TableRows rows_;
  Reading how_;
  std::unique_ptr<TableRow> first_;
  bool commented_ = false;          // the first row began with '#'
  std::vector<std::size_t> lines_;  // line numbers of the rows after the first
  std::size_t fields_ = 0, shape_line_ = 0, body_from_ = 0;
  bool last_is_empty_ = true;
  std::size_t point_line_ = 0, comma_line_ = 0;  // with decimal points, with decimal commas
  bool symbols_ = false;                         // values are symbols, stored as their bytes
  std::size_t wide_line_ = 0;                    // the first with a number that cannot be a symbol
  Instances instances_;
};

}  // namespace

ReadInstances read_csv(const std::filesystem::path& path, NextBytes bytes, const Reading& how) {
  return CsvReader(path, std::move(bytes), how).read();
}

}  // namespace gpuseq::pairwise_distance
