#include "runtime/system/proc_files.hpp"

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
  if (result.ec != std::errc{}) return std::nullopt;  // "max" among others
  return value;
}

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
    if (("," + controllers + ",").find("," + std::string(controller) + ",") != std::string::npos)
      inside = fs::path(path).relative_path();
  }
  std::vector<fs::path> folders;
  for (; !inside.empty(); inside = inside.parent_path()) folders.push_back(mount / inside);
  folders.push_back(mount);
  return folders;
}

}  // namespace gpuseq
