#pragma once

#include <string>

namespace gpuseq::bench {

/// "1.23 G", "45.6 M": a number with its decimal prefix.
std::string prefixed(double value);
/// "64 KiB", "1.5 GiB"
std::string bytes_text(double bytes);
/// "1 h 05 min", "3 min 20 s", "12 s"
std::string duration_text(double seconds);

}  // namespace gpuseq::bench
