#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <vector>

#include "bench/commands/commands.hpp"
#include "bench/run/run_folder.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

ExitCode migrate_command(const std::vector<fs::path>& runs) {
  for (const fs::path& run : runs) {
    const int files = migrate_run(run);
    say(stdout, "{}: {}\n", run.string(),
        files == 0 ? "has today's schema" : fmt::format("{} files converted", files));
  }
  return ExitCode::fine;
}

}  // namespace

Action add_migrate(CLI::App& app) {
  auto runs = std::make_shared<std::vector<fs::path>>();
  CLI::App* migrate =
      app.add_subcommand("migrate", "Convert the records of older versions, in place, to today's schema");
  migrate->add_option("runs", *runs, "Run folders")->required();
  return [runs] { return migrate_command(*runs); };
}

}  // namespace gpuseq::bench
