#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "runtime/contract/device.hpp"
#include "runtime/system/proc_files.hpp"

// Facts about the CPU and its memory from /proc and /sys. `root` is where they are mounted: "/",
// or a test's folder.

namespace gpuseq {

/// "model name" of the first CPU; null with the reason if the kernel reports none.
Maybe<std::string> cpu_model(const std::filesystem::path& root = "/");

/// The instruction sets in the kernel's list that affect the choice of kernels: "sse4_2", "avx512_vpopcntdq".
std::vector<std::string> instruction_sets(const std::filesystem::path& root = "/");

/// Whether the system runs under a hypervisor, and its vendor or product if known.
nlohmann::json virtualisation(const std::filesystem::path& root = "/");

/// The control group's CPU quota in CPUs ("2.5"); null with the reason when unlimited.
Maybe<double> cpu_quota(const std::filesystem::path& root = "/");

/// "always", "madvise" or "never", the selected value of transparent_hugepage/enabled.
Maybe<std::string> transparent_huge_pages(const std::filesystem::path& root = "/");

/// scaling_cur_freq, cpuinfo_max_freq: megahertz of CPU 0.
Maybe<double> cpufreq_mhz(const std::string& file, const std::filesystem::path& root = "/");

/// Name of the distribution (PRETTY_NAME of os-release).
Maybe<std::string> operating_system(const std::filesystem::path& root = "/");

}  // namespace gpuseq
