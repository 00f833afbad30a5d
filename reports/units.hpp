#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuseq::reports {

/// What an axis or a number in a table is in; decides prefixes (KiB for bytes, k/M/G for the rest) and
/// suffix.
enum class Unit {
  number,
  number_si,
  bytes,
  bytes_per_s,
  bases,
  bases_per_s,
  bases_per_joule,
  seconds,
  hertz,
  watts,
  share,
  ratio,
  bits_per_base
};

/// number: as it is; number_si: with k, M, G. "96 GiB", "4.65 TB/s", "46.7 Gbases/s", "780 ns", "88.3 %";
/// three significant digits.
std::string format_value(double value, Unit unit);

/// The unit of a plain value, as a table's header has it ("B/s", "bases/s"); empty for plain numbers and
/// shares.
std::string_view base_unit(Unit unit);

/// What a column of values is divided by and headed with, so that they have few digits: {1e9, "Gbases/s"}.
struct Scale {
  double divisor = 1;
  std::string unit = {};
};
Scale common_scale(const std::vector<double>& values, Unit unit);

/// The same text as a Vega expression over `datum.value`, for the labels of an axis.
std::string label_expression(Unit unit);

/// Values worth a label on a logarithmic axis from `low` to `high`: powers of two for bytes, 1-2-5 or decades
/// for the rest; at most `most`.
std::vector<double> log_ticks(double low, double high, Unit unit, std::size_t most = 9);

/// Three to seven round values from `low` to `high`.
std::vector<double> even_ticks(double low, double high);

}  // namespace gpuseq::reports
