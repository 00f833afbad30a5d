#include "runtime/system/package_energy.hpp"

#include <charconv>
#include <optional>

#include "runtime/system/cpu_facts.hpp"

namespace gpuseq {

namespace fs = std::filesystem;

namespace {

std::optional<std::uint64_t> read_number(const fs::path& path) {
  const auto line = read_line(path);
  std::uint64_t value = 0;
  if (!line || std::from_chars(line->data(), line->data() + line->size(), value).ec != std::errc{})
    return std::nullopt;
  return value;
}

/// "intel-rapl:0" is a package (on AMD as well); "intel-rapl:0:0" is a part of it.
bool is_package(const std::string& zone) {
  return zone.starts_with("intel-rapl:") && zone.find(':') == zone.rfind(':');
}

}  // namespace

PackageEnergy::PackageEnergy(const fs::path& powercap) : reason_("the kernel shows no RAPL energy counter") {
  std::error_code error;
  for (fs::directory_iterator entry(powercap, error), end; !error && entry != end; entry.increment(error)) {
    if (!is_package(entry->path().filename().string())) continue;
    const fs::path file = entry->path() / "energy_uj";
    const auto now = read_number(file);
    const auto range = read_number(entry->path() / "max_energy_range_uj");
    if (now && range)
      zones_.push_back({.file = file, .range_uj = *range, .last_uj = *now, .used_uj = 0});
    else
      reason_ = file.string() + " cannot be read (usually for root only)";
  }
}

Maybe<double> PackageEnergy::joules() {
  if (zones_.empty()) return {std::nullopt, reason_};
  std::uint64_t used_uj = 0;
  for (Zone& zone : zones_) {
    const auto now = read_number(zone.file);
    if (!now) return {std::nullopt, zone.file.string() + " can no longer be read"};
    zone.used_uj += *now >= zone.last_uj ? *now - zone.last_uj : *now + zone.range_uj - zone.last_uj;
    zone.last_uj = *now;
    used_uj += zone.used_uj;
  }
  return {static_cast<double>(used_uj) / 1e6, {}};
}

}  // namespace gpuseq
