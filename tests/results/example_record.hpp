#pragma once

#include <fmt/format.h>

#include <cmath>

#include "results/record.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::results {

/// A record with a value in every field.
inline Record full_record() {
  Record record;
  record.state = {
      .family = "fm_index",
      .variant = "full_cooperative",
      .problem = {{"reference", std::string("ecoli")}, {"queries", std::int64_t{1000}}},
      .point = {{"k", std::int64_t{2}}, {"d", std::int64_t{64}}, {"counters", std::string("alternate")}},
      .device = "cuda:0"};
  record.kind = "kernel";
  record.phase = "sweep";
  record.repetition = 3;
  record.status = Status::ok;
  record.samples_s = {0.1, 1.0 / 3, 2e-9};
  record.launches_per_sample = 50;
  record.discarded_throttled = 1;
  record.discarded_interference = 2;
  record.reference_loop = ReferenceLoopTimes{.threads = 4, .best_s = 40e-6, .slowdown = 1.0625};
  record.work = {.amount = 1e8, .unit = "query bases"};
  record.statistics = Statistics{.samples = 3,
                                 .median_s = 0.1,
                                 .low_s = 2e-9,
                                 .high_s = 1.0 / 3,
                                 .confidence = 0.95,
                                 .min_s = 2e-9,
                                 .max_s = 1.0 / 3,
                                 .mean_s = 0.15,
                                 .stddev_s = 0.17,
                                 .rate = 1e9,
                                 .rate_low = 3e8,
                                 .rate_high = 5e16,
                                 .rate_unit = "query bases/s",
                                 .stopped_by = "sample limit"};
  record.single_launch = SingleLaunch{.samples_s = {0.2, 0.25}, .median_s = 0.225, .rate = 1e8 / 0.225};
  record.verification = Verification{.passed = true, .checked = 1000, .reason = ""};
  record.traffic = Traffic{.blocks = 8.83e7,
                           .block_bytes = 64,
                           .footprint_bytes = 1'500'000'000,
                           .access = "dependent",
                           .classes = {{1 << 20, 8e7}, {1 << 30, 8.3e6}}};
  record.instructions = Instructions{.operations = {{"prmt", 4e9}, {"viaddmin_s16x2", 1.5e10}}, .target = ""};
  record.resources = Resources{.registers_per_thread = 40,
                               .spill_bytes = 0,
                               .local_bytes = 8,
                               .shared_bytes = 1024,
                               .threads_per_block = 128,
                               .blocks = 5'000'000'000,
                               .occupancy = 0.75,
                               .compiled_by = "nvrtc",
                               .compile_s = 0.4,
                               .from_cache = true};
  record.memory = {HeldMemory{{{"index", 5'000'000'000}, {"output", 8'000'000}}}, {}};
  record.counters = {std::map<std::string, double>{{"dram__bytes_read.sum", 1e9}}, {}};
  record.energy = {nlohmann::json{{"joules", 1000.5}, {"seconds", 5.0}}, {}};
  record.bound = {
      Bound{.rate = 2e9, .bound_by = "random access", .explanation = "64 B blocks", .fraction = 0.5}, {}};
  record.side_samples_s = {{"upload", {0.01, 0.02}}};
  record.facts = {{"index_bytes", 123456789}, {"bits_per_base", 4.5}, {"layout", "alternate"}};
  record.notes = {"reference shortened to fit the device"};
  record.size = ProblemSize{.axis = "queries", .noun = "reads", .value = 1000};
  record.fills_device = Filling{.fills = false, .reason = "from 250 to 1000 reads its rate changed by 38 %"};
  record.took_s = 1.25;
  record.synthetic = true;
  record.problem_hash = "0123456789abcdef";
  record.problem_label = "ecoli, 4.94 Mbases, queries of 100 bases";
  record.provenance = {{"commit", "abc"}, {"seed", 1}};
  return record;
}

/// A record of a state that has no number.
inline Record failed_record() {
  Record record;
  record.state = {.family = "latency", .variant = "chase", .problem = {}, .point = {}, .device = "cpu"};
  record.kind = "probe";
  record.phase = "probe";
  record.status = Status::failed;
  record.failure = Failure{.kind = "timeout", .reason = "no answer within 60 s"};
  record.work = {.amount = 0, .unit = "accesses"};
  record.counters.reason = "no permission";
  record.energy.reason = "no counter";
  record.bound.reason = record.memory.reason = "the state failed";
  return record;
}

/// As of one sample.
inline void without_interval(Statistics& statistics) {
  statistics.low_s = statistics.high_s = statistics.confidence = std::nullopt;
  statistics.rate_low = statistics.rate_high = std::nullopt;
  statistics.interval_reason = "one sample has no interval";
}

/// Records with fields present and absent, and values large and small, at random.
inline Record random_record(Random& random) {
  const auto chance = [&] { return random.below(2) == 0; };
  const auto number = [&] { return (random.uniform() - 0.5) * (chance() ? 1e-12 : 1e12); };
  Record record = chance() ? full_record() : failed_record();
  record.repetition = static_cast<int>(random.below(100));
  record.work.amount = random.uniform() * 1e15;
  if (chance()) record.statistics.reset();
  if (record.statistics) record.statistics->median_s = random.uniform();
  if (chance()) record.single_launch.reset();
  if (chance() && record.statistics) without_interval(*record.statistics);
  if (chance())
    record.verification =
        Verification{.passed = false, .checked = random() >> 1, .reason = "query 3: \"\\\n\t\xc3\xa9"};
  if (chance() && record.traffic) record.traffic->classes.clear();
  if (chance()) record.traffic.reset();
  if (chance()) record.instructions.reset();
  if (chance())
    record.instructions = Instructions{.operations = {{"add_s16", std::fabs(number())}}, .target = "avx2"};
  if (chance())
    record.instructions = Instructions{
        .operations = {},
        .by_device = {{"cpu", {{"add_u8", std::fabs(number())}}, "avx2"}, {"cuda:0", {{"prmt", 1}}}}};
  if (chance()) record.resources.reset();
  if (chance()) record.memory = {std::nullopt, "nobody knows"};
  if (chance()) record.counters = {std::map<std::string, double>{{"a", number()}, {"b", number()}}, {}};
  if (chance()) record.bound = {std::nullopt, "no probe ran"};
  if (chance()) record.size.reset();
  if (chance()) record.fills_device = Filling{std::nullopt, "its rate was not measured over size"};
  if (chance()) record.fills_device.reset();
  if (chance()) record.took_s = 0;
  if (chance()) record.discarded_interference = 0;
  if (chance()) record.reference_loop.reset();
  for (std::uint64_t i = random.below(20); i > 0; --i) record.samples_s.push_back(random.uniform() * 1e-3);
  record.facts["random"] = number();
  record.state.point.set(fmt::format("z{}", random.below(9)), static_cast<std::int64_t>(random()));
  record.state.point.set("b", std::string("word"));
  record.synthetic = chance();
  return record;
}

}  // namespace gpuseq::results
