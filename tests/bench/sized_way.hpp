#pragma once

#include "bench/config/json_file.hpp"
#include "bench/plan/sizes/sizes.hpp"
#include "results/statistics/statistics.hpp"
#include "tests/bench/growing_toys.hpp"

// A fake measurer of problems whose size is to be found: devices obey laws.

namespace gpuseq::bench::testing {

inline const std::vector<DeviceInfo> kDevices{
    {.id = "cpu", .kind = DeviceKind::cpu, .free_bytes = std::size_t{1} << 40},
    {.id = "cuda:0", .kind = DeviceKind::cuda, .free_bytes = std::size_t{1} << 40}};

inline SuiteConfig config_of(const std::string& problems, const std::string& variants) {
  return config_from_json(
      parse_json(R"({"name": "t", "sampling": {"max_seconds": 0.1}, "families": {"growing": {"problems": )" +
                     problems + R"(, "variants": )" + variants + "}}}",
                 "t.json"),
      "t.json", "/");
}

/// How a variant solves the problem: a launch takes `start_s`, and its work over `rate`.
struct Law {
  double start_s = 0, rate = 1;
};

/// Runs a problem whose devices obey laws, by variant, until its sizes are found.
class SizedWay {
 public:
  explicit SizedWay(std::map<std::string, Law> laws, Growth growth = growth_of_toys(), Beside beside = {})
      : registry_(growing_registry(std::move(growth), beside)), laws_(std::move(laws)), beside_(beside) {
    std::string variants;
    for (const auto& [name, law] : laws_)
      variants += (variants.empty() ? "{" : ", ") + ("\"" + name + R"(": {"speed": [1, 2]})");
    config_ = config_of(R"([{"toys": "auto"}])", variants + "}");
    problem_ = plan(config_, registry_, kDevices).sized.at(0);
  }

  SizeStep go(SizeLimits limits = {.seconds = 1e9, .devices = kDevices}) {
    for (int i = 0; i < 100; ++i) {
      SizeStep step = next_size_step(problem_, records_, limits, config_);
      if (step.states.empty()) return step;
      for (const State& state : step.states) {
        if (has(state)) continue;  // a run measures nothing twice
        const std::int64_t size = state.key.problem.integer("toys");
        const bool loads = records_.empty() || records_.back().size->value != size;
        records_.push_back(record_of(state));
        if (loads) records_.back().took_s += load_s(size);
      }
    }
    throw std::logic_error("it does not end");
  }

  bool has(const State& state) const {
    return std::ranges::any_of(
        records_, [&](const results::Record& one) { return one.state.to_string() == state.key.to_string(); });
  }

  /// The sizes that were measured on a device.
  std::vector<std::int64_t> sizes(const std::string& device) const {
    std::vector<std::int64_t> found;
    for (const results::Record& record : records_)
      if (record.state.device == device && (found.empty() || found.back() != record.size->value))
        found.push_back(record.size->value);
    return found;
  }
  std::vector<std::string> variants_at(std::int64_t size) const {
    std::vector<std::string> found;
    for (const results::Record& record : records_)
      if (record.size->value == size) found.push_back(record.state.variant);
    return found;
  }
  /// The share that a size reaches of the rate of ever larger problems.
  double share_of_rate(const std::string& variant, std::int64_t size) const {
    const Law& law = laws_.at(variant);
    const double seconds = std::pow(static_cast<double>(size), growth().power) / law.rate;
    return seconds / (law.start_s + seconds);
  }
  /// Seconds of a record of a state, its loading left out.
  double took_s(const State& state) const { return record_of(state).took_s; }
  double load_s(std::int64_t size) const {
    return beside_.load_s + beside_.load_s_per_size * static_cast<double>(size);
  }

  std::vector<results::Record> records_;
  double compile_s_ = 0;  // of a kernel that no cache has
  std::int64_t most_that_fit_ = 1'000'000'000, data_ = 1'000'000'000;
  const SizedStates& problem() const { return problem_; }
  const SuiteConfig& config() const { return config_; }
  SuiteConfig& config() { return config_; }

 private:
  const Growth& growth() const { return *problem_.front().growth; }

  results::Record record_of(const State& state) const {
    results::Record record;
    record.state = state.key;
    record.kind = state.kind;
    record.phase = state.phase;
    const std::int64_t size = state.key.problem.integer("toys");
    record.size = results::ProblemSize{.axis = "toys", .noun = "toys", .value = size};
    if (size > most_that_fit_) {
      record.status = results::Status::skipped;
      record.failure = results::Failure{"does_not_fit", "too many toys"};
      return record;
    }
    const Law& law = laws_.at(state.key.variant);
    record.work = {std::pow(static_cast<double>(std::min(size, data_)), growth().power), "toys"};
    const double seconds = law.start_s + record.work.amount / law.rate;
    record.samples_s = {seconds, seconds, seconds};
    record.took_s = 0.01 + beside_.own_s + beside_.own_s_per_size * static_cast<double>(size) + 6 * seconds;
    if (compile_s_ > 0) {
      record.resources.emplace();
      record.resources->compile_s = records_.empty() ? compile_s_ : 0;
      record.took_s += record.resources->compile_s;
    }
    record.statistics = results::summarise(record.samples_s, record.work, 0.95, "sample limit");
    return record;
  }

  Registry registry_;
  std::map<std::string, Law> laws_;
  Beside beside_;
  SuiteConfig config_;
  SizedStates problem_;
};

}  // namespace gpuseq::bench::testing
