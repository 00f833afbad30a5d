#pragma once

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "bench/config/registry.hpp"
#include "runtime/contract/axes.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/output_files.hpp"

// A probe and a family whose speed, faults and failures are known, for tests of the program around them.

namespace gpuseq::bench::testing {

inline void spin(double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
  }
}

class ToyProblem : public Problem {
 public:
  std::string hash() const override { return "0123456789abcdef"; }
  nlohmann::json describe() const override { return {{"toys", 3}}; }
  std::string label(const Point&) const override { return "a box of toys"; }
};

/// Takes a known time per launch, and fails as its variant's name says.
class ToySession : public Session {
 public:
  ToySession(std::string variant, Work work, double seconds, std::optional<Traffic> traffic,
             HeldMemory held = {})
      : variant_(std::move(variant)),
        seconds_(seconds),
        cost_{.work = std::move(work), .held = std::move(held), .traffic = std::move(traffic)} {}
  Cost cost() const override { return cost_; }
  void launch() override {
    if (variant_ == "crash") std::raise(SIGSEGV);
    if (variant_ == "hang") std::this_thread::sleep_for(std::chrono::hours(1));
    spin(seconds_);
  }
  Verification verify() override {
    if (variant_ == "slower each time") {
      static double slowdown = 1;
      seconds_ *= slowdown *= 3;
    }
    const char* also_wrong = std::getenv("TOY_WRONG");  // as a build with a mistake in it
    const bool wrong = variant_ == "wrong" || (also_wrong != nullptr && variant_ == also_wrong);
    return {!wrong, 1, wrong ? "toy 0 is blue" : ""};
  }
  nlohmann::json facts() const override {
    return {{"bits_per_base", variant_ == "no_number" ? std::numeric_limits<double>::quiet_NaN() : 4.0}};
  }

 private:
  std::string variant_;
  double seconds_;
  Cost cost_;
};

inline Axis number_axis(std::string name, std::vector<AxisValue> values, std::string meaning) {
  Axis axis{.name = std::move(name),
            .values = values,
            .default_value = values.front(),
            .meaning = std::move(meaning),
            .accepts = {},
            .allowed = {}};
  return axis;
}

/// Writes each measured state to the file that TOY_LOG names,
/// so that a test sees which states were measured how often.
inline void log_measured(const std::string& state) {
  if (const char* log = std::getenv("TOY_LOG")) std::ofstream(log, std::ios::app) << state << "\n";
}

class ToyFamily : public Family {
 public:
  ToyFamily() {
    const SearchSpace space(
        {number_axis("speed", {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}}, "root of launches a ms"),
         number_axis("d", {std::int64_t{64}, std::int64_t{128}}, "no influence")},
        {{"not both", "speed 4 excludes d = 128",
          [](const Point& p) { return p.integer("speed") != 4 || p.integer("d") != 128; }}});
    for (const char* name : {"steady", "wrong", "crash", "hang", "too_big", "broken", "no_number"})
      variants_.push_back({.name = name, .summary = "a toy", .space = space, .prepare = toys_of(name)});
    variants_.push_back(
        {.name = "touchy",
         .summary = "a toy that states its traffic",
         .space = space,
         .prepare = toys_of("touchy"),
         .cost = [](const StateOutline&) { return Cost{.work = kWork, .traffic = kTraffic}; }});
    variants_.push_back({.name = "on_gpu",
                         .device = DeviceKind::cuda,
                         .summary = "a toy of a GPU",
                         .space = space,
                         .prepare = toys_of("on_gpu")});
  }
  std::string_view name() const override { return "toy"; }
  std::string_view summary() const override { return "Toys of known speed"; }
  const SearchSpace& problem_space() const override { return problems_; }
  const std::vector<Variant>& variants() const override { return variants_; }
  std::unique_ptr<Problem> load(const ProblemSpec& spec) const override {
    if (spec.point.integer("size") == 13) throw UsageError("toys.fa:7: record 3: not a toy");
    return std::make_unique<ToyProblem>();
  }
  std::vector<std::pair<std::string, std::string>> exec_roles() const override {
    return {{"toys", "the toys to play with"}};
  }
  std::vector<std::pair<std::string, std::string>> exec_outputs() const override {
    return {{"diary", "the problem that was played with"}};
  }
  const SearchSpace& exec_options() const override { return options_; }
  std::string_view exec_variant() const override { return "steady"; }
  ExecReport exec(const ExecRequest& request, Device& device) const override {
    OutputFiles files(name(), request.data, request.outputs);
    if (request.problem.has("size")) load({.point = request.problem, .files = {}, .cache_dir = {}});
    files.at("out") << request.variant << " " << request.point.to_string() << " on " << device.id() << "\n";
    if (files.has("diary"))
      files.at("diary") << request.problem.to_string() << "\n" << request.options.to_string() << "\n";
    if (request.variant == "hang") {
      files.flush();
      log_measured("all but the last is written");
      std::this_thread::sleep_for(std::chrono::hours(1));
    }
    files.commit();
    ExecReport report;
    report.add(Work{3, "toys"});
    return report;
  }

 private:
  inline static const Work kWork{1000, "toys"};
  inline static const Traffic kTraffic{.blocks = 1000, .block_bytes = 64, .footprint_bytes = 1 << 20};

  static Prepare toys_of(const std::string& variant) {
    return [variant](Problem&, const Point& point, Device&) {
      log_measured(variant + " " + point.to_string());
      if (variant == "too_big") throw DoesNotFit("the toy needs 5 boxes, there are 2");
      if (variant == "broken") throw std::runtime_error("the toy fell apart");
      // So far apart that they keep their order on a machine that has twice as much to do.
      const auto speed = static_cast<double>(point.integer("speed"));
      const double seconds = 1e-3 / (speed * speed);
      const auto held = static_cast<std::uint64_t>(1'000'000'000 * point.integer("speed"));  // as it says
      return std::make_unique<ToySession>(variant, kWork, seconds, kTraffic,
                                          HeldMemory{{{"box", held - 100}, {"output", 100}}});
    };
  }

  SearchSpace problems_{{number_axis("size", {std::int64_t{1}, std::int64_t{2}, std::int64_t{13}}, "toys")}};
  SearchSpace options_{{number_axis("least_fun", {std::int64_t{1}, std::int64_t{20}}, "how much"),
                        listed_axis("aloud", {AxisValue("no"), AxisValue("yes")}, "no", "read it out")}};
  std::vector<Variant> variants_;
};

/// Bandwidth 10 GB/s up to 1 MiB and 2 GB/s above: one hard knee.
class ToyProbe : public Family {
 public:
  ToyProbe() {
    Axis footprint = number_axis("footprint_bytes", {std::int64_t{1 << 20}}, "bytes");
    footprint.accepts = [](const AxisValue& v) { return std::holds_alternative<std::int64_t>(v); };
    footprint.allowed = "bytes";
    Axis access{.name = "access",
                .values = {AxisValue("independent"), AxisValue("dependent")},
                .default_value = AxisValue("independent"),
                .meaning = "addresses",
                .accepts = {},
                .allowed = {}};
    const SearchSpace cpu(
        {footprint, number_axis("block_bytes", {std::int64_t{64}, std::int64_t{128}}, "bytes"), access});
    const SearchSpace cuda(
        {footprint, number_axis("block_bytes", {std::int64_t{64}, std::int64_t{128}}, "bytes"), access,
         number_axis("in_flight", {std::int64_t{1}, std::int64_t{4}}, "accesses")});
    variants_ = {{.name = "cpu", .summary = "a toy probe", .space = cpu, .prepare = prepare_toy},
                 {.name = "cuda",
                  .device = DeviceKind::cuda,
                  .summary = "a toy probe",
                  .space = cuda,
                  .prepare = prepare_toy}};
  }
  std::string_view name() const override { return "random_access"; }
  std::string_view summary() const override { return "Toy bandwidth"; }
  const SearchSpace& problem_space() const override { return problems_; }
  const std::vector<Variant>& variants() const override { return variants_; }
  std::unique_ptr<Problem> load(const ProblemSpec&) const override { return std::make_unique<ToyProblem>(); }

 private:
  /// The first so many sessions of each point, as TOY_ASLEEP says.
  static bool asleep(const Point& point) {
    static std::map<std::string, int> prepared;
    const char* sessions = std::getenv("TOY_ASLEEP");
    return ++prepared[point.to_string()] <= (sessions == nullptr ? 0 : std::atoi(sessions));
  }

  /// The time of a machine that is another one: TOY_TIMES as much.
  static double times() {
    const char* times = std::getenv("TOY_TIMES");
    return times == nullptr ? 1 : std::atof(times);
  }

  static std::unique_ptr<Session> prepare_toy(Problem&, const Point& point, Device&) {
    log_measured("probe " + point.to_string());
    const double bandwidth = point.integer("footprint_bytes") <= (1 << 20) ? 1e10 : 2e9;
    // Short, so that a machine that is busy interrupts few launches, but no launch under 100 us: of such, so
    // many are timed at once that each sample would be interrupted.
    constexpr double kBytes = 1.05e6;
    const char* disturbed = std::getenv("TOY_DISTURBED");  // a footprint
    const bool slower = disturbed != nullptr && point.integer("footprint_bytes") == std::atoll(disturbed);
    return std::make_unique<ToySession>(slower ? "slower each time" : "probe", Work{kBytes, "bytes"},
                                        kBytes / bandwidth * times() * (asleep(point) ? 1000 : 1),
                                        std::nullopt);
  }

  SearchSpace problems_;
  std::vector<Variant> variants_;
};

inline Registry toy_registry() {
  Registry registry;
  registry.families.push_back(std::make_shared<ToyFamily>());
  registry.probes.push_back(std::make_shared<ToyProbe>());
  return registry;
}

}  // namespace gpuseq::bench::testing
