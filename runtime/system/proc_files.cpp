#include "runtime/system/proc_files.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
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

/// A mounted part of the hierarchy of control groups.
struct CgroupMount {
  fs::path top;    // the mounted group: "/", or in some containers their own
  fs::path point;  // mount point
};

/// Whether a comma-separated list contains the word.
bool has_word(std::string_view words, std::string_view word) {
  return ("," + std::string(words) + ",").find("," + std::string(word) + ",") != std::string::npos;
}

/// /proc/self/mountinfo writes blanks and similar characters as "\040".
std::string unescaped(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string digits = text[i] == '\\' ? text.substr(i + 1, 3) : "";
    const bool escaped = digits.size() == 3 && digits.find_first_not_of("01234567") == std::string::npos;
    plain += escaped ? static_cast<char>(std::stoi(digits, nullptr, 8)) : text[i];
    if (escaped) i += 3;
  }
  return plain;
}

std::vector<CgroupMount> mounts_of(const fs::path& root, std::string_view controller) {
  std::vector<CgroupMount> mounts;
  std::ifstream file(root / "proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream place(line.substr(0, dash)), kind(line.substr(dash + 3));
    std::string id, parent, device, top, point, type, source, options;
    place >> id >> parent >> device >> top >> point;
    kind >> type >> source >> options;
    if (controller.empty() ? type == "cgroup2" : type == "cgroup" && has_word(options, controller))
      mounts.push_back({unescaped(top), root / fs::path(unescaped(point)).relative_path()});
  }
  if (!mounts.empty()) return mounts;
  const fs::path usual = root / "sys/fs/cgroup";  // if mounts cannot be read
  return {{"/", controller.empty() ? usual : usual / controller}};
}

/// This process's group in the hierarchy of a controller, from /proc/self/cgroup.
fs::path own_group(const fs::path& root, std::string_view controller) {
  std::ifstream file(root / "proc/self/cgroup");
  fs::path own;
  for (std::string line; std::getline(file, line);) {
    std::istringstream parts(line);
    std::string id, controllers, path;
    std::getline(parts, id, ':');
    std::getline(parts, controllers, ':');
    std::getline(parts, path);
    if (has_word(controllers, controller)) own = path;
  }
  return own;
}

/// "job/step" for the group /slice/job/step if /slice is mounted; empty if it is /slice, or outside of it.
fs::path below(const fs::path& top, const fs::path& group) {
  const auto leads_up = [](const fs::path& path) { return std::ranges::find(path, "..") != path.end(); };
  if (leads_up(group) || leads_up(top)) return {};  // seen from another name space
  const fs::path inside = group.lexically_relative(top);
  return inside == "." || leads_up(inside) ? fs::path() : inside;
}

}  // namespace

std::optional<std::string> read_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || line.empty()) return std::nullopt;
  return line;
}

std::optional<std::string> proc_field(const fs::path& path, std::string_view key, char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t at = line.find(separator);
    if (at != std::string::npos && trimmed(std::string_view(line).substr(0, at)) == key)
      return trimmed(std::string_view(line).substr(at + 1));
  }
  return std::nullopt;
}

std::optional<std::uint64_t> proc_number(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  std::uint64_t value = 0;
  const auto result = std::from_chars(text->data(), text->data() + text->size(), value);
  if (result.ec != std::errc{}) return std::nullopt;  // for example "max"
  return value;
}

std::vector<fs::path> cgroup_folders(const fs::path& root, std::string_view controller) {
  const fs::path group = own_group(root, controller);
  std::vector<fs::path> folders;
  for (const CgroupMount& mount : mounts_of(root, controller)) {
    for (fs::path inside = below(mount.top, group); !inside.empty(); inside = inside.parent_path())
      folders.push_back(mount.point / inside);
    folders.push_back(mount.point);
  }
  return folders;
}

std::optional<CpuQuota> least_cpu_quota(const fs::path& root) {
  std::optional<CpuQuota> least;
  const auto consider = [&least](double quota, double period, const fs::path& file) {
    if (quota > 0 && period > 0 && (!least || quota / period < least->cpus))
      least = CpuQuota{quota / period, file};
  };
  for (const fs::path& folder : cgroup_folders(root, "")) {
    std::ifstream file(folder / "cpu.max");
    double quota = 0, period = 0;
    if (file >> quota >> period) consider(quota, period, folder / "cpu.max");
  }
  for (const fs::path& folder : cgroup_folders(root, "cpu")) {
    const fs::path file = folder / "cpu.cfs_quota_us";
    const auto quota = proc_number(read_line(file)),
               period = proc_number(read_line(folder / "cpu.cfs_period_us"));
    if (quota && period) consider(static_cast<double>(*quota), static_cast<double>(*period), file);
  }
  return least;
}

int threads_within(std::size_t cpus, const std::optional<CpuQuota>& quota) {
  const auto all = static_cast<double>(std::max<std::size_t>(cpus, 1));
  return static_cast<int>(quota ? std::clamp(std::ceil(quota->cpus), 1.0, all) : all);
}

}  // namespace gpuseq
