#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq::pairwise_distance {

/// What a field of a CSV file says.
struct CsvValue {
  enum class Kind { missing, number, symbol };
  Kind kind = Kind::missing;
  u8 number = 0;         // a symbol's byte
  bool is_wide = false;  // a number of several digits, which is no symbol
  bool operator==(const CsvValue&) const = default;
};

/// Number of 0 to 255, one symbol or missing; nullopt for anything else.
std::optional<CsvValue> csv_value(std::string_view field);

/// What a field says where values are real numbers: a finite one, or none where that is missing; nullopt for
/// anything else. As -9 is a number, it is not missing here.
struct CsvReal {
  std::optional<float> number;
};
std::optional<CsvReal> csv_real(std::string_view field);

/// Whether the first field of a header says that the first column has names.
bool is_name_word(std::string_view field);

/// Whether a header may have it where an instance has a value: neither value nor number.
bool is_column_name(std::string_view field);

/// The fields of a line without the blanks around them; double quotes may enclose a field, and two of them
/// stand for one inside. The views are into `line`, or into `unquoted`, which is overwritten.
/// @return whether all quotes are closed
bool split_csv(std::string_view line, char separator, std::vector<std::string_view>& fields,
               std::string& unquoted);

}  // namespace gpuseq::pairwise_distance
