#include "runtime/system/cpu_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "runtime/system/proc_files.hpp"

namespace gpuseq {

namespace fs = std::filesystem;

Maybe<std::string> cpu_model(const fs::path& root) {
  const auto name = proc_field(root / "proc/cpuinfo", "model name", ':');
  if (!name) return {std::nullopt, "/proc/cpuinfo has no model name"};
  return {name, {}};
}

std::vector<std::string> instruction_sets(const fs::path& root) {
  auto flags = proc_field(root / "proc/cpuinfo", "flags", ':');
  if (!flags) flags = proc_field(root / "proc/cpuinfo", "Features", ':');
  std::istringstream words(flags.value_or(""));
  const std::vector<std::string> listed{std::istream_iterator<std::string>(words), {}};
  std::vector<std::string> found;
  for (const char* wanted :
       {"ssse3", "sse4_1", "sse4_2", "popcnt", "avx", "avx2", "bmi1", "bmi2", "avx512f", "avx512bw",
        "avx512vl", "avx512dq", "avx512vbmi", "avx512_bitalg", "avx512_vpopcntdq", "asimd", "sve", "sve2"})
    if (std::find(listed.begin(), listed.end(), wanted) != listed.end()) found.emplace_back(wanted);
  return found;
}

nlohmann::json virtualisation(const fs::path& root) {
  const auto flags = proc_field(root / "proc/cpuinfo", "flags", ':');
  const bool flagged = flags && fmt::format(" {} ", *flags).find(" hypervisor ") != std::string::npos;
  nlohmann::json facts{{"virtual_machine", flagged}};
  if (!flags)
    facts = {{"virtual_machine", nullptr}, {"virtual_machine_reason", "/proc/cpuinfo has no flags"}};
  for (const char* file : {"sys/hypervisor/type", "sys/class/dmi/id/product_name"}) {
    if (const auto product = read_line(root / file); product && !facts.contains("machine"))
      facts["machine"] = *product;
  }
  return facts;
}

Maybe<double> cpu_quota(const fs::path& root) {
  const std::optional<CpuQuota> quota = least_cpu_quota(root);
  if (!quota) return {std::nullopt, "no limit is set"};
  return {quota->cpus, {}};
}

Maybe<std::string> transparent_huge_pages(const fs::path& root) {
  const auto line = read_line(root / "sys/kernel/mm/transparent_hugepage/enabled");
  if (!line) return {std::nullopt, "the kernel has no transparent huge pages"};
  const std::size_t open = line->find('['), close = line->find(']');
  if (open == std::string::npos || close == std::string::npos || close < open)
    return {std::nullopt, fmt::format("cannot read the setting '{}'", *line)};
  return {line->substr(open + 1, close - open - 1), {}};
}

Maybe<double> cpufreq_mhz(const std::string& file, const fs::path& root) {
  const auto khz = proc_number(read_line(root / "sys/devices/system/cpu/cpu0/cpufreq" / file));
  if (!khz)
    return {std::nullopt, fmt::format("the kernel shows no cpufreq/{} (usual in virtual machines)", file)};
  return {static_cast<double>(*khz) / 1e3, {}};
}

Maybe<std::string> operating_system(const fs::path& root) {
  const auto name = proc_field(root / "etc/os-release", "PRETTY_NAME", '=');
  if (!name) return {std::nullopt, "/etc/os-release names none"};
  return {name, {}};
}

}  // namespace gpuseq
