#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "reports/comparison/comparison.hpp"
#include "runtime/system/random.hpp"

/// Sides of comparisons made up for tests.
namespace gpuseq::comparison::example {

inline ComparedRecord record(const std::string& variant, std::vector<double> samples_s) {
  ComparedRecord r;
  r.state = {"fm_index", variant, {{"reference_bases", 1000000}}, {{"k", 2}, {"d", 64}}, "cpu"};
  r.phase = "sweep";
  r.samples_s = std::move(samples_s);
  r.work = {1e6, "query bases"};
  r.problem_hash = "0123456789abcdef";
  r.provenance = {
      {"program",
       {{"version", "0.1.0"}, {"commit", "aaaa"}, {"compiler", "GNU 12.2.0"}, {"flags", "-O3 -DNDEBUG"}}},
      {"config", "ci"},
      {"config_hash", "c0ffee"},
      {"seed", 1},
      {"host", {{"name", "a"}, {"kernel", "Linux 6.1"}, {"operating_system", "Debian 12"}}},
      {"device", {{"name", "AMD EPYC"}, {"cores", 2}, {"memory_bytes", 25276502016}, {"clock_mhz", 2900}}}};
  r.date = "2026-11-20T10:00:00Z";
  return r;
}

inline ComparedRecord without_number(const std::string& variant, results::Status status,
                                     const std::string& kind, const std::string& reason) {
  ComparedRecord r = record(variant, {});
  r.status = status;
  r.failure = results::Failure{kind, reason};
  return r;
}

/// `count` values around `level`, never below it, with a tail.
inline std::vector<double> timings(std::size_t count, double level, double noise, Random& random) {
  std::vector<double> values(count);
  for (double& value : values) value = level * (1 - noise * std::log(1 - random.uniform()));
  return values;
}

/// A variant in each of `count` processes, its time multiplied by `factor`.
inline Side processes(const std::vector<std::pair<std::string, double>>& variants, std::uint64_t seed,
                      std::size_t count = 8, double noise = 0.003) {
  Random random(seed);
  Side side{.name = fmt::format("runs/{}", seed)};
  for (std::size_t process = 0; process < count; ++process) {
    std::vector<ComparedRecord> records;
    for (const auto& [variant, factor] : variants)
      records.push_back(record(variant, timings(5, 0.01 * factor, noise, random)));
    side.processes.push_back(std::move(records));
  }
  return side;
}

/// Processes of which some met a neighbour: their times and their witness are longer by that. None of them
/// knows: the best that they saw is their own.
inline Side disturbed_processes(double factor, std::uint64_t seed, std::size_t quiet, std::size_t disturbed) {
  Side side = processes({{"scalar", factor}}, seed, quiet + disturbed);
  for (std::size_t i = 0; i < side.processes.size(); ++i)
    for (ComparedRecord& record : side.processes[i]) {
      const bool is_disturbed = i < disturbed;
      record.witness = {.threads = 1, .best_s = is_disturbed ? 80e-6 : 40e-6, .slowdown = 1.01};
      if (is_disturbed)
        for (double& sample : record.samples_s) sample *= 1.65;
    }
  return side;
}

inline Side one_process(std::vector<ComparedRecord> records, const std::string& name = "side") {
  return {.name = name, .processes = {std::move(records)}};
}

inline const StateComparison& state(const Comparison& comparison, const std::string& variant) {
  for (const StateComparison& state : comparison.states)
    if (state.state.variant == variant) return state;
  throw std::runtime_error(fmt::format("no state of {}", variant));
}

}  // namespace gpuseq::comparison::example
