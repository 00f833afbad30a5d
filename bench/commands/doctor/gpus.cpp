#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/commands/doctor/doctor.hpp"
#include "runtime/system/proc_files.hpp"

namespace gpuseq::bench {
namespace {

constexpr const char* kToolkit =
    "install a CUDA toolkit and set CUDA_HOME, or pip install {} into the environment of GPUSEQ_PYTHON";
constexpr const char* kCounters =
    "let all users read counters: https://developer.nvidia.com/ERR_NVGPUCTRPERM (module option "
    "NVreg_RestrictProfilingToAdminUsers=0; in a container --cap-add SYS_ADMIN)";

Finding examine_driver(const Places& places, const DeviceList& devices,
                       const std::vector<std::string>& described) {
  Finding finding{.name = "driver"};
  if (devices.reason_no_cuda.empty()) {
    finding.found = fmt::format("{}", fmt::join(described, "; "));
    return finding;
  }
  const auto kernel = proc_field(places.root / "proc/driver/nvidia/version", "NVRM version", ':');
  finding.state = Health::missing;
  finding.found = fmt::format("no GPU can be used: {}{}", devices.reason_no_cuda,
                              kernel ? fmt::format("; the kernel has {}", *kernel) : "");
  finding.remedy =
      devices.reason_no_cuda == "built without CUDA"
          ? "build where a CUDA toolkit is (CUDA_HOME), if this machine has a GPU"
          : "install NVIDIA's driver (in a container: docker run --gpus all), if this machine has a GPU";
  return finding;
}

Finding examine_library(const char* name, const char* wheel, const Maybe<std::string>& found, bool needed) {
  if (found.value) return {.name = name, .found = *found.value};
  return {.name = name,
          .state = Health::missing,
          .found = found.reason,
          .remedy = fmt::format(fmt::runtime(kToolkit), wheel),
          .needed = needed};
}

Finding examine_counters(const Places& places, const std::vector<ExaminedGpu>& gpus) {
  Finding finding{.name = "GPU counters", .found = "can be read"};
  if (gpus.empty())
    return {.name = finding.name, .state = Health::missing, .found = "no GPU", .remedy = "see driver"};
  for (const ExaminedGpu& gpu : gpus) {
    if (gpu.why_no_counters.empty()) continue;
    const auto only_root = proc_field(places.root / "proc/driver/nvidia/params", "RmProfilingAdminOnly", ':');
    finding.state = Health::warning;
    finding.found = fmt::format("{}: {}{}", gpu.name, gpu.why_no_counters,
                                only_root == "1" ? " (the driver lets administrators only)" : "");
    finding.remedy = kCounters;
  }
  return finding;
}

Finding examine_energy(const std::vector<ExaminedGpu>& gpus) {
  Finding finding{.name = "GPU energy", .found = "counted by NVML"};
  if (gpus.empty())
    return {.name = finding.name, .state = Health::missing, .found = "no GPU", .remedy = "see driver"};
  for (const ExaminedGpu& gpu : gpus) {
    if (gpu.energy_j.value) continue;
    finding.state = Health::warning;
    finding.found = fmt::format("{}: {}", gpu.name, gpu.energy_j.reason);
    finding.remedy =
        "NVML counts the energy of Volta and newer; the driver's libnvidia-ml.so.1 must be there";
  }
  return finding;
}

}  // namespace

std::vector<Finding> examine_gpus(const Places& places) {
  const DeviceList devices = places.devices();
  std::vector<ExaminedGpu> gpus;
  std::vector<std::string> described;
  std::string broken;
  for (const std::string& id : devices.ids) {
    if (id == "cpu") continue;
    try {
      const ExaminedGpu gpu = places.gpu(id);
      described.push_back(fmt::format("{} {}{}", id, gpu.name,
                                      gpu.driver_version.empty() ? "" : ", driver " + gpu.driver_version));
      gpus.push_back(gpu);
    } catch (const std::exception& error) {
      broken = fmt::format("{}: {}", id, error.what());
    }
  }
  Finding driver = examine_driver(places, devices, described);
  if (!broken.empty()) {
    driver.state = Health::warning;
    driver.found += (driver.found.empty() ? "" : "; ") + broken;
    driver.remedy = "see the report of nvidia-smi about this GPU; --device chooses others";
  }
  const bool needed = !gpus.empty();
  return {driver, examine_library("NVRTC", "nvidia-cuda-nvrtc", places.nvrtc(), needed),
          examine_library("CUPTI", "nvidia-cuda-cupti", places.cupti(), false),
          examine_counters(places, gpus), examine_energy(gpus)};
}

}  // namespace gpuseq::bench
