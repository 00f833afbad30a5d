#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "runtime/contract/device.hpp"
#include "runtime/system/proc_files.hpp"

// What /proc and /sys say of the processor and its memory. `root` is where they are mounted: "/", or a folder
// that a test has filled.

namespace gpuseq {

/// "model name" of the first processor; null with the reason where the kernel names none.
Maybe<std::string> cpu_model(const std::filesystem::path& root = "/");

/// The instruction sets that our kernels choose by, of those the kernel lists: "sse4_2", "avx512_vpopcntdq".
std::vector<std::string> instruction_sets(const std::filesystem::path& root = "/");

/// Whether a hypervisor runs below the kernel, and its vendor or product where named.
nlohmann::json virtualisation(const std::filesystem::path& root = "/");

/// Processors' worth of time that the control group grants ("2.5"); null with the reason when unlimited.
Maybe<double> cpu_quota(const std::filesystem::path& root = "/");

/// "always", "madvise" or "never", the choice in brackets of transparent_hugepage/enabled.
Maybe<std::string> transparent_huge_pages(const std::filesystem::path& root = "/");

/// scaling_cur_freq, cpuinfo_max_freq: megahertz of processor 0.
Maybe<double> cpufreq_mhz(const std::string& file, const std::filesystem::path& root = "/");

/// Name of the distribution (PRETTY_NAME of os-release).
Maybe<std::string> operating_system(const std::filesystem::path& root = "/");

}  // namespace gpuseq
