#include "bench/plan/data_bytes.hpp"

#include <filesystem>

namespace gpuseq::bench {

std::map<std::string, std::uint64_t> data_bytes(const SuiteConfig& config) {
  constexpr std::uint64_t kMostUnpacked = 5;  // a nucleotide is 2 bits at least
  std::map<std::string, std::uint64_t> bytes;
  for (const auto& [name, file] : config.data) {
    std::error_code error;
    const auto size = std::filesystem::file_size(file.path, error);
    if (error) continue;
    const bool packed = !file.member.empty() || file.path.extension() == ".gz";
    bytes[name] = size * (packed ? kMostUnpacked : 1);
  }
  return bytes;
}

}  // namespace gpuseq::bench
