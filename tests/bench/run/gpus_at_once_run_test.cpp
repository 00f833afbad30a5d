#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <map>
#include <set>

#include "tests/bench/toy_program.hpp"

// Runs over GPUs of a fake driver (tests/runtime/fake_gpus), which compute nothing. Toys write when they
// launch.

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;
using namespace testing;

double now_s() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);  // the same in all processes
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Writes the variant, the process and the time of each launch to the file that SPANS names.
class SpanSession : public ToySession {
 public:
  SpanSession(std::string variant, double seconds)
      : ToySession(variant, {1000, "toys"}, seconds, std::nullopt),
        name_(std::move(variant)),
        seconds_(seconds) {}
  void launch() override {
    const double begun = now_s();
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds_));
    if (const char* spans = std::getenv("SPANS"))
      std::ofstream(spans, std::ios::app)
          << fmt::format("{} {} {:.6f} {:.6f}\n", name_, getpid(), begun, now_s());
  }

 private:
  std::string name_;
  double seconds_;
};

class Spans : public Family {
 public:
  Spans() {
    const SearchSpace space(
        {number_axis("d", {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}}, "no influence")});
    for (const char* name : {"cpu", "gpu", "crash_gpu"})
      variants_.push_back({.name = name,
                           .device = std::string(name).ends_with("gpu") ? DeviceKind::cuda : DeviceKind::cpu,
                           .summary = "a toy",
                           .space = space,
                           .prepare = [name](Problem&, const Point&, Device&) -> std::unique_ptr<Session> {
                             if (std::string(name) == "crash_gpu") std::raise(SIGKILL);
                             return std::make_unique<SpanSession>(name, 0.004);
                           }});
  }
  std::string_view name() const override { return "spans"; }
  std::string_view summary() const override { return "Toys that write when they run"; }
  const SearchSpace& problem_space() const override { return problems_; }
  const std::vector<Variant>& variants() const override { return variants_; }
  std::unique_ptr<Problem> load(const ProblemSpec&) const override { return std::make_unique<ToyProblem>(); }

 private:
  SearchSpace problems_{{number_axis("size", {std::int64_t{1}, std::int64_t{2}}, "no influence")}};
  std::vector<Variant> variants_;
};

struct Span {
  std::string variant;
  int process = 0;
  double begin_s = 0, end_s = 0;
  bool overlaps(const Span& other) const { return begin_s < other.end_s && other.begin_s < end_s; }
};

class GpusAtOnce : public ::testing::Test {
 protected:
  /// Runs three cases of each variant on all devices of a machine with so many GPUs.
  void run(int gpus, const std::string& variants, const std::vector<std::string>& more = {},
           const std::string& contended = "", const std::string& sampling = kSampling) {
    const fs::path libraries = fs::read_symlink("/proc/self/exe").parent_path() / "fake_gpus";
    const fs::path config = scratch_.write(
        "spans.json",
        R"({"name": "spans", "devices": "all", "probe_budget_s": 0, )" + sampling +
            R"(, "tune": {"remeasure": 0}, "families": {"spans": {"problems": [{}], "variants": )" +
            variants + "}}}");
    std::vector<std::string> arguments{"run", "--config", config, "--no-report"};
    if (more.empty()) arguments.insert(arguments.end(), {"--output", scratch_ / "run"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    Program program(scratch_, arguments, [&] {
      setenv("LD_LIBRARY_PATH", libraries.c_str(), 1);
      setenv("FAKE_GPUS", std::to_string(gpus).c_str(), 1);
      setenv("SPANS", (scratch_ / "spans.txt").c_str(), 1);
      if (!contended.empty()) setenv("FAKE_GPUS_CONTENDED", contended.c_str(), 1);
    });
    code_ = program.wait();
    said_ = program.err();
  }
  nlohmann::json decision() const {
    return run_json(scratch_ / "run").value("gpus_at_once", nlohmann::json());
  }
  std::vector<Span> spans() const {
    std::ifstream file(scratch_ / "spans.txt");
    std::vector<Span> all;
    for (Span one; file >> one.variant >> one.process >> one.begin_s >> one.end_s;) all.push_back(one);
    return all;
  }
  /// Pairs of launches of different processes at the same time.
  static int overlaps(const std::vector<Span>& spans, const std::string& one, const std::string& other) {
    int count = 0;
    for (const Span& a : spans)
      for (const Span& b : spans)
        count += a.variant == one && b.variant == other && a.process != b.process && a.overlaps(b) ? 1 : 0;
    return count;
  }
  std::vector<std::string> keys() const {
    std::vector<std::string> keys;
    for (const results::Record& record : records(scratch_ / "run"))
      keys.push_back(results::record_key(record));
    std::ranges::sort(keys);
    return keys;
  }

  Scratch scratch_;
  int code_ = -1;
  std::string said_;
};

/// Long enough for processes that begin at the same time to be at it together.
constexpr const char* kLong =
    R"("sampling": {"min_samples": 9, "max_samples": 500, "min_seconds": 0.5, "max_seconds": 0.5})";
constexpr const char* kAll = R"({"cpu": {"d": "all"}, "gpu": {"d": "all"}})";

TEST_F(GpusAtOnce, CasesOfGpusOverlapAndThoseOfTheCpuStandAlone) {
  run(3, kAll);
  ASSERT_EQ(code_, 0) << said_;
  EXPECT_TRUE(decision()["at_once"]) << said_;
  EXPECT_EQ(decision()["gpus"], nlohmann::json({"cuda:0", "cuda:1", "cuda:2"}));
  EXPECT_EQ(keys().size(), 12u);
  const std::vector<std::string> all = keys();
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), 12u);
  const std::vector<Span> found = spans();
  EXPECT_GT(overlaps(found, "gpu", "gpu"), 0);
  EXPECT_EQ(overlaps(found, "gpu", "cpu"), 0);
}

TEST_F(GpusAtOnce, AreMeasuredInTurnIfTheControlCaseIsSlower) {
  const fs::path contended = scratch_ / "contended";
  fs::create_directory(contended);
  run(2, R"({"gpu": {"d": "all"}})", {}, contended, kLong);
  ASSERT_EQ(code_, 0) << said_;
  EXPECT_FALSE(decision()["at_once"]);
  EXPECT_THAT(decision()["reason"], ::testing::HasSubstr("at the same time"));
  const std::vector<results::Record> all = records(scratch_ / "run");
  ASSERT_EQ(all.size(), 6u);
  for (const results::Record& record : all) EXPECT_TRUE(record.statistics) << record.state.to_string();
}

TEST_F(GpusAtOnce, OneGpuHasNoControlCase) {
  run(1, kAll);
  ASSERT_EQ(code_, 0) << said_;
  EXPECT_TRUE(decision().is_null());
  EXPECT_EQ(keys().size(), 6u);
}

TEST_F(GpusAtOnce, CrashesCostTheirOwnCasesOnly) {
  run(2, R"({"gpu": {"d": "all"}, "crash_gpu": {"d": 1}})");
  EXPECT_EQ(code_, 1);
  EXPECT_TRUE(decision()["at_once"]) << said_;
  int failed = 0;
  for (const results::Record& record : records(scratch_ / "run"))
    failed += record.status == results::Status::failed ? 1 : 0;
  EXPECT_EQ(failed, 2);
  EXPECT_EQ(keys().size(), 8u);
}

TEST_F(GpusAtOnce, ResumedRunMeasuresTheRest) {
  run(2, kAll);
  ASSERT_EQ(code_, 0) << said_;
  const std::vector<std::string> whole = keys();
  keep_records(scratch_ / "run" / "records.jsonl", 4);
  run(2, kAll, {"--resume", scratch_ / "run"});
  ASSERT_EQ(code_, 0) << said_;
  EXPECT_EQ(keys(), whole);
}

TEST_F(GpusAtOnce, MigSlicesAreDevicesOfTheirOwn) {
  run(2, kAll);
  ASSERT_EQ(code_, 0) << said_;
  std::set<std::string> uuids;
  const nlohmann::json summary = run_json(scratch_ / "run");
  for (const auto& [id, device] : summary["devices"].items()) {
    if (id == "cpu") continue;
    EXPECT_TRUE(device["mig"].get<bool>());
    EXPECT_THAT(device["uuid"].get<std::string>(), ::testing::StartsWith("MIG-"));
    uuids.insert(device["uuid"].get<std::string>());
  }
  EXPECT_EQ(uuids.size(), 2u);
}

TEST_F(GpusAtOnce, SearchMeasuresItsFirstPointsAtOnce) {
  run(2, kAll,
      {"--output", scratch_ / "run", "--set",
       R"(tune={"strategy": "random", "evaluations": 3, "remeasure": 2, "rounds": 2})"});
  ASSERT_EQ(code_, 0) << said_;
  EXPECT_TRUE(decision()["at_once"]) << said_;
  std::map<std::string, int> swept;
  for (const results::Record& record : records(scratch_ / "run"))
    if (record.phase == "sweep") ++swept[record.state.device];
  EXPECT_EQ(swept, (std::map<std::string, int>{{"cpu", 3}, {"cuda:0", 3}, {"cuda:1", 3}}));
  EXPECT_EQ(overlaps(spans(), "gpu", "cpu"), 0);
}

TEST_F(GpusAtOnce, BudgetIsOfTheClock) {
  run(3, kAll, {"--output", scratch_ / "run", "--budget", "20"});
  ASSERT_EQ(code_, 0) << said_;
  EXPECT_TRUE(decision()["at_once"]) << said_;
  EXPECT_EQ(keys().size(), 12u);
  EXPECT_GT(overlaps(spans(), "gpu", "gpu"), 0);
}

}  // namespace
}  // namespace gpuseq::bench

int main(int argc, char** argv) {
  gpuseq::bench::Registry registry = gpuseq::bench::testing::toy_registry();
  registry.families.push_back(std::make_shared<gpuseq::bench::Spans>());
  return gpuseq::bench::testing::toy_main(argc, argv, std::move(registry));
}
