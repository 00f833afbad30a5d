#pragma once

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "reports/device_identity.hpp"
#include "reports/report_data.hpp"
#include "results/reading/provenances.hpp"
#include "runtime/contract/counters.hpp"
#include "tests/reports/example_exact_match.hpp"
#include "tests/reports/example_links.hpp"
#include "tests/reports/example_occupancy.hpp"
#include "tests/reports/example_orders.hpp"
#include "tests/reports/example_pairwise_distance.hpp"
#include "tests/reports/example_papara.hpp"
#include "tests/reports/example_profile_hmm.hpp"
#include "tests/reports/example_sizes.hpp"
#include "tests/reports/figures/example_fm_locate.hpp"
#include "tests/reports/figures/example_labels.hpp"
#include "tests/reports/figures/example_pipeline.hpp"

/// A run as the program would record it on a machine with one large GPU: shapes and levels are those of
/// measured curves, the values are computed here and no measurement.
namespace gpuseq::reports::example {

inline constexpr const char* kGpu = "NVIDIA H200";
inline constexpr const char* kCpu = "AMD EPYC 9R14 96-Core Processor";

/// Falls from 1 to `rest` around a footprint, within `octaves`.
inline double step(double footprint, double at, double octaves, double rest) {
  const double share = 1 / (1 + std::exp2(-std::log2(footprint / at) * 6 / octaves));
  return 1 - (1 - rest) * share;
}

inline void add_random_access(std::vector<results::Record>& records) {
  const std::vector<std::int64_t> blocks{32, 64, 128, 256, 512, 1024};
  for (int octave = 16; octave <= 37; ++octave) {
    const auto footprint = std::int64_t{1} << octave;
    const auto f = static_cast<double>(footprint);
    for (const std::int64_t block : blocks) {
      const auto b = static_cast<double>(block);
      for (const char* access : {"independent", "dependent"}) {
        const double limit = std::min(8.3e12, b * 1.55e11) * (access[0] == 'd' ? 0.83 : 1);
        const double gpu = limit * step(f, 48e6, 2.5, std::min(0.55, 0.17 + b / 700)) *
                           step(f, 8e10, 1, std::min(1.0, b / 520));
        records.push_back(record(
            "random_access", "cuda", {{"seed", 1}},
            {{"footprint_bytes", footprint}, {"block_bytes", block}, {"access", access}, {"in_flight", 4}},
            "cuda:0", 1e11, "bytes", gpu));
      }
      if (octave > 33) continue;
      for (const std::int64_t threads : {1, 0}) {
        const double cores = threads == 1 ? 1 : 90;
        const double cpu = cores * std::min(6e10, b * 8e8) * step(f, 1e6, 2, 0.3) *
                           step(f, 3e7 * (threads == 1 ? 1 : 8), 2, 0.25);
        records.push_back(record("random_access", "cpu", {{"seed", 1}},
                                 {{"footprint_bytes", footprint},
                                  {"block_bytes", block},
                                  {"access", "independent"},
                                  {"in_flight", 8},
                                  {"prefetch", "on"},
                                  {"pages", "huge"},
                                  {"threads", threads}},
                                 "cpu", 1e9, "bytes", cpu));
      }
    }
  }
}

inline void add_curves_over_footprint(std::vector<results::Record>& records) {
  for (int octave = 16; octave <= 36; ++octave) {
    const auto footprint = std::int64_t{1} << octave;
    const auto f = static_cast<double>(footprint);
    const double clocks = 404 + 420 * (1 - step(f, 6e7, 3, 0));
    records.push_back(record("latency", "chase", {{"seed", 1}}, {{"footprint_bytes", footprint}}, "cuda:0",
                             1e6, "accesses", 1.98e9 / clocks));
    for (const char* operation : {"read", "write", "copy"}) {
      const double level = operation[0] == 'r' ? 4.65e12 : operation[0] == 'w' ? 4.3e12 : 4.1e12;
      const double cache = 1 + 0.8 * step(f, 5e7, 2, 0);
      records.push_back(record("sequential", "stream", {{"seed", 1}},
                               {{"footprint_bytes", footprint}, {"operation", operation}}, "cuda:0", 1e10,
                               "bytes", level * cache));
    }
    if (octave > 33) continue;
    for (const char* pages : {"small", "huge"}) {
      const double ns =
          1.4 + 12 * (1 - step(f, 1e6, 2, 0)) + 80 * (1 - step(f, 3e7, 2, 0)) * (pages[0] == 's' ? 1.4 : 1);
      records.push_back(record("latency", "chase", {{"seed", 1}},
                               {{"footprint_bytes", footprint}, {"pages", pages}}, "cpu", 1e6, "accesses",
                               1e9 / ns));
    }
  }
}

inline void add_loaded_latency(std::vector<results::Record>& records) {
  const auto add = [&](Point loaders, const char* operation, std::int64_t pause_ns, double load, double ns) {
    const bool cpu = loaders.has("threads");
    Point point = std::move(loaders);
    point.set("footprint_bytes", std::int64_t{1} << 28);
    point.set("operation", operation);
    point.set("pause_ns", pause_ns);
    records.push_back(record("loaded_latency", cpu ? "cpu" : "cuda", {}, std::move(point),
                             cpu ? "cpu" : "cuda:0", 1e5, "accesses", 1e9 / ns));
    records.back().facts = {{"load_bytes_per_s", load}, {"latency_ns", ns}};
  };
  const Point cpu{{"threads", 0}}, gpu{{"blocks_per_sm", 4}};
  add({{"threads", 1}}, "read", 0, 0, 95);
  add({{"blocks_per_sm", 0}}, "read", 0, 0, 600);
  for (const std::int64_t pause_ns : {0, 1000, 5000}) {
    const double load = 2e11 / (1 + static_cast<double>(pause_ns) / 300);
    add(cpu, "read", pause_ns, load, 95 + load / 1e9);
    add(cpu, "write", pause_ns, load / 2, 95 + load / 0.8e9);
    add(gpu, "read", 20 * pause_ns, 15 * load, 600 + load / 3e8);
  }
}

inline void add_instruction_throughput(std::vector<results::Record>& records) {
  const auto add = [&](const char* device, Point point, nlohmann::json facts, double rate) {
    const char* variant = std::string(device) == "cpu" ? "cpu" : "cuda";
    records.push_back(
        record("instruction_throughput", variant, {}, std::move(point), device, 2e10, "operations", rate));
    records.back().facts = std::move(facts);
  };
  struct Row {
    const char *operation, *pipe;
    double rate;
  };
  const double lanes = 132 * 128 * 1.98e9;  // a second
  for (const auto& [operation, pipe, rate] :
       {Row{"viaddmin_s16x2", "alu", 0.49 * lanes}, Row{"prmt", "alu", 0.48 * lanes},
        Row{"min_f16x2", "alu", 0.98 * lanes}, Row{"imad", "fma", 0.5 * lanes},
        Row{"add_f16x2", "fma", 0.96 * lanes}, Row{"shuffle", "shared memory", 0.25 * lanes},
        Row{"prmt+viaddmin_s16x2", "alu", 0.49 * lanes}, Row{"prmt+imad", "alu, fma", 0.94 * lanes}})
    for (const std::int64_t threads : {256, 64})
      add("cuda:0", {{"operation", operation}, {"threads_per_block", threads}},
          {{"pipe", pipe}, {"multiprocessors", 132}, {"max_clock_mhz", 1980}},
          rate * static_cast<double>(threads) / 256);
  for (const char* target : {"avx2", "avx512"})
    for (const auto& [operation, pipe, rate] :
         {Row{"add_s16", "vector alu", 1.4e10}, Row{"load", "load", 0.8e10},
          Row{"load+add_s16", "load, vector alu", 1.4e10}})
      add("cpu", {{"operation", operation}, {"target", target}, {"threads", 1}}, {{"pipe", pipe}}, rate);
}

inline Point problem(std::int64_t bases) {
  return {{"reference", "random"},  {"reference_bases", bases}, {"queries", "sampled"},
          {"query_count", 4000000}, {"query_bases", 100},       {"occurring_percent", 100}};
}

/// Of 4 million queries of 100 bases.
inline Maybe<HeldMemory> held_with(double index_bytes) {
  return {HeldMemory{{{"index", static_cast<std::uint64_t>(index_bytes)},
                      {"queries", 4'000'000 * 40},
                      {"output", 4'000'000 * 8}}},
          {}};
}

inline double bits_per_base(int k, int d, bool alternate) {
  return 2 * k + 32 * std::pow(4, k) / (alternate ? 2 : 1) / d;
}

inline void add_search(std::vector<results::Record>& records, const std::string& variant, int k, int d,
                       bool alternate, std::int64_t bases, std::int64_t active_threads) {
  const double bits = bits_per_base(k, d, alternate);
  const double footprint = bits * static_cast<double>(bases) / 8;
  const double entry_bytes = d * bits / 8;
  const bool cooperative = variant == "full_cooperative", memory = variant == "memory_cooperative";
  const double locality = step(footprint, 1.2e8, 3, 0.5);
  double rate = 9.6e10 * locality * (k == 2 ? 1.45 - 0.5 * locality : 1) *
                std::pow(64 / entry_bytes, cooperative ? 0.45
                                           : memory    ? 0.7
                                                       : 0.85);
  if (variant == "task_parallel") rate *= 0.8;
  if (variant == "task_parallel_split") rate *= 1.08;
  if (alternate) rate *= 0.95;
  if (active_threads > 0) {
    const double threads = 132 * static_cast<double>(active_threads);
    const double full = cooperative ? 200000 : 90000;
    rate *= threads / (threads + full / 6) * (cooperative ? 1 : step(threads, full, 2, 0.7));
  }
  results::Record r = record("fm_index", variant, problem(bases),
                             {{"k", k},
                              {"d", d},
                              {"counters", alternate ? "alternate" : "full"},
                              {"prefix_symbols", 8},
                              {"threads_per_block", 128},
                              {"active_threads", active_threads}},
                             "cuda:0", 4e8, "query bases", rate);
  r.facts = {{"bits_per_base", bits},
             {"index_bytes", footprint},
             {"reference_bases", bases},
             {"blocks_per_base", 1.8 / k},
             {"resident_threads", 132 * (active_threads > 0 ? active_threads : 2048)}};
  r.memory = held_with(footprint);
  const double executed = 4e8 * 0.11 * (cooperative ? 2.5 : 1) * (8 + d / 20.0) * (k == 2 ? 1.12 : 1);
  r.counters = {std::map<std::string, double>{
                    {"sm__inst_executed.sum", executed},
                    {warp_state_metric("selected"), executed},
                    {warp_state_metric("wait"), 2 * executed},
                    {warp_state_metric("long_scoreboard"), (cooperative ? 10 : 30) * executed}},
                ""};
  const double ceiling = rate * (1.15 + d / 300.0 + (cooperative ? 0 : 0.6));
  r.ceiling = {results::Ceiling{ceiling, "random access", "blocks over bandwidth", rate / ceiling}, ""};
  r.synthetic = bases > 2000000000;
  if (active_threads == 0)
    r.energy = {
        nlohmann::json{{"joules", 2600}, {"seconds", 5}, {"watts", 520}, {"work_per_joule", rate / 420}}, ""};
  records.push_back(std::move(r));
}

inline void add_gpu_searches(std::vector<results::Record>& records) {
  for (const std::int64_t bases : {30000000LL, 100000000LL, 300000000LL, 1000000000LL, 3000000000LL})
    for (const int k : {1, 2})
      for (const int d : {64, 128, 192, 448})
        for (const bool alternate : {false, true})
          for (const char* variant : {"task_parallel", "task_parallel_16b", "task_parallel_split",
                                      "memory_cooperative", "full_cooperative"}) {
            if (k == 1 && alternate) continue;
            if (std::string(variant) == "memory_cooperative" && d > 192) continue;
            add_search(records, variant, k, d, alternate, bases, 0);
          }
  for (const char* variant : {"task_parallel", "task_parallel_16b", "task_parallel_split",
                              "memory_cooperative", "full_cooperative"})
    for (std::int64_t threads = 32; threads <= 1024; threads *= 2)
      add_search(records, variant, 1, 64, false, 1000000000, threads);
}

inline void add_cpu_searches(std::vector<results::Record>& records) {
  for (const std::int64_t bases : {30000000LL, 100000000LL, 1000000000LL})
    for (const char* variant : {"scalar", "prefetch", "simd"})
      for (const int d : {64, 192}) {
        const double base = variant[0] == 'p' ? 62e6 : variant[1] == 'i' ? 70e6 : 9e6;
        const double rate = 48 * base * step(static_cast<double>(bases), 1e8, 3, 0.6) * (d == 64 ? 1 : 0.8);
        results::Record r =
            record("fm_index", variant, problem(bases),
                   {{"k", 1}, {"d", d}, {"counters", "full"}, {"prefix_symbols", 10}, {"threads", 0}}, "cpu",
                   4e8, "query bases", rate);
        r.facts = {{"bits_per_base", bits_per_base(1, d, false)},
                   {"index_bytes", bits_per_base(1, d, false) * static_cast<double>(bases) / 8},
                   {"reference_bases", bases}};
        r.memory = held_with(bits_per_base(1, d, false) * static_cast<double>(bases) / 8);
        r.ceiling = {results::Ceiling{rate * 1.4, "random access", "blocks over bandwidth", 1 / 1.4}, ""};
        records.push_back(std::move(r));
      }
}

/// Another program on the same data, as a whole process.
inline void add_peer(std::vector<results::Record>& records) {
  results::Record r =
      record("fm_index", "bowtie", problem(100000000), Point{}, "cpu", 4e8, "query bases", 2.1e8);
  r.kind = "tool";
  r.ceiling.reason = "a whole process has none";
  records.push_back(std::move(r));
}

inline std::vector<results::Record> records() {
  std::vector<results::Record> all;
  add_random_access(all);
  add_curves_over_footprint(all);
  add_loaded_latency(all);
  add_occupancy(all);
  add_transfers(all);
  add_neighbour_accesses(all);
  add_instruction_throughput(all);
  add_gpu_searches(all);
  add_cpu_searches(all);
  add_ordered_searches(all, problem(100000000));
  add_occurring_searches(all, problem(100000000));
  add_published_scheme(all, problem(100000000));
  add_peer(all);
  add_locating(all);
  add_papara(all);
  add_profile_hmm(all);
  add_pipeline(all);
  add_pairwise_distance(all);
  add_exact_match(all);
  results::Record failed =
      record("fm_index", "one_hot", problem(3000000000LL), {{"k", 4}}, "cuda:0", 0, "query bases", 1);
  failed.status = results::Status::skipped;
  failed.statistics.reset();
  failed.samples_s.clear();
  failed.failure = results::Failure{"does_not_fit", "needs 1.1e11 bytes, 1.0e11 are free on <cuda:0>"};
  all.push_back(failed);
  add_sizes(all, problem(100000000));
  return all;
}

inline nlohmann::json summary() {
  nlohmann::json run{
      {"schema", 2},
      {"name", "example"},
      {"started", "2026-11-20T10:00:00Z"},
      {"finished", "2026-11-20T10:42:00Z"},
      {"complete", true},
      {"program", {{"version", "0.1.0"}, {"commit", "0123456789abcdef0123456789abcdef01234567"}}},
      {"config", {{"name", "example"}}},
      {"config_hash", "feedfacecafebeef"},
      {"config_source", "configs/example.json"},
      {"counts", {{"ok", 900}, {"failed", 0}, {"skipped", 1}}}};
  run["devices"]["cuda:0"] = {{"name", kGpu},
                              {"memory_bytes", 150123085824},
                              {"multiprocessors", 132},
                              {"threads_per_multiprocessor", 2048},
                              {"max_sm_clock_mhz", 1980},
                              {"power_limit_w", 700},
                              {"compute_capability", "9.0"},
                              {"ecc", true},
                              {"mig", nullptr},
                              {"mig_reason", "not enabled"}};
  run["devices"]["cpu"] = {
      {"name", kCpu},
      {"cores", 96},
      {"threads", 192},
      {"memory_bytes", 405000000000},
      {"caches", {{{"level", 1}, {"bytes", 32768}}, {{"level", 3}, {"bytes", 33554432}}}}};
  const auto level = [](const char* name, double bytes) {
    return nlohmann::json{{"name", name},
                          {"measured_bytes", bytes},
                          {"low_bytes", 0.84 * bytes},
                          {"high_bytes", 1.2 * bytes},
                          {"stated_bytes", nullptr},
                          {"uncertain", false}};
  };
  run["levels"]["cuda:0"] = {level("level 1", 2.4e5), level("L2 near", 3e7), level("L2", 5e7),
                             level("TLB", 7e10)};
  run["tuned"] = nlohmann::json::array({{{"family", "fm_index"},
                                         {"problem", problem(1000000000).to_json()},
                                         {"problem_label", "Example, 1 Gb, reads of 100"},
                                         {"device", "cuda:0"},
                                         {"objective", {{"metric", "rate"}, {"direction", "maximize"}}},
                                         {"variant", "full_cooperative"},
                                         {"point",
                                          {{"k", 2},
                                           {"d", 64},
                                           {"counters", "full"},
                                           {"prefix_symbols", 8},
                                           {"threads_per_block", 128},
                                           {"active_threads", 0}}},
                                         {"rate", 6.45e10},
                                         {"rate_low", 6.4e10},
                                         {"rate_high", 6.5e10},
                                         {"rate_unit", "query bases/s"},
                                         {"fraction_of_bound", 0.83},
                                         {"runners_up",
                                          {{{"variant", "full_cooperative"},
                                            {"point", {{"k", 2}, {"d", 64}, {"counters", "alternate"}}},
                                            {"rate", 6.2e10}}}}}});
  return run;
}

/// Records with the labels of their problems.
inline std::vector<results::Record> labelled(std::vector<results::Record> records) {
  for (results::Record& record : records)
    if (record.kind != "probe" && record.problem_label.empty()) record.problem_label = label_of(record);
  return records;
}

/// The run in memory, as load_runs() would give it.
inline ReportData data(std::vector<results::Record> from = records()) {
  from = labelled(std::move(from));
  ReportData data;
  data.runs.push_back({"example", "example", summary()});
  for (results::Record& r : from) data.entries.push_back({.record = std::move(r), .run = 0});
  identify_devices(data.runs, data.entries);
  return data;
}

/// The run on disk: records.jsonl and run.json.
inline void write(const std::filesystem::path& dir, const std::vector<results::Record>& from = records(),
                  const nlohmann::json& run = summary()) {
  std::filesystem::create_directories(dir);
  std::ofstream(dir / "records.jsonl") << results::lines_of(labelled(from));
  std::ofstream(dir / "run.json") << run.dump(1) << '\n';
}

}  // namespace gpuseq::reports::example
