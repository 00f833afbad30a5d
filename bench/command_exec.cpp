#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/cache_dir.hpp"
#include "bench/commands.hpp"
#include "runtime/errors.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

std::map<std::string, fs::path> role_paths(const std::vector<std::string>& given, const char* option) {
  std::map<std::string, fs::path> paths;
  for (const std::string& text : given) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      throw UsageError(fmt::format("{} {}: allowed: role=path", option, text));
    if (!paths.emplace(text.substr(0, equals), text.substr(equals + 1)).second)
      throw UsageError(
          fmt::format("{} {}: the role {} is given twice", option, text, text.substr(0, equals)));
  }
  return paths;
}

using Roles = std::vector<std::pair<std::string, std::string>>;

void require_role(const Roles& roles, const std::string& role, const char* option) {
  if (std::ranges::any_of(roles, [&](const auto& known) { return known.first == role; })) return;
  std::vector<std::string> words;
  for (const auto& [known, meaning] : roles) words.push_back(fmt::format("{} ({})", known, meaning));
  throw UsageError(fmt::format("{} {}: unknown role; allowed: {}", option, role,
                               words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "))));
}

void check_roles(const Family& family, const ExecRequest& request) {
  for (const auto& [role, path] : request.data) {
    require_role(family.exec_roles(), role, "--data");
    std::error_code error;
    if (!fs::exists(path, error))
      throw UsageError(fmt::format("--data {}: the file {} is missing", role, path.string()));
  }
  for (const auto& [role, meaning] : family.exec_roles())
    if (request.problem.has(role))
      throw UsageError(fmt::format("--problem {0}: allowed: --data {0}=path", role));
  for (const auto& [role, path] : request.outputs)
    if (role != "out") require_role(family.exec_outputs(), role, "--output");
}

const Variant& variant_of(const Family& family, const std::string& named) {
  const std::string_view name = named.empty() ? family.exec_variant() : named;
  if (!name.empty()) return family.variant(name);
  std::vector<std::string> names;
  for (const Variant& variant : family.variants()) names.push_back(variant.name);
  throw UsageError(
      fmt::format("exec {} needs --variant; allowed: {}", family.name(), fmt::join(names, ", ")));
}

std::string device_for(const Variant& variant, const std::string& chosen) {
  const bool cpu = variant.device == DeviceKind::cpu;
  if (chosen.empty()) return cpu ? "cpu" : "cuda:0";
  const std::vector<std::string> ids = resolve_devices(chosen);
  if (ids.size() != 1) throw UsageError(fmt::format("--device {}: exec takes one device", chosen));
  if ((ids.front() == "cpu") != cpu)
    throw UsageError(
        fmt::format("--device {}: the variant {} runs on {}", chosen, variant.name, cpu ? "cpu" : "cuda:N"));
  return ids.front();
}

}  // namespace

ExitCode exec_command(const ExecOptions& options, const Registry& registry) {
  const Family& family = registry.family(options.family);
  const Variant& variant = variant_of(family, options.variant);
  ExecRequest request{.variant = variant.name,
                      .point = variant.space.complete(Point::parse(options.point)),
                      .problem = Point::parse(options.problem),
                      .options = family.exec_options().complete(options.family_options),
                      .data = role_paths(options.data, "--data"),
                      .outputs = role_paths(options.outputs, "--output"),
                      .cache_dir = chosen_cache_dir(options.cache_dir, "--cache-dir"),
                      .seed = options.seed};
  if (!options.out.empty()) request.outputs["out"] = options.out;
  check_roles(family, request);
  const auto device = open_device(device_for(variant, options.device));
  family.exec(request, *device);
  return ExitCode::fine;
}

}  // namespace gpuseq::bench
