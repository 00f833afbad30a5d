#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "bench/commands/commands.hpp"
#include "bench/config/cache_dir.hpp"
#include "bench/config/role_files.hpp"
#include "bench/config/selection.hpp"
#include "bench/config/units.hpp"
#include "bench/phases/winners/take_winners.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/byte_source.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

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
    if (!is_standard_input(path) && !fs::exists(path, error))
      throw UsageError(fmt::format("--data {}: the file {} is missing", role, path.string()));
  }
  for (const auto& [role, meaning] : family.exec_roles())
    if (request.problem.has(role))
      throw UsageError(fmt::format("--problem {0}: allowed: --data {0}=path", role));
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

struct ExecOptions {
  std::string variant, device, point, problem;
  std::vector<std::string> data;            // "role=file"
  std::map<std::string, fs::path> outputs;  // role -> file
  Point family_options;                     // of exec_options(), as far as given
  fs::path cache_dir;
  std::uint64_t seed = 1;
  bool default_points = false;
};

/// Puts this machine's winner into a request that names no point.
std::optional<ExecWinner> take_winner(const Family& family, const ExecOptions& options,
                                      ExecRequest& request) {
  if (options.default_points || !options.point.empty()) return std::nullopt;
  std::vector<std::string> remarks;
  const std::vector<std::string> devices = resolve_devices(options.device.empty() ? "all" : options.device);
  const auto winner = winner_for(family, request, options.variant, devices, remarks);
  for (const std::string& remark : remarks) say(stderr, "{}\n", remark);
  if (!winner) return std::nullopt;
  request.variant = winner->variant;
  request.point = winner->point;
  return winner;
}

/// Rate, seconds by phase, memory, configuration and its origin.
std::string line_of(const ExecReport& report, double all_s, const std::string& configuration) {
  std::string text;
  const double compute_s = report.seconds("compute");
  if (report.work().amount > 0 && compute_s > 0)
    text += fmt::format("{} {}/s; ", prefixed(report.work().amount / compute_s), report.work().unit);
  for (const char* phase : {"load", "prepare", "compute"})
    if (report.seconds(phase) > 0)
      text += fmt::format("{} {}, ", phase, format_value(report.seconds(phase), Unit::seconds));
  text += fmt::format("in all {}; ", format_value(all_s, Unit::seconds));
  if (report.bytes() > 0) text += bytes_text(static_cast<double>(report.bytes())) + "; ";
  return text + configuration;
}

ExitCode exec_command(const Family& family, const ExecOptions& options) {
  ExecRequest request{.variant = {},
                      .point = {},
                      .problem = Point::parse(options.problem),
                      .options = family.exec_options().complete(options.family_options),
                      .data = role_files(options.data, "--data", StandardInput::of_one_role),
                      .outputs = options.outputs,
                      .cache_dir = chosen_cache_dir(options.cache_dir, "--cache-dir"),
                      .seed = options.seed};
  check_roles(family, request);
  const std::optional<ExecWinner> winner = take_winner(family, options, request);
  const Variant& variant = variant_of(family, winner ? request.variant : options.variant);
  if (!winner) {
    request.variant = variant.name;
    request.point = variant.space.complete(Point::parse(options.point));
  }
  const auto device = open_device(device_for(variant, winner ? winner->device : options.device));
  const auto begin = std::chrono::steady_clock::now();
  const ExecReport report = family.exec(request, *device);
  const double all_s = seconds_since(begin);
  const std::string origin = winner ? winner->origin : options.point.empty() ? "the default" : "of --point";
  say(stderr, "{}: {}\n", family.name(),
      line_of(report, all_s,
              fmt::format("{} {} on {}, {}", variant.name, request.point.to_string(), device->id(), origin)));
  return ExitCode::fine;
}

std::string option_of(std::string name) {
  std::ranges::replace(name, '_', '-');
  return "--" + name;
}

bool is_flag(const Axis& axis) {
  return axis.values == std::vector<AxisValue>{AxisValue("no"), AxisValue("yes")};
}

void add_family_option(CLI::App& exec, ExecOptions& options, const Axis& axis) {
  const std::string meaning = fmt::format("{} (default {})", axis.meaning, to_string(axis.default_value));
  if (is_flag(axis)) {
    exec.add_flag_callback(
        option_of(axis.name), [&options, axis] { options.family_options.set(axis.name, "yes"); },
        axis.meaning);
    return;
  }
  exec.add_option_function<std::string>(
      option_of(axis.name),
      [&options, axis](const std::string& value) {
        options.family_options.set(axis.name, Point::parse(axis.name + "=" + value).at(axis.name));
      },
      meaning);
}

std::string lines_of(const std::vector<Axis>& axes, std::string_view indent) {
  std::string lines;
  for (const Axis& axis : axes)
    lines += fmt::format("{}{} = {} (default {}): {}\n", indent, axis.name, allowed_values(axis),
                         to_string(axis.default_value), axis.meaning);
  return lines;
}

/// The allowed data, points and problems of a family.
std::string footer_of(const Family& family) {
  std::string text = "Roles of --data:\n";
  for (const auto& [role, meaning] : family.exec_roles())
    if (role != "out") text += fmt::format("  {}: {}\n", role, meaning);
  std::vector<Axis> problem = family.problem_space().axes();
  std::erase_if(problem, [&](const Axis& axis) {
    return std::ranges::any_of(family.exec_roles(),
                               [&](const auto& role) { return role.first == axis.name; });
  });
  if (!problem.empty()) text += "\nAxes of --problem:\n" + lines_of(problem, "  ");
  text += "\nVariants, and the axes of --point:\n";
  for (const Variant& variant : family.variants())
    text += fmt::format("  {}{} ({}): {}\n{}", variant.name,
                        variant.name == family.exec_variant() ? ", the default" : "",
                        variant.device == DeviceKind::cpu ? "cpu" : "cuda", variant.summary,
                        lines_of(variant.space.axes(), "    "));
  return text;
}

/// @param family  outlives `exec`
void add_family(CLI::App& exec, const Family& family, ExecOptions& options) {
  CLI::App* own = exec.add_subcommand(std::string(family.name()), std::string(family.summary()));
  std::string answers = "File of the answers";
  for (const auto& [role, meaning] : family.exec_roles())
    if (role == "out") answers = meaning;
  own->add_option("--variant", options.variant, "Variant");
  own->add_option("--point", options.point, "axis=value,...; axes left out take their defaults");
  own->add_option("--problem", options.problem, "axis=value,... of the problem, other than its data");
  own->add_option("--data", options.data, "role=file; role=-: standard input, for one role")
      ->allow_extra_args(false);
  own->add_option_function<std::string>(
      "-o,--output,--out", [&options](const std::string& path) { options.outputs["out"] = path; }, answers);
  for (const auto& [role, meaning] : family.exec_outputs())
    own->add_option_function<std::string>(
        option_of(role), [&options, role = role](const std::string& path) { options.outputs[role] = path; },
        meaning);
  own->add_option("--device", options.device, "cpu or cuda:N; default: the first that the variant runs on");
  own->add_option("--cache-dir", options.cache_dir, "Folder of built indexes and compiled kernels");
  own->add_flag("--default-points", options.default_points,
                "Without --point the default one, also where this machine has a winner");
  own->add_option("--seed", options.seed, "Seed of generated data");
  for (const Axis& axis : family.exec_options().axes()) add_family_option(*own, options, axis);
  own->footer(std::string());                            // not that of the whole program
  own->footer([&family] { return footer_of(family); });  // only --help asks for it
}

}  // namespace

Action add_exec(CLI::App& app, const Registry& registry) {
  struct Command {
    ExecOptions options;
    std::vector<std::shared_ptr<const Family>> families;
  };
  auto command = std::make_shared<Command>();
  command->families = registry.families;
  CLI::App* exec = app.add_subcommand("exec", "Run one variant at one point on files and write its answers");
  exec->require_subcommand(1);
  for (const auto& family : command->families) add_family(*exec, *family, command->options);
  exec->footer("exec FAMILY --help lists the roles, options, variants and axes of a family.");
  return [command, exec] {
    const std::string name = exec->get_subcommands().front()->get_name();
    const auto chosen =
        std::ranges::find_if(command->families, [&](const auto& family) { return family->name() == name; });
    return exec_command(**chosen, command->options);
  };
}

}  // namespace gpuseq::bench
