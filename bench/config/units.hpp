#pragma once

#include <string>
#include <string_view>

namespace gpuseq::bench {

/// The unit of an axis or of a number in a table; determines its prefixes (KiB for bytes, k/M/G otherwise)
/// and its suffix.
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

/// number: unchanged; number_si: with k, M, G. "96 GiB", "4.65 TB/s", "46.7 Gbases/s", "780 ns", "88.3 %";
/// three significant digits.
std::string format_value(double value, Unit unit);

/// The name of the enumerator, which the Python package reads.
std::string_view unit_name(Unit unit);

/// "1.23 G", "45.6 M": a number with its decimal prefix.
std::string prefixed(double value);
/// "64 KiB", "1.5 GiB"
std::string bytes_text(double bytes);
/// "1 h 05 min", "3 min 20 s", "12 s"
std::string duration_text(double seconds);

}  // namespace gpuseq::bench
