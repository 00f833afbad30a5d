#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/contract/device.hpp"

namespace gpuseq {

/// Energy of the CPU packages by RAPL, through the kernel's powercap interface. Counters wrap (some within
/// minutes): one reading per wrap keeps the sum correct.
class PackageEnergy {
 public:
  explicit PackageEnergy(const std::filesystem::path& powercap = "/sys/class/powercap");
  /// Joules since the object was made, over all packages.
  Maybe<double> joules();

 private:
  struct Zone {
    std::filesystem::path file;
    std::uint64_t range_uj = 0;
    std::uint64_t last_uj = 0;
    std::uint64_t used_uj = 0;
  };
  std::vector<Zone> zones_;
  std::string reason_;  // why there is none
};

}  // namespace gpuseq
