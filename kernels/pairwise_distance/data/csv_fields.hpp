#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq::pairwise_distance {

/// The value of a field in a table of codes.
struct CsvValue {
  enum class Kind { missing, number, symbol };
  Kind kind = Kind::missing;
  u8 number = 0;         // a symbol's byte
  bool is_wide = false;  // a number above 9, which cannot be a symbol
  bool operator==(const CsvValue&) const = default;
};

/// An integer from 0 to 255 ("1", "+1", "1.0", "1e0"), one symbol or missing; nullopt for anything else.
/// @param commas  a comma is a decimal point ("1,0")
std::optional<CsvValue> csv_value(std::string_view field, bool commas = false);

/// The value of a field in a table of real numbers: a finite number, or none if missing; nullopt for anything
/// else. -9 is a number here.
struct CsvReal {
  std::optional<float> number;
};
std::optional<CsvReal> csv_real(std::string_view field, bool commas = false);

/// Whether a field that is not a value resembles one: "300" and "0.5" among codes, "nan", "1e400", "0,5",
/// "TRUE", "null". Such a field is not taken as a sign of names or a header.
bool is_like_value(std::string_view field);

/// Whether the first field of a header indicates that the first column has names: "name",
/// "strain", "sample_id".
bool is_name_word(std::string_view field);

/// Whether two labels belong to one numbering: "rs1" and "rs27", "x" and "y".
bool are_alike(std::string_view a, std::string_view b);

/// The fields of a row without surrounding blanks. Double quotes may enclose a field; two of them inside are
/// one quote. The views are into `line`, or into `unquoted`, which is overwritten.
/// @param separator  a blank means any run of blanks and tabs
/// @return whether all quotes are closed
bool split_csv(std::string_view line, char separator, std::vector<std::string_view>& fields,
               std::string& unquoted);

}  // namespace gpuseq::pairwise_distance
