#include "kernels/pairwise_distance/data/table_roles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <vector>

#include "kernels/pairwise_distance/data/csv_fields.hpp"

namespace gpuseq::pairwise_distance {
namespace {

constexpr std::string_view kHeaderOrInstance =
    "the row may be a header or an instance, allowed: --header yes or --header no to say which (in a "
    "configuration, the problem's \"header\")";
constexpr std::string_view kNamesOrValues =
    "the first column may be names or values, allowed: --names yes or --names no to say which (in a "
    "configuration, the problem's \"names\")";
constexpr std::string_view kCommented =
    "a line with # that may be an instance, allowed: double quotes around a name that begins with #, or the "
    "line left out";

constexpr std::string_view kNoValue = "a name and no value, allowed: a value or more of each instance";

constexpr u64 kFewestPair = 10;  // a pair of labels has no smaller number

enum class Kind { missing, value, like_value, word };

/// Whether cells are values of the table, labels, values that may be labels, or a mixture.
enum class Cells { values, values_or_labels, labels, mixed };

/// The least number of cells that may be labels although they are values.
struct Fewest {
  std::size_t from_0;   // for 0, 1, 2, ...
  std::size_t from_1;   // for 1, 2, 3, ... or A, B, C, ...
  std::size_t foreign;  // for values that do not occur in the table
};

std::optional<u64> whole_number(std::string_view cell) {
  u64 number = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
  const bool plain = !cell.empty() && (cell == "0" || cell[0] != '0');
  if (error != std::errc{} || end != cell.data() + cell.size() || !plain) return std::nullopt;
  return number;
}

class Judge {
 public:
  Judge(const TableBody& body, bool commas) : body_(body), commas_(commas) {}

  Kind kind(std::string_view cell) const {
    if (body_.real) {
      if (const auto value = csv_real(cell, commas_)) return value->number ? Kind::value : Kind::missing;
    } else if (const auto value = csv_value(cell, commas_)) {
      if (value->kind == CsvValue::Kind::missing) return Kind::missing;
      const bool foreign = value->kind == CsvValue::Kind::symbol && !body_.symbols && body_.values > 0;
      return foreign ? Kind::word : Kind::value;
    }
    return is_like_value(cell) ? Kind::like_value : Kind::word;
  }

  /// @param most  cells are labels if most of them are words; otherwise all must be
  template <typename Range>
  Cells cells(const Range& cells, bool most, const Fewest& fewest) const {
    std::size_t words = 0, values = 0, like_values = 0, missing = 0, empty = 0;
    for (const std::string_view cell : cells) {
      const Kind found = kind(cell);
      words += found == Kind::word ? 1 : 0;
      values += found == Kind::value ? 1 : 0;
      like_values += found == Kind::like_value ? 1 : 0;
      missing += found == Kind::missing ? 1 : 0;
      empty += cell.empty() ? 1 : 0;
    }
    // A header may have columns without a name, but none named NA.
    const std::size_t others = values + like_values + (most ? missing - empty : 0);
    if (words > 0 && (others == 0 || (most && words > others))) return Cells::labels;
    if (words > 0 || like_values > 0) return Cells::mixed;
    if (missing > 0 || values == 0) return Cells::values;
    return counts_on(cells, fewest) || (std::size(cells) >= fewest.foreign && is_foreign(cells))
               ? Cells::values_or_labels
               : Cells::values;
  }

  /// Whether cells are 0, 1, 2, ... or 1, 2, 3, ... or A, B, C, ...
  template <typename Range>
  bool counts_on(const Range& cells, const Fewest& fewest) const {
    const std::string_view first = *std::begin(cells);
    const bool letters = first == "A" || first == "a";
    if (!letters && first != "0" && first != "1") return false;
    if (std::size(cells) < (first == "0" ? fewest.from_0 : fewest.from_1)) return false;
    u64 next = letters ? static_cast<u8>(first[0]) : static_cast<u64>(first[0] - '0');
    for (const std::string_view cell : cells) {
      const bool is_next =
          letters ? cell.size() == 1 && static_cast<u8>(cell[0]) == next : whole_number(cell) == next;
      if (!is_next) return false;
      ++next;
    }
    return true;
  }

  /// Whether the table does not have this value. @param cell  a value
  bool is_outside(std::string_view cell) const {
    if (body_.values == 0) return false;
    if (body_.symbols) return cell.size() != 1 || !body_.seen[static_cast<u8>(cell[0])];
    const double number = csv_real(cell, commas_).value_or(CsvReal{}).number.value_or(0);
    return number < body_.lowest || number > body_.highest;
  }
  template <typename Range>
  bool has_outside(const Range& cells) const {
    return std::ranges::any_of(cells, [&](std::string_view cell) { return is_outside(cell); });
  }

  template <typename Range>
  static bool are_distinct(const Range& cells) {
    std::vector<std::string_view> sorted(std::begin(cells), std::end(cells));
    std::ranges::sort(sorted);
    return std::ranges::adjacent_find(sorted) == sorted.end() && (sorted.empty() || !sorted.front().empty());
  }

 private:
  /// Whether cells are distinct symbols or integers that do not occur in the table; or rising integers, like
  /// positions, not all of which occur.
  template <typename Range>
  bool is_foreign(const Range& cells) const {
    constexpr std::size_t kFewestRising = 3;
    const auto whole = [&](std::string_view cell) { return body_.symbols || whole_number(cell); };
    if (!std::ranges::all_of(cells, whole)) return false;
    // Two small numbers may be the values of two instances.
    if (!body_.symbols && std::size(cells) == 2 &&
        std::ranges::any_of(cells, [](std::string_view cell) { return whole_number(cell) < kFewestPair; }))
      return false;
    if (std::ranges::all_of(cells, [&](std::string_view cell) { return is_outside(cell); }))
      return are_distinct(cells);
    const auto rises = [](std::string_view a, std::string_view b) {
      return whole_number(a) >= whole_number(b);
    };
    return !body_.symbols && std::size(cells) >= kFewestRising &&
           std::ranges::adjacent_find(cells, rises) == std::end(cells) && has_outside(cells);
  }

  const TableBody& body_;
  bool commas_;
};

class Decision {
 public:
  Decision(const TableEdges& edges, const TableBody& body, const Reading& how, const RefuseField& refuse)
      : edges_(edges), how_(how), refuse_(refuse), judge_(body, edges.decimal_commas) {
    // With only one other row a header would leave a single instance.
    if (edges.rows > 1) columns_.foreign = body.symbols ? 2 : columns_.from_1;
    const std::string_view corner = edges.corner.value_or("");
    corner_ = judge_.kind(corner);
    corner_is_empty_ = edges.corner && corner.empty();
    corner_is_name_word_ = edges.corner && is_name_word(corner);
    top_ = judge_.cells(edges.top, true, columns_);
    side_ = judge_.cells(edges.side, false, kRows);
  }

  TableRoles roles() {
    TableRoles roles;
    roles.header = how_.header == Choice::automatic ? has_header() : how_.header == Choice::yes;
    if (edges_.one_column) return roles;
    if (!roles.header && !edges_.corner) refuse_short();
    roles.names = how_.names == Choice::automatic ? has_names(roles.header) : how_.names == Choice::yes;
    return roles;
  }

 private:
  static constexpr Fewest kRows{.from_0 = 2, .from_1 = 2, .foreign = 2};

  [[noreturn]] void refuse(u64 row, std::size_t field, std::string_view remark) const {
    refuse_(row, field, remark);
    std::abort();  // never reached, as `refuse` throws
  }
  [[noreturn]] void refuse_short() const {
    refuse(1, 0,
           fmt::format("found {} fields, allowed: {}, as line {} says", edges_.top.size() + 1,
                       edges_.top.size(), edges_.top_line));
  }
  [[noreturn]] void refuse_top() const {
    const auto found = std::ranges::find_if(edges_.top, [&](std::string_view cell) {
      return judge_.kind(cell) == Kind::word || judge_.kind(cell) == Kind::like_value;
    });
    refuse(0, static_cast<std::size_t>(found - edges_.top.begin()) + (edges_.corner ? 1 : 0), "");
  }
  /// Rejects the first field that is neither value nor name, or not of the kind of the field above it.
  [[noreturn]] void refuse_side() const {
    const auto like = std::ranges::find_if(
        edges_.side, [&](std::string_view cell) { return judge_.kind(cell) == Kind::like_value; });
    const auto word = std::ranges::find_if(
        edges_.side, [&](std::string_view cell) { return judge_.kind(cell) == Kind::word; });
    const auto found = like != edges_.side.end() ? like : word;
    refuse(static_cast<u64>(found - edges_.side.begin()) + 1, 0, "");
  }
  /// The first row and the corner of a table without names.
  Cells whole_top() const {
    std::vector<std::string_view> cells(1, *edges_.corner);
    cells.insert(cells.end(), edges_.top.begin(), edges_.top.end());
    return judge_.cells(cells, true, columns_);
  }
  Cells whole_side() const {
    std::vector<std::string_view> cells(1, *edges_.corner);
    cells.insert(cells.end(), edges_.side.begin(), edges_.side.end());
    return judge_.cells(cells, false, kRows);
  }
  bool is_doubt(Cells cells) const { return cells == Cells::values_or_labels; }
  bool is_like_a_name() const {
    return std::ranges::any_of(edges_.side,
                               [&](const std::string& name) { return are_alike(*edges_.corner, name); });
  }

  bool has_header() const {
    if (edges_.one_column) return has_header_of_one_column();
    if (top_ == Cells::labels) return true;
    if (!edges_.corner) {  // one field less: a header, or a damaged row
      if (is_doubt(top_) && (side_ == Cells::labels || (is_doubt(side_) && edges_.rows > 1))) return true;
      refuse_short();
    }
    if (corner_is_name_word_ && Judge::are_distinct(edges_.top)) return true;
    if (edges_.commented) refuse(0, 0, kCommented);
    if (corner_is_name_word_) refuse(0, 0, kHeaderOrInstance);
    if (top_ == Cells::mixed) refuse_top();
    if (edges_.rows == 0) return false;
    if (corner_is_empty_) return has_header_below_nothing();
    return corner_ == Kind::word ? has_header_beside_word() : has_header_beside_value();
  }

  bool has_header_of_one_column() const {
    const bool is_label = top_ == Cells::labels;
    if (is_label && edges_.rows > 0 && is_name_word(edges_.top.front())) refuse(1, 0, kNoValue);
    if (is_label) return true;
    if (edges_.commented) refuse(0, 0, kCommented);
    if (top_ == Cells::mixed) refuse_top();
    if (edges_.rows > 0 && is_doubt(top_)) refuse(0, 0, kHeaderOrInstance);
    return false;
  }

  /// An empty corner is either left out, as pandas and R do above names, or a missing value.
  bool has_header_below_nothing() const {
    const bool can_tell = edges_.top.size() + edges_.side.size() > 2;
    if (is_doubt(top_) && can_tell && (side_ == Cells::labels || judge_.counts_on(edges_.side, {1, 1, 1})))
      return true;
    if (side_ != Cells::labels && !Judge::are_distinct(edges_.top)) return false;
    refuse(0, 0, kHeaderOrInstance);
  }

  bool has_header_beside_word() const {
    if (side_ == Cells::mixed) refuse_side();
    if (side_ != Cells::labels) {
      if (is_doubt(top_) && is_doubt(side_)) return true;
      refuse(0, 0, is_doubt(top_) ? kHeaderOrInstance : "");
    }
    if (!is_doubt(top_) || is_like_a_name()) return false;
    if (edges_.top.size() >= columns_.from_1 && judge_.counts_on(edges_.top, columns_) &&
        judge_.has_outside(edges_.top))
      return true;
    refuse(0, 0, kHeaderOrInstance);
  }

  bool has_header_beside_value() const {
    if (side_ == Cells::labels || corner_ == Kind::like_value) refuse(0, 0, "");
    if (is_doubt(whole_top())) refuse(0, 0, kHeaderOrInstance);
    return false;
  }

  bool has_names(bool header) const {
    if (edges_.rows > 0 && side_ == Cells::labels) return true;
    if (edges_.is_remark && corner_is_name_word_) refuse(1, 0, kNamesOrValues);
    if (header && (!edges_.corner || corner_is_empty_ || corner_is_name_word_)) return true;
    if (edges_.rows == 0) return has_name_in_single_row();
    if (side_ == Cells::mixed) refuse_side();
    const bool beside_numbers = header && corner_ == Kind::word && is_doubt(top_);
    if (beside_numbers && is_doubt(side_)) return true;
    if (beside_numbers) refuse(1, 0, kNamesOrValues);
    const bool counted = header && !edges_.top.empty() && are_alike(*edges_.corner, edges_.top.front());
    if (!counted && is_doubt(header ? side_ : whole_side())) refuse(header ? 1 : 0, 0, kNamesOrValues);
    return false;
  }

  bool has_name_in_single_row() const {
    if (corner_ == Kind::like_value) refuse(0, 0, "");
    return corner_ == Kind::word;
  }

  const TableEdges& edges_;
  const Reading& how_;
  const RefuseField& refuse_;
  Judge judge_;
  Fewest columns_{.from_0 = 1, .from_1 = 3, .foreign = std::numeric_limits<std::size_t>::max()};
  Kind corner_;
  bool corner_is_empty_, corner_is_name_word_;
  Cells top_, side_;
};

}  // namespace

TableRoles roles_of(const TableEdges& edges, const TableBody& body, const Reading& how,
                    const RefuseField& refuse) {
  return Decision(edges, body, how, refuse).roles();
}

}  // namespace gpuseq::pairwise_distance
