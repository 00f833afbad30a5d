#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/commands/doctor/finding.hpp"
#include "bench/config/cache_dir.hpp"
#include "runtime/contract/device.hpp"
#include "runtime/system/topology.hpp"

namespace gpuseq::bench {

/// A GPU as the driver describes it.
struct ExaminedGpu {
  std::string name, driver_version;
  Maybe<double> energy_j;
  std::string why_no_counters;  // empty: they can be read
};

/// The folders and functions that `doctor` examines. A test gives others.
struct Places {
  std::filesystem::path root = "/";  // where /proc and /sys are mounted
  std::string build_type;
  std::filesystem::path configs, runs, python;  // folder of configs, of new runs; the renderer's interpreter
  Maybe<std::filesystem::path> temporary;
  CacheDir cache;
  std::function<DeviceList()> devices;
  std::function<ExaminedGpu(const std::string& id)> gpu;  // may throw
  std::function<Maybe<std::string>()> nvrtc, cupti;       // "13.0, /usr/local/cuda/lib64/libnvrtc.so.13"
  std::function<Topology()> topology;                     // may throw
  std::function<std::string()> why_no_renderer;           // empty: it works
  /// Bytes that the disk of a folder has left; nullopt where nothing can be written there.
  std::function<std::optional<std::uint64_t>(const std::filesystem::path&)> free_bytes;
};

/// This machine's.
Places places_here();

/// Looks at everything and changes nothing.
std::vector<Finding> examine(const Places& places);

// Its parts.
std::vector<Finding> examine_gpus(const Places& places);
std::vector<Finding> examine_host(const Places& places);
std::vector<Finding> examine_folders(const Places& places);

}  // namespace gpuseq::bench
