#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <memory>

#include "bench/commands/commands.hpp"
#include "bench/config/cache_dir.hpp"
#include "bench/config/role_files.hpp"
#include "bench/config/selection.hpp"
#include "bench/config/units.hpp"
#include "bench/export/export_folder.hpp"
#include "bench/phases/winners/take_winners.hpp"
#include "bench/phases/winners/winner_store.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/io/json_text.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct ExportOptions {
  std::string family, variant, point, problem, device;
  std::vector<std::string> data;
  fs::path from, output, cache_dir;
  bool default_points = false;
};

/// The exported variant, and the known facts about it.
struct Chosen {
  const Variant* variant;
  Point point;
  ordered_json winner = {};  // null: the point was stated, or is the default
  ProfileKey machine = {};   // of the winner
};

std::vector<std::string> exportable(const Family& family) {
  std::vector<std::string> names;
  for (const Variant& variant : family.variants())
    if (variant.exported) names.push_back(variant.name);
  return names;
}

std::vector<std::string> exportable_families(const Registry& registry) {
  std::vector<std::string> names;
  for (const auto& family : registry.families)
    if (!exportable(*family).empty()) names.emplace_back(family->name());
  return names;
}

const Variant& exportable_variant(const Family& family, std::string_view name) {
  const Variant& variant = family.variant(name);
  if (!variant.exported)
    throw UsageError(fmt::format("--variant {}: there is no library of it; allowed: {}", name,
                                 fmt::join(exportable(family), ", ")));
  return variant;
}

std::vector<std::string> allowed_variants(const Family& family, const ExportOptions& options) {
  return options.variant.empty() ? exportable(family) : std::vector<std::string>{options.variant};
}

std::optional<ExecWinner> winner_of(const Family& family, const ExportOptions& options) {
  std::vector<std::string> remarks;
  const fs::path cache = chosen_cache_dir(options.cache_dir, "--cache-dir");
  const std::vector<std::string> devices = resolve_devices(options.device.empty() ? "all" : options.device);
  const std::vector<std::string> variants = allowed_variants(family, options);
  std::optional<ExecWinner> winner;
  if (options.data.empty() && options.problem.empty()) {
    winner = latest_winner(family, cache, variants, devices, remarks);
  } else {
    const ExecRequest request{.variant = {},
                              .point = {},
                              .problem = Point::parse(options.problem),
                              .options = family.exec_options().complete({}),
                              .data = role_files(options.data, "--data", StandardInput::refused),
                              .outputs = {},
                              .cache_dir = cache};
    winner = winner_for(family, request, options.variant, devices, remarks);
  }
  for (const std::string& remark : remarks) say(stderr, "{}\n", remark);
  return winner;
}

std::string described(const KeptWinner& winner) {
  return fmt::format("{} {} on {}, for {}", winner.variant, winner.point.to_string(),
                     winner.json["device"].get<std::string>(), winner.problem_label);
}

/// 0 if the text is no whole number.
std::size_t number_in(const std::string& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

/// The winner of a run that the options select. @throws UsageError with a list if several or none match
Chosen winner_of_run(const Family& family, const ExportOptions& options) {
  const fs::path path = options.from / "tuned.json";
  const std::string text = read_file(path);
  const std::vector<std::string> variants = allowed_variants(family, options);
  std::vector<KeptWinner> found;
  for (const KeptWinner& winner : winners_from(text, path.string()))
    if (winner.family == family.name() && std::ranges::find(variants, winner.variant) != variants.end() &&
        (options.device.empty() || winner.json["device"] == options.device))
      found.push_back(winner);
  if (found.empty())
    throw UsageError(
        fmt::format("--from {}: no winner of {} that can be exported", options.from.string(), family.name()));
  std::string list;
  for (std::size_t i = 0; i < found.size(); ++i)
    list += fmt::format("{}{}: {}", i == 0 ? " " : "; ", i + 1, described(found[i]));
  const std::size_t chosen = options.problem.empty() && found.size() == 1 ? 1 : number_in(options.problem);
  if (chosen < 1 || chosen > found.size())
    throw UsageError(
        fmt::format("--from {}: --problem N selects one of its winners:{}", options.from.string(), list));
  const KeptWinner& winner = found[chosen - 1];
  say(stderr, "{}: the winner in {} is taken, {}\n", family.name(), options.from.string(), described(winner));
  const Variant& variant = exportable_variant(family, winner.variant);
  return {&variant,
          variant.space.complete(winner.point),
          winner.json,
          {parse_json(text, path.string())["machines"][winner.machine]}};
}

Chosen choose(const Family& family, const ExportOptions& options) {
  if (!options.from.empty()) return winner_of_run(family, options);
  if (options.point.empty() && !options.default_points)
    if (const auto winner = winner_of(family, options)) {
      say(stderr, "{}: {} {} on {}, {}\n", family.name(), winner->variant, winner->point.to_string(),
          winner->device, winner->origin);
      return {&exportable_variant(family, winner->variant), winner->point, winner->json,
              winner_key(open_device(winner->device)->describe())};
    }
  if (options.variant.empty())
    throw UsageError(
        fmt::format("export {}: this machine has no winner that is taken, so it needs --variant; allowed: {}",
                    family.name(), fmt::join(exportable(family), ", ")));
  const Variant& variant = exportable_variant(family, options.variant);
  return {&variant, variant.space.complete(Point::parse(options.point))};
}

/// The measurements of a winner, in a paragraph.
std::string rate_text(const Chosen& chosen) {
  if (chosen.winner.is_null())
    return "The point was stated, not measured: `gpuseq-bench tune` finds the best one of a machine.";
  const ordered_json& winner = chosen.winner;
  const auto number = [&](const char* key) {
    return winner[key].is_number() ? prefixed(winner[key].get<double>()) : std::string("?");
  };
  return fmt::format(
      "It won on the machine {} ({}), tuned {}: {}{}, {} to {} with {} % confidence, for {}. `tuned.json` "
      "has the record.",
      winner["machine"].get<std::string>(), winner["device"].get<std::string>(),
      winner["made"].get<std::string>(), number("rate"), winner["rate_unit"].get<std::string>(),
      number("rate_low"), number("rate_high"),
      winner["confidence"].is_number() ? 100 * winner["confidence"].get<double>() : 0,
      winner["problem_label"].get<std::string>());
}

ExitCode export_command(const ExportOptions& options, const Registry& registry) {
  const std::shared_ptr<const Family> family = registry.shared_family(options.family);
  if (exportable(*family).empty())
    throw UsageError(fmt::format("export {}: there is no library of this family; allowed: {}", options.family,
                                 fmt::join(exportable_families(registry), ", ")));
  const Chosen chosen = choose(*family, options);
  const ExportedLibrary library = chosen.variant->exported(chosen.point);
  ExportOrigin origin{.point = fmt::format("{} {}", chosen.variant->name, chosen.point.to_string()),
                      .rate = rate_text(chosen),
                      .tuned = {}};
  if (!chosen.winner.is_null()) origin.tuned = winners_text(chosen.machine, std::span(&chosen.winner, 1));
  write_export(options.output, library, origin);
  say("{}: {} {}; README.md there says how it is built\n", options.output.string(), library.name,
      origin.point);
  return ExitCode::fine;
}

}  // namespace

Action add_export(CLI::App& app, const Registry& registry) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* command = app.add_subcommand(
      "export", "Write a variant at one point as a library that other programs build without this one");
  command
      ->add_option("family", options->family,
                   "One of: " + fmt::format("{}", fmt::join(exportable_families(registry), ", ")))
      ->required();
  command->add_option("-o,--output,--out", options->output, "Folder of the library; new, or empty")
      ->required();
  command->add_option("--variant", options->variant, "Variant; default: that of this machine's winner");
  command->add_option("--point", options->point,
                      "axis=value,...; axes left out take their defaults; default: this machine's winner");
  command
      ->add_option("--data", options->data,
                   "role=file: of winners that of the nearest problem; default: the latest")
      ->allow_extra_args(false);
  command->add_option(
      "--problem", options->problem,
      "axis=value,... of that problem, other than its data; with --from which of its winners, N");
  command->add_option("--from", options->from, "Folder of a run whose winner is exported")
      ->check(CLI::ExistingDirectory);
  command->add_option("--device", options->device, "Device of the winners: cpu or cuda:N; default: all");
  command->add_option("--cache-dir", options->cache_dir, "Folder that has the winners");
  command->add_flag("--default-points", options->default_points,
                    "Without --point the default one, also where this machine has a winner");
  return [options, &registry] { return export_command(*options, registry); };
}

}  // namespace gpuseq::bench
