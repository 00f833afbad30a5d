#include <fmt/format.h>

#include "bench/commands/doctor/doctor.hpp"
#include "bench/tools/package.hpp"
#include "runtime/io/number_text.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

Finding examine_build(const Places& places) {
  Finding finding{.name = "build", .found = places.build_type};
  if (places.build_type == "Release") return finding;
  finding.state = Health::warning;
  finding.remedy = "rates of other builds are too low: cmake --preset release";
  return finding;
}

Finding examine_configs(const Places& places) {
  std::error_code error;
  if (fs::exists(places.configs / "quick.json", error))
    return {.name = "configs", .found = places.configs.string(), .needed = true};
  return {.name = "configs",
          .state = Health::missing,
          .found = fmt::format("{} has no quick.json", places.configs.string()),
          .remedy = "set GPUSEQ_ROOT to the folder that has configs/, or name a config with --config",
          .needed = true};
}

/// A folder that is written to, and the space of its disk.
Finding examine_folder(const Places& places, const char* name, const fs::path& folder, std::uint64_t plenty,
                       std::uint64_t least, const char* remedy, bool needed) {
  Finding finding{.name = name, .needed = needed};
  const std::optional<std::uint64_t> free = places.free_bytes(folder);
  const std::string left = free ? with_decimal_prefix(static_cast<double>(*free), "B") + " left" : "";
  finding.found = fmt::format("{}: {}", folder.string(), free ? left : "cannot be written");
  if (free && *free >= plenty) return finding;
  finding.state = !free || *free < least ? Health::missing : Health::warning;
  finding.remedy = remedy;
  return finding;
}

Finding examine_cache(const Places& places) {
  constexpr std::uint64_t kPlenty = std::uint64_t{4} << 30;
  constexpr const char* kRemedy =
      "XDG_CACHE_HOME, --cache-dir or \"cache_dir\" names another; cache --clear frees space";
  if (places.cache.path.empty())
    return {.name = "cache", .state = Health::missing, .found = places.cache.remark, .remedy = kRemedy};
  return examine_folder(places, "cache", places.cache.path, kPlenty, 0, kRemedy, false);
}

Finding examine_temporary(const Places& places) {
  constexpr std::uint64_t kPlenty = std::uint64_t{1} << 30;
  constexpr const char* kRemedy = "set TMPDIR to a folder with room";
  if (!places.temporary.value)
    return {.name = "temporary files",
            .state = Health::missing,
            .found = places.temporary.reason,
            .remedy = kRemedy};
  return examine_folder(places, "temporary files", *places.temporary.value, kPlenty, 0, kRemedy, false);
}

Finding examine_renderer(const Places& places) {
  const std::string why = places.why_no_renderer();
  if (why.empty()) return {.name = "Python package", .found = places.python.string()};
  return {.name = "Python package",
          .state = Health::missing,
          .found = why,
          .remedy = fmt::format("{}; then GPUSEQ_PYTHON=.venv/bin/python", how_to_get_package())};
}

}  // namespace

std::vector<Finding> examine_folders(const Places& places) {
  constexpr std::uint64_t kPlenty = std::uint64_t{1} << 30, kLeast = std::uint64_t{16} << 20;
  return {examine_build(places),
          examine_configs(places),
          examine_folder(places, "runs", places.runs, kPlenty, kLeast,
                         "start the program in another folder, or name one with --output", true),
          examine_cache(places),
          examine_temporary(places),
          examine_renderer(places)};
}

std::vector<Finding> examine(const Places& places) {
  std::vector<Finding> all = examine_folders(places);
  for (const auto& part : {examine_host(places), examine_gpus(places)})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace gpuseq::bench
