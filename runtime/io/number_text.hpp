#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpuseq {

/// Formats with `digits` significant digits and no trailing zeros; "n/a" if not finite.
std::string significant(double value, int digits);

/// "4.94 Mbases": three significant digits, prefixes p to T.
std::string with_decimal_prefix(double value, std::string_view unit);

/// Bytes of "200M", "1.5 GiB" or "4096": k, M, G and T are powers of 1000, Ki, Mi, Gi and Ti of 1024.
/// @throws UsageError with the allowed forms
std::uint64_t parse_bytes(std::string_view text);

}  // namespace gpuseq
