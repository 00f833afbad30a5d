#include "bench/config/config_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/config/provenance.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/contract/nearest_word.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostSuggestions = 3;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.ends_with(".json") && !name.ends_with(".schema.json") && name != "schema.json")
      names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

/// `titan` means titan.json, so stems are compared.
std::vector<std::string> nearest_names(const std::string& stem, const std::vector<std::string>& names) {
  std::vector<std::string> stems, nearest;
  for (const std::string& name : names) stems.push_back(fs::path(name).stem().string());
  while (nearest.size() < kMostSuggestions) {
    const std::string found(nearest_word(stem, {stems.begin(), stems.end()}));
    if (found.empty()) break;
    std::erase(stems, found);
    nearest.push_back(found + ".json");
  }
  return nearest;
}

}  // namespace

fs::path config_file(const fs::path& named) {
  std::error_code error;
  if (named.has_parent_path() || named.empty() || fs::exists(named, error)) return named;
  const fs::path folder = source_root() / "configs";
  if (fs::exists(folder / named, error)) return folder / named;
  const std::vector<std::string> names = names_in(folder);
  const std::string stem = named.extension() == ".json" ? named.stem().string() : named.string();
  std::vector<std::string> nearest = nearest_names(stem, names);
  if (std::ranges::find(names, stem + ".json") != names.end()) nearest = {stem + ".json"};
  const std::string hint =
      nearest.empty() ? "" : fmt::format("; did you mean {}?", fmt::join(nearest, " or "));
  throw UsageError(fmt::format("cannot read {}: No such file or directory, neither here nor in {}{}",
                               named.string(), folder.string(), hint));
}

}  // namespace gpuseq::bench
