#include "bench/plan/own_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>

#include "bench/config/problem_files.hpp"
#include "bench/config/role_files.hpp"
#include "bench/config/selection.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

using OwnFiles = std::map<std::string, fs::path>;

OwnFiles roles_of(std::span<const std::string> given) {
  OwnFiles roles = role_files(given, "--data", StandardInput::refused);
  for (auto& [role, file] : roles) file = fs::absolute(file).lexically_normal();
  return roles;
}

/// The families of a config that there are; of others the plan says more.
std::vector<const Family*> families_of(const json& document, const Registry& registry) {
  std::vector<const Family*> found;
  for (const auto& family : registry.families)
    if (document.contains("families") && document["families"].contains(std::string(family->name())))
      found.push_back(family.get());
  return found;
}

void require_known_roles(const OwnFiles& roles, const std::vector<const Family*>& families,
                         const std::string& source) {
  std::set<std::string> known;
  for (const Family* family : families)
    for (const Axis& axis : family->problem_space().axes())
      if (names_data(axis)) known.insert(axis.name);
  for (const auto& [role, file] : roles)
    if (!known.contains(role))
      throw UsageError(fmt::format("--data {}={}: no family of {} takes \"{}\"; allowed: {}", role,
                                   file.string(), source, role, fmt::join(known, ", ")));
}

/// The name of a file's data entry: as the file, in letters that names of states have; with the
/// role before it where another entry or a word of the axis has that name, or it is a number.
std::string entry_name(const std::string& role, const fs::path& file, const json& data, const Axis& axis) {
  std::string name = file.filename().string();
  for (char& letter : name)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0 &&
        std::string_view("._-").find(letter) == std::string_view::npos)
      letter = '_';
  const bool number = name.find_first_not_of("0123456789") == std::string::npos;
  const bool listed = std::ranges::find(axis.values, AxisValue(name)) != axis.values.end();
  const bool another = data.contains(name) && data[name]["path"] != file.string();
  return number || listed || another ? role + "-" + name : name;
}

/// Puts an entry in the place of a role in all problems of a family.
void replace(json& problems, const SearchSpace& space, const std::string& role, const std::string& entry) {
  for (json& problem : problems) {
    problem[role] = entry;
    for (const Axis& axis : space.axes())
      if (axis.about == role) problem.erase(axis.name);
  }
}

}  // namespace

SuiteConfig with_own_data(const SuiteConfig& config, std::span<const std::string> given,
                          const Registry& registry) {
  if (given.empty()) return config;
  json document = config.document;
  const OwnFiles roles = roles_of(given);
  const std::vector<const Family*> families = families_of(document, registry);
  require_known_roles(roles, families, config.source);
  const std::set<std::string> before = named_words(document);
  if (!document.contains("data")) document["data"] = json::object();
  json& data = document["data"];
  for (const Family* family : families)
    for (const auto& [role, file] : roles) {
      const SearchSpace& space = family->problem_space();
      const Axis* axis = space.find(role);
      if (axis == nullptr || !names_data(*axis)) continue;
      const std::string entry = entry_name(role, file, data, *axis);
      data[entry] = {{"path", file.string()}};
      replace(document["families"][std::string(family->name())]["problems"], space, role, entry);
    }
  const std::set<std::string> after = named_words(document);
  for (const std::string& word : before)
    if (!after.contains(word)) data.erase(word);
  return config_from_json(std::move(document), config.source, fs::current_path());
}

}  // namespace gpuseq::bench
