#pragma once

#include <string>
#include <string_view>

namespace gpuseq {

/// With so many significant digits and no trailing zeros; "n/a" for what is not finite.
std::string significant(double value, int digits);

/// "4.94 Mbases": three significant digits, prefixes p to T.
std::string with_decimal_prefix(double value, std::string_view unit);

}  // namespace gpuseq
