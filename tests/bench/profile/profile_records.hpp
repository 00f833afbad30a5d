#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/profile/machine_profile.hpp"
#include "results/journal.hpp"
#include "results/statistics/statistics.hpp"
#include "runtime/io/json_text.hpp"
#include "tests/bench/lines.hpp"
#include "tests/source_dir.hpp"

// Records that profiles of tests are made of.

namespace gpuseq::bench {

struct CommittedRun {
  explicit CommittedRun(const std::string& name)
      : summary(read_json(run_dir(name) / "run.json")),
        records(results::Journal::load(run_dir(name) / "records.jsonl")) {}
  nlohmann::json summary;
  std::vector<results::Record> records;
};

inline const CommittedRun& h100() {
  static const CommittedRun run("h100-instructions");
  return run;
}

/// A record of the H100's with the seconds of another probe for some work.
inline results::Record probed(const std::string& family, Point point, Work work, double seconds) {
  results::Record record = h100().records.front();
  record.state = {
      .family = family, .variant = "cuda", .problem = {}, .point = std::move(point), .device = "cuda:0"};
  record.samples_s = std::vector<double>(6, seconds);
  record.work = std::move(work);
  record.statistics = results::summarise(record.samples_s, record.work, results::kConfidence, "");
  record.facts = nlohmann::json::object();
  return record;
}

/// The lines of a profile's text that its devices have for `key`.
inline std::string rows_of(const nlohmann::ordered_json& profile, const std::string& key) {
  nlohmann::ordered_json without = profile;
  for (nlohmann::ordered_json& device : without["devices"]) device.erase(key);
  return testing::lines_beyond(profile_text(profile), profile_text(without));
}

}  // namespace gpuseq::bench
