#include "bench/commands/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <utility>

namespace gpuseq::bench {

CLI::Validator as_seconds() {
  static constexpr double kMost = 31'536'000;
  return CLI::Validator(
      [](std::string& text) {
        std::string digits = text;
        double unit_s = 1;
        for (const auto& [unit, seconds] : {std::pair{"min", 60.0}, {"h", 3600.0}, {"s", 1.0}})
          if (digits.ends_with(unit)) {
            digits.resize(digits.size() - std::string_view(unit).size());
            unit_s = seconds;
            break;
          }
        double value = 0;
        const bool number = CLI::detail::lexical_cast(digits, value);
        if (!number || !(value > 0) || !(value * unit_s <= kMost))
          return fmt::format("{} is no time above 0 and up to {} seconds; allowed: 90, 90s, 2min, 1h", text,
                             kMost);
        text = fmt::format("{}", value * unit_s);
        return std::string();
      },
      "SECONDS");
}

void add_color_option(CLI::App& command, ColourChoice& choice) {
  command
      .add_option_function<std::string>(
          "--color",
          [&choice](const std::string& word) {
            choice = word == "always"  ? ColourChoice::always
                     : word == "never" ? ColourChoice::never
                                       : ColourChoice::automatic;
          },
          "Colour of the output; auto: on a terminal, unless NO_COLOR is set or TERM is dumb")
      ->check(CLI::IsMember({"auto", "always", "never"}));
}

void add_config_options(CLI::App& command, ConfigChoice& config) {
  command.add_option("-c,--config", config.path,
                     "Run description (JSON), or the run.json of a run; looked up here, then in configs/; "
                     "default quick.json");
  command
      .add_option("--set", config.overrides,
                  "Override a.b.c=JSON, e.g. probes.random_access.block_bytes=[32,128]; null removes it")
      ->allow_extra_args(false);
  command.add_option("--device", config.device, "cpu, cuda:N, all, auto or a comma-separated list");
  command
      .add_option("--budget", config.budget_s,
                  "Time that the run may take, the page included (90, 2min, 1h); cut cases are listed")
      ->transform(as_seconds());
  command
      .add_option(
          "--data", config.data,
          "role=file: a file of yours in the place of the config's data (reference=x.fa, queries=y.fq)")
      ->allow_extra_args(false);
  command.add_option("--max-bytes", config.max_bytes,
                     "Winners have a memory footprint of at most so many bytes (200M, 1.5GiB); the best "
                     "without the limit is named too");
  command
      .add_option("--plugin", config.plugins,
                  "Shared library with kernels of yours (docs/guides/plugins.md); they are variants of their "
                  "family on "
                  "each of its problems")
      ->allow_extra_args(false);
  command.add_option("--index-bytes", config.index_bytes,
                     "Like --max-bytes, for the index alone, without queries, tables and output");
  command.add_option("--device-memory", config.device_memory,
                     "Act as if each device had so much memory: larger cases are skipped (8G)");
}

}  // namespace gpuseq::bench
