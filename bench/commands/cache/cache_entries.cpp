#include "bench/commands/cache/cache_entries.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <tuple>

#include "runtime/io/file_descriptor.hpp"
#include "runtime/io/private_file.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kKeyDigits = 16;

bool is_key(std::string_view text) {
  return text.size() == kKeyDigits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Whether a name is a key between two texts.
bool is_keyed(std::string_view name, std::string_view before, std::string_view behind) {
  return name.size() == before.size() + kKeyDigits + behind.size() && name.starts_with(before) &&
         name.ends_with(behind) && is_key(name.substr(before.size(), kKeyDigits));
}

bool is_data(std::string_view name) {
  return name.size() > kKeyDigits + 1 && is_key(name.substr(0, kKeyDigits)) && name[kKeyDigits] == '-';
}

/// "gpuseq-scratch-Ab3xYz", a folder; ".NAME.PID.COUNT.NANOSECONDS", a file that was never renamed.
bool is_unfinished(std::string_view name, bool is_folder) {
  if (is_folder) return name.starts_with("gpuseq-scratch-");
  for (int numbers = 0; numbers < 3; ++numbers) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || dot + 1 == name.size()) return false;
    if (name.find_first_not_of("0123456789", dot + 1) != std::string_view::npos) return false;
    name = name.substr(0, dot);
  }
  return name.size() > 1 && name.front() == '.';
}

/// Where things of a kind lie below the cache, and how their names are told.
struct CachePlace {
  std::string_view kind, folder;
  bool is_folder;  // an entry is one
  bool (*is_named)(std::string_view name);
};

constexpr std::array kCachePlaces{
    CachePlace{"cubins", "", false, [](std::string_view name) { return is_keyed(name, "", ".cubin"); }},
    CachePlace{"sorted-texts", "", false,
               [](std::string_view name) { return is_keyed(name, "fm-index-", ".bwt"); }},
    CachePlace{"suffix-trees", "", false,
               [](std::string_view name) { return is_keyed(name, "suffix-tree-", ".tree"); }},
    CachePlace{"profiles", "profiles", true, is_key},
    CachePlace{"winners", "winners", true, is_key},
    CachePlace{"data", "data", false, is_data},
    CachePlace{"tools", "tools", true, is_key}};
constexpr std::string_view kUnfinished = "unfinished";
constexpr std::array kKinds = [] {
  std::array<std::string_view, kCachePlaces.size() + 1> kinds{};
  for (std::size_t i = 0; i < kCachePlaces.size(); ++i) kinds[i] = kCachePlaces[i].kind;
  kinds.back() = kUnfinished;
  return kinds;
}();

/// Whether it is of that type and of the caller.
bool is_own(const fs::path& path, bool is_folder, struct stat& status) {
  if (lstat(path.c_str(), &status) != 0 || status.st_uid != geteuid()) return false;
  return is_folder ? S_ISDIR(status.st_mode) : S_ISREG(status.st_mode);
}

double age_of(const struct stat& status) {
  const double now =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  return std::max(0.0, now - static_cast<double>(status.st_mtim.tv_sec));
}

/// Adds up the sizes of all files in a folder. Links are not followed.
void add_up(CacheEntry& entry, const fs::path& folder) {
  std::error_code error;
  for (fs::recursive_directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error)) {
    struct stat status {};
    if (lstat(file->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    entry.bytes += static_cast<std::uint64_t>(status.st_size);
    entry.age_s = std::min(entry.age_s, age_of(status));
  }
}

/// A JSON file of the cache; null where it cannot be read.
json read_json_of(const fs::path& file) {
  std::string refusal;
  const auto text = read_private_file(file, refusal);
  return text ? json::parse(*text, nullptr, false) : json();
}

std::string text_at(const json& object, const char* pointer) {
  const json::json_pointer place(pointer);
  return object.is_object() && object.contains(place) && object[place].is_string()
             ? object[place].get<std::string>()
             : "";
}

/// The machine of winners, and the families that it has some of.
std::string winners_of(const fs::path& folder) {
  std::string machine, families;
  std::error_code error;
  for (fs::directory_iterator file(folder, error), end; !error && file != end; file.increment(error)) {
    if (file->path().extension() != ".json") continue;
    const std::string name = text_at(read_json_of(file->path()),
                                     fmt::format("/machines/{}/name", folder.filename().string()).c_str());
    if (!name.empty()) machine = name;
    families += (families.empty() ? "" : ", ") + file->path().stem().string();
  }
  return machine.empty() ? families : machine + ": " + families;
}

std::string belongs_to(std::string_view kind, const fs::path& path) {
  if (kind == "profiles") return text_at(read_json_of(path / "profile.json"), "/key/name");
  if (kind == "winners") return winners_of(path);
  if (kind == "data") return path.filename().string().substr(kKeyDigits + 1);
  if (kind != "tools") return "";
  const json marker = read_json_of(path / "gpuseq-prepared.json");
  const std::string tool = text_at(marker, "/tool"), version = text_at(marker, "/version");
  return version.empty() ? tool : tool + " " + version;
}

/// @param below  the folder in the cache, of whose entries some are the program's
void add_entries(std::vector<CacheEntry>& all, const fs::path& cache, std::string_view below) {
  struct stat status {};
  const fs::path folder = below.empty() ? cache : cache / below;
  if (!below.empty() && !is_own(folder, true, status)) return;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const auto add = [&](std::string_view kind, bool is_folder) {
      CacheEntry found{.kind = kind,
                       .path = below.empty() ? fs::path(name) : fs::path(below) / name,
                       .bytes = is_folder ? 0 : static_cast<std::uint64_t>(status.st_size),
                       .age_s = age_of(status),
                       .of = belongs_to(kind, entry->path())};
      if (is_folder) add_up(found, entry->path());
      all.push_back(std::move(found));
    };
    for (const CachePlace& place : kCachePlaces)
      if (place.folder == below && place.is_named(name) && is_own(entry->path(), place.is_folder, status))
        add(place.kind, place.is_folder);
    for (const bool is_folder : {false, true})
      if (is_unfinished(name, is_folder) && is_own(entry->path(), is_folder, status))
        add(kUnfinished, is_folder);
  }
}

/// A lock on the cache's folder that no process that uses the cache has; released with the descriptor.
FileDescriptor lock_alone(const fs::path& folder) {
  FileDescriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened && flock(opened.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return FileDescriptor();
  return opened;  // the file system has no locks to wait for
}

}  // namespace

std::span<const std::string_view> cache_kinds() {
  return kKinds;
}

std::vector<CacheEntry> cache_entries(const fs::path& cache) {
  std::vector<CacheEntry> all;
  for (const char* below : {"", "profiles", "winners", "data", "tools"}) add_entries(all, cache, below);
  std::ranges::sort(all, {}, [](const CacheEntry& one) {
    return std::tuple(std::ranges::find(kKinds, one.kind), one.path.string());
  });
  return all;
}

Cleared clear_cache(const fs::path& cache, std::span<const std::string> kinds) {
  Cleared cleared;
  const FileDescriptor alone = lock_alone(cache);
  for (CacheEntry& entry : cache_entries(cache)) {
    if (!kinds.empty() && std::ranges::find(kinds, entry.kind) == kinds.end()) continue;
    const bool is_read_by_name = entry.kind == "data" || entry.kind == "tools" || entry.kind == kUnfinished;
    if (is_read_by_name && !alone) {
      cleared.kept.push_back(
          fmt::format("{} is kept: a process of this program uses the cache", entry.path.string()));
      continue;
    }
    std::error_code error;
    fs::remove_all(cache / entry.path, error);
    if (error)
      cleared.kept.push_back(
          fmt::format("{} cannot be removed: {}", (cache / entry.path).string(), error.message()));
    else
      cleared.removed.push_back(std::move(entry));
  }
  return cleared;
}

}  // namespace gpuseq::bench
