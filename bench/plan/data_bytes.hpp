#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "bench/config/config.hpp"

namespace gpuseq::bench {

/// Bytes of the text of each data entry, about and rather too many; without those that cannot be seen.
std::map<std::string, std::uint64_t> data_bytes(const SuiteConfig& config);

}  // namespace gpuseq::bench
