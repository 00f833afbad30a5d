#include "runtime/system/cpu_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

namespace gpuseq {

namespace fs = std::filesystem;

namespace {

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\"");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\"\n") - begin + 1));
}

/// Value of the first "key<separator>value" line.
std::optional<std::string> field(const fs::path& path, std::string_view key, char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t at = line.find(separator);
    if (at != std::string::npos && trimmed(std::string_view(line).substr(0, at)) == key)
      return trimmed(std::string_view(line).substr(at + 1));
  }
  return std::nullopt;
}

std::optional<std::uint64_t> number(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  std::uint64_t value = 0;
  const auto result = std::from_chars(text->data(), text->data() + text->size(), value);
  if (result.ec != std::errc{}) return std::nullopt;  // "max" among others
  return value;
}

/// The folder of this process's control group and its parents up to `mount`, innermost first.
std::vector<fs::path> cgroup_folders(const fs::path& root, std::string_view controller,
                                     const fs::path& mount) {
  std::ifstream file(root / "proc/self/cgroup");
  fs::path inside;
  for (std::string line; std::getline(file, line);) {
    std::istringstream parts(line);
    std::string id, controllers, path;
    std::getline(parts, id, ':');
    std::getline(parts, controllers, ':');
    std::getline(parts, path);
    if (fmt::format(",{},", controllers).find(fmt::format(",{},", controller)) != std::string::npos)
      inside = fs::path(path).relative_path();
  }
  std::vector<fs::path> folders;
  for (; !inside.empty(); inside = inside.parent_path()) folders.push_back(mount / inside);
  folders.push_back(mount);
  return folders;
}

/// Limit less use; file pages that can be dropped do not count as used.
std::optional<std::uint64_t> free_in(const fs::path& folder, const char* limit_file, const char* usage_file,
                                     const char* droppable) {
  const auto limit = number(read_line(folder / limit_file));
  const auto usage = number(read_line(folder / usage_file));
  constexpr std::uint64_t kUnlimited = std::uint64_t{1} << 60;  // version 1 writes a huge number for none
  if (!limit || !usage || *limit >= kUnlimited) return std::nullopt;
  const std::uint64_t dropped =
      std::min(number(field(folder / "memory.stat", droppable, ' ')).value_or(0), *usage);
  const std::uint64_t used = *usage - dropped;
  return *limit > used ? *limit - used : 0;
}

}  // namespace

std::optional<std::string> read_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || line.empty()) return std::nullopt;
  return line;
}

Maybe<std::string> cpu_model(const fs::path& root) {
  const auto name = field(root / "proc/cpuinfo", "model name", ':');
  if (!name) return {std::nullopt, "/proc/cpuinfo has no model name"};
  return {name, {}};
}

std::vector<std::string> instruction_sets(const fs::path& root) {
  auto flags = field(root / "proc/cpuinfo", "flags", ':');
  if (!flags) flags = field(root / "proc/cpuinfo", "Features", ':');
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
  const auto flags = field(root / "proc/cpuinfo", "flags", ':');
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

std::optional<std::uint64_t> meminfo_bytes(const std::string& name, const fs::path& root) {
  const auto kib = number(field(root / "proc/meminfo", name, ':'));
  if (!kib) return std::nullopt;
  return *kib * 1024;
}

std::optional<std::uint64_t> status_bytes(const std::string& name, const fs::path& root) {
  const auto kib = number(field(root / "proc/self/status", name, ':'));
  if (!kib) return std::nullopt;
  return *kib * 1024;
}

std::optional<std::uint64_t> cgroup_free_bytes(const fs::path& root) {
  std::optional<std::uint64_t> least;
  const auto consider = [&least](const std::optional<std::uint64_t>& bytes) {
    if (bytes && (!least || *bytes < *least)) least = bytes;
  };
  for (const fs::path& folder : cgroup_folders(root, "", root / "sys/fs/cgroup"))
    consider(free_in(folder, "memory.max", "memory.current", "inactive_file"));
  for (const fs::path& folder : cgroup_folders(root, "memory", root / "sys/fs/cgroup/memory"))
    consider(free_in(folder, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"));
  return least;
}

Maybe<double> cpu_quota(const fs::path& root) {
  std::optional<double> least;
  const auto consider = [&least](double quota, double period) {
    if (quota > 0 && period > 0 && (!least || quota / period < *least)) least = quota / period;
  };
  for (const fs::path& folder : cgroup_folders(root, "", root / "sys/fs/cgroup")) {
    std::ifstream file(folder / "cpu.max");
    double quota = 0, period = 0;
    if (file >> quota >> period) consider(quota, period);
  }
  for (const fs::path& folder : cgroup_folders(root, "cpu", root / "sys/fs/cgroup/cpu")) {
    const auto quota = number(read_line(folder / "cpu.cfs_quota_us"));
    const auto period = number(read_line(folder / "cpu.cfs_period_us"));
    if (quota && period) consider(static_cast<double>(*quota), static_cast<double>(*period));
  }
  if (!least) return {std::nullopt, "no limit is set"};
  return {least, {}};
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
  const auto khz = number(read_line(root / "sys/devices/system/cpu/cpu0/cpufreq" / file));
  if (!khz)
    return {std::nullopt, fmt::format("the kernel shows no cpufreq/{} (usual in virtual machines)", file)};
  return {static_cast<double>(*khz) / 1e3, {}};
}

Maybe<std::string> operating_system(const fs::path& root) {
  const auto name = field(root / "etc/os-release", "PRETTY_NAME", '=');
  if (!name) return {std::nullopt, "/etc/os-release names none"};
  return {name, {}};
}

}  // namespace gpuseq
