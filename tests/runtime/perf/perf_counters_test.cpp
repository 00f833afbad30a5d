#include "runtime/perf/perf_counters.hpp"

#include <gmock/gmock.h>

#include <cerrno>
#include <cstring>

#include "tests/golden_text.hpp"

namespace gpuseq {
namespace {

using ::testing::ElementsAre;
using ::testing::Key;

/// A processor with scripted counters: each read gives the next of an event's numbers.
struct ScriptedProcessor {
  struct Reading {
    std::uint64_t value, enabled_ns, running_ns;
  };
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<Reading>> events;  // by type and config
  int error = ENOENT;                                                              // of other events
  std::vector<pid_t> all_threads{1};
  std::string vendor = "AuthenticAMD";
  std::vector<const std::vector<Reading>*> opened = {};
  std::vector<std::size_t> reads = {};
  int closed = 0;
  std::vector<pid_t> counted = {};

  PerfCalls calls() {
    return {.open =
                [this](perf_event_attr& attributes, pid_t thread) {
                  EXPECT_EQ(attributes.inherit, 1u);
                  const auto found = events.find({attributes.type, attributes.config});
                  if (found == events.end()) {
                    errno = error;
                    return -1;
                  }
                  counted.push_back(thread);
                  opened.push_back(&found->second);
                  reads.push_back(0);
                  return static_cast<int>(opened.size()) - 1;
                },
            .read = [this](int descriptor, void* to, std::size_t bytes) -> long {
              const auto at = static_cast<std::size_t>(descriptor);
              std::memcpy(to, &opened[at]->at(reads[at]++), bytes);
              return static_cast<long>(bytes);
            },
            .close = [this](int) { ++closed; },
            .threads = [this] { return all_threads; },
            .vendor = vendor};
  }
};

const std::pair<std::uint32_t, std::uint64_t> kInstructions{PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS};

TEST(PerfCounters, CountOnlyWhatRunsInBetween) {
  ScriptedProcessor processor{.events = {{kInstructions, {{100, 10, 10}, {350, 20, 20}}}}};
  int ran = 0;
  const auto counts = count_cpu_events(
      {"instructions"}, [&] { ++ran; }, processor.calls());
  EXPECT_EQ(ran, 1);
  EXPECT_EQ(counts.value->at("instructions"), 250);
  EXPECT_EQ(processor.closed, 1);
}

TEST(PerfCounters, AddUpAllThreads) {
  ScriptedProcessor processor{.events = {{kInstructions, {{100, 10, 10}, {350, 20, 20}}}},
                              .all_threads = {7, 8, 9}};
  const auto counts = count_cpu_events(
      {"instructions"}, [] {}, processor.calls());
  EXPECT_EQ(counts.value->at("instructions"), 750);
  EXPECT_THAT(processor.counted, ElementsAre(7, 8, 9));
}

TEST(PerfCounters, SharedCountersAreScaled) {
  ScriptedProcessor processor{.events = {{kInstructions, {{0, 0, 0}, {50, 100, 25}}}}};
  EXPECT_EQ(count_cpu_events(
                {"instructions"}, [] {}, processor.calls())
                .value->at("instructions"),
            200);
}

TEST(PerfCounters, AnEventThatNeverRanIsLeftOut) {
  ScriptedProcessor processor{
      .events = {{kInstructions, {{0, 0, 0}, {50, 100, 25}}},
                 {{PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES}, {{0, 0, 0}, {0, 100, 0}}}}};
  const auto counts = count_cpu_events(
      {"instructions", "cycles"}, [] {}, processor.calls());
  EXPECT_THAT(*counts.value, ElementsAre(Key("instructions")));
}

TEST(PerfCounters, PageWalksAreTheVendorsOwn) {
  const auto walks = [](const std::string& vendor, std::uint64_t config) {
    ScriptedProcessor processor{.events = {{{PERF_TYPE_RAW, config}, {{0, 0, 0}, {5, 1, 1}}}},
                                .vendor = vendor};
    return count_cpu_events(
        {"page_walks"}, [] {}, processor.calls());
  };
  EXPECT_EQ(walks("AuthenticAMD", 0xf045).value->at("page_walks"), 5);
  EXPECT_EQ(walks("GenuineIntel", 0x0e08).value->at("page_walks"), 5);
  EXPECT_FALSE(walks("unknown", 0).value);
}

TEST(PerfCounters, WithoutHardwareThereIsAReason) {
  ScriptedProcessor machine{
      .events = {{{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS}, {{0, 0, 0}, {5, 1, 1}}}}};
  for (const int error : {ENOENT, EACCES, EINVAL}) {
    machine.error = error;
    const auto counts = count_cpu_events(
        cpu_counter_names(), [] { FAIL() << "nothing is counted"; }, machine.calls());
    EXPECT_FALSE(counts.value);
    expect_text(counts.reason);
  }
  expect_text(count_cpu_events(
                  {"sm__inst_executed.sum"}, [] {}, machine.calls())
                  .reason);
}

TEST(PerfCounters, TheKernelsOwnEventsAreReal) {
  constexpr std::size_t kPages = 1000, kPageBytes = 4096;
  const auto counts = count_cpu_events({"page_faults", "task_clock_ns"}, [] {
    std::vector<char> pages(kPages * kPageBytes * 2);
    for (std::size_t at = 0; at < pages.size(); at += kPageBytes) pages[at] = 1;
  });
  if (!counts.value) GTEST_SKIP() << counts.reason;
  EXPECT_GT(counts.value->at("page_faults"), 0);
  EXPECT_GT(counts.value->at("task_clock_ns"), 0);
}

}  // namespace
}  // namespace gpuseq
