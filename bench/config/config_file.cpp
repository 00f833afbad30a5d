#include "bench/config/config_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "bench/config/provenance.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/contract/nearest_word.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostSuggestions = 3;

/// Names of all JSON files below the folder except schemas, as paper/fm-index.json.
std::vector<fs::path> names_below(const fs::path& folder) {
  std::vector<fs::path> names;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.ends_with(".json") && !name.ends_with(".schema.json") && name != "schema.json")
      names.push_back(entry->path().lexically_relative(folder));
  }
  std::ranges::sort(names);
  return names;
}

/// Compares names without the extension: `titan` means titan.json.
std::string stem_of(fs::path name, bool with_folder) {
  if (name.extension() == ".json") name.replace_extension();
  return with_folder ? name.generic_string() : name.filename().string();
}

/// The same name in other folders, or the nearest names.
std::vector<std::string> nearest_names(const fs::path& named, const std::vector<fs::path>& names,
                                       bool with_folder) {
  std::set<std::string> stems;
  for (const fs::path& name : names) stems.insert(stem_of(name, with_folder));
  const std::string wanted = stem_of(named, with_folder);
  if (stems.contains(wanted)) stems = {wanted};
  std::vector<std::string> nearest;
  while (nearest.size() < kMostSuggestions) {
    const std::string found(nearest_word(wanted, {stems.begin(), stems.end()}));
    if (found.empty()) break;
    stems.erase(found);
    for (const fs::path& name : names)
      if (stem_of(name, with_folder) == found) nearest.push_back(name.generic_string());
  }
  return nearest;
}

/// Replaces `prefix` in every text that begins with it.
void replace_prefix(nlohmann::json& node, const std::string& prefix, const std::string& by) {
  if (node.is_structured()) {
    for (nlohmann::json& inner : node) replace_prefix(inner, prefix, by);
  } else if (node.is_string()) {
    if (auto& text = node.get_ref<std::string&>(); text.starts_with(prefix))
      text.replace(0, prefix.size(), by);
  }
}

}  // namespace

fs::path config_file(const fs::path& named) {
  std::error_code error;
  if (named.empty() || named.is_absolute() || named.string().starts_with('.') || fs::exists(named, error))
    return named;
  const fs::path folder = source_root() / "configs";
  if (fs::exists(folder / named, error)) return folder / named;
  const std::vector<fs::path> names = names_below(folder);
  std::vector<std::string> nearest = nearest_names(named, names, named.has_parent_path());
  if (nearest.empty()) nearest = nearest_names(named, names, false);
  const std::string hint =
      nearest.empty() ? "" : fmt::format("; did you mean {}?", fmt::join(nearest, " or "));
  throw UsageError(fmt::format("cannot read {}: No such file or directory, neither here nor in {}{}",
                               named.string(), folder.string(), hint));
}

fs::path published_file(const fs::path& recorded) {
  std::error_code error;
  if (recorded.empty() || fs::is_regular_file(recorded, error)) return recorded;
  std::string name = recorded.filename().string();
  for (const std::string_view older : {"published-", "paper-"})
    if (name.starts_with(older)) name.erase(0, older.size());
  fs::path ours = source_root() / "configs" / "published" / name;
  return fs::is_regular_file(ours, error) ? ours : fs::path();
}

nlohmann::json with_paths_from_root(nlohmann::json document) {
  replace_prefix(document, source_root().string() + "/", fmt::format("${{{}}}/", kRootVariable));
  return document;
}

}  // namespace gpuseq::bench
