#include "bench/options/config_options.hpp"

#include <CLI/CLI.hpp>

#include "bench/options/seconds_option.hpp"

namespace gpuseq::bench {

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
                  "Time that the run may take, the page included (90, 2min, 1h); what it cuts is said")
      ->transform(as_seconds());
  command
      .add_option(
          "--data", config.data,
          "role=file: a file of yours in the place of the config's data (reference=x.fa, queries=y.fq)")
      ->allow_extra_args(false);
  command.add_option(
      "--max-bytes", config.max_bytes,
      "Winners hold at most so many bytes (200M, 1.5GiB); the best without the limit is named too");
  command.add_option("--index-bytes", config.index_bytes,
                     "As --max-bytes, of the index alone, without queries, tables and output");
  command.add_option("--device-memory", config.device_memory,
                     "Act as if each device had so much memory: what takes more is skipped (8G)");
}

}  // namespace gpuseq::bench
