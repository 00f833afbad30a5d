#include "bench/measure/interference_filter.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "results/statistics/statistics.hpp"
#include "runtime/system/random.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double kFast = 40e-6, kSlow = 80e-6;  // of the reference loop
constexpr std::size_t kMany = 1000;

KeptSamples kept(const std::vector<double>& seconds, const std::vector<double>& reference_loop_s,
                 double best_s = kFast, std::size_t least = 1, std::size_t most = kMany) {
  return keep_undisturbed(seconds, reference_loop_s, best_s, least, most);
}

TEST(KeepUndisturbed, KeepsAllWhereNoneIsDisturbed) {
  const KeptSamples all = kept({1, 2, 3}, {kFast, 1.2 * kFast, 1.1 * kFast});
  EXPECT_THAT(all.seconds, ElementsAre(1, 2, 3));
  EXPECT_EQ(all.discarded, 0u);
  EXPECT_THAT(all.note, IsEmpty());
  EXPECT_DOUBLE_EQ(*all.slowdown, 1.1);
}

TEST(KeepUndisturbed, LeavesDisturbedSamplesOutAndKeepsTheOrder) {
  const KeptSamples some = kept({3, 5, 2, 6, 1}, {kFast, kSlow, kFast, kSlow, kFast});
  EXPECT_THAT(some.seconds, ElementsAre(3, 2, 1));
  EXPECT_EQ(some.discarded, 2u);
  EXPECT_THAT(some.note, IsEmpty());
  EXPECT_DOUBLE_EQ(*some.slowdown, 1);
}

TEST(KeepUndisturbed, KeepsAllWithANoteWhereTooFewWereLeft) {
  const KeptSamples all = kept({3, 5, 2, 6, 1}, {kFast, kSlow, kFast, kSlow, kSlow}, kFast, 3);
  EXPECT_THAT(all.seconds, ElementsAre(3, 5, 2, 6, 1));
  EXPECT_EQ(all.discarded, 0u);
  expect_text(all.note);
  EXPECT_DOUBLE_EQ(*all.slowdown, 2);
}

TEST(KeepUndisturbed, NeverLeavesNothing) {
  expect_text(kept({3, 5}, {kSlow, kSlow}).note);
  expect_text(kept({3}, {kSlow}).note);
  EXPECT_THAT(kept({3}, {kSlow}).seconds, ElementsAre(3));
}

TEST(KeepUndisturbed, KeepsNoMoreOfTheDisturbedThanAStateMayHave) {
  EXPECT_THAT(kept({1, 2, 3, 4}, {kSlow, kSlow, kSlow, kFast}, kFast, 2, 3).seconds, ElementsAre(1, 2, 3));
}

TEST(KeepUndisturbed, KeepsWhatIsNotJudged) {
  const KeptSamples long_ones = kept({3, 5, 2}, {0, kSlow, 0});
  EXPECT_THAT(long_ones.seconds, ElementsAre(3, 2));
  EXPECT_EQ(long_ones.slowdown, std::nullopt);
  EXPECT_EQ(kept({3, 5}, {0, 0}, 0).slowdown, std::nullopt) << "a GPU";
}

constexpr double kNever = 1e9;

/// A filter that has had samples together with runs of the reference loop.
InterferenceFilter filter_with(const std::vector<std::pair<double, double>>& samples_and_reference_loop,
                               std::size_t least) {
  InterferenceFilter filter(least);
  double best_s = kNever;
  for (const auto& [seconds, reference_loop_s] : samples_and_reference_loop) {
    filter.add(seconds, 0.01);
    best_s = std::min(best_s, reference_loop_s);
    filter.add_reference(reference_loop_s, best_s);
  }
  return filter;
}

TEST(InterferenceFilter, JudgesAnewWhenTheReferenceLoopIsFasterThanItEverWas) {
  InterferenceFilter filter = filter_with({{5, kSlow}, {6, kSlow}, {5, kSlow}}, 1);
  EXPECT_THAT(filter.undisturbed(), ElementsAre(5, 6, 5));
  filter.add(3, 0.01);
  filter.add_reference(kSlow, kSlow);  // as it was before this sample
  filter.add(2, 0.01);
  filter.add_reference(kFast, kFast);
  EXPECT_THAT(filter.undisturbed(), ElementsAre(2));
  EXPECT_THAT(filter.kept(kMany).seconds, ElementsAre(2));
  EXPECT_EQ(filter.kept(kMany).discarded, 4u);
}

TEST(InterferenceFilter, JudgesAllSamplesOfAStretchByTheReferenceLoopOnBothSidesOfIt) {
  InterferenceFilter filter(1);
  for (const double seconds : {1.0, 2.0}) filter.add(seconds, 1e-3);
  filter.add_reference(kFast, kFast);
  for (const double seconds : {3.0, 4.0}) filter.add(seconds, 1e-3);
  EXPECT_THAT(filter.undisturbed(), ElementsAre(1, 2, 3, 4)) << "until it is known";
  filter.add_reference(kSlow, kFast);
  filter.add(5, 1e-3);
  filter.add_reference(kFast, kFast);
  EXPECT_THAT(filter.undisturbed(), ElementsAre(1, 2, 5));
}

TEST(InterferenceFilter, DoesNotJudgeLaunchesThatAreLongerThanATurn) {
  InterferenceFilter filter(1);
  filter.add_reference(kFast, kFast);
  filter.add(3, 3);
  filter.add_reference(kSlow, kFast);
  EXPECT_THAT(filter.undisturbed(), ElementsAre(3));
  EXPECT_THAT(filter.kept(kMany).note, IsEmpty());
}

std::optional<std::string> after_three(std::span<const double> seconds, double) {
  return seconds.size() >= 3 ? std::optional<std::string>("sample limit") : std::nullopt;
}

TEST(InterferenceFilter, StopsAsWithoutAReferenceLoopWhereNoneIsDisturbed) {
  InterferenceFilter filter = filter_with({{1, kFast}, {1, kFast}}, 3);
  EXPECT_EQ(filter.stop(after_three, 0.1, 1, 0), std::nullopt);
  filter.add(1, 0.01);
  EXPECT_EQ(filter.stop(after_three, 0.1, 1, 0), "sample limit");
}

TEST(InterferenceFilter, WaitsForUndisturbedSamplesForTwiceTheTimeAtMost) {
  const std::vector<std::pair<double, double>> samples{{1, kFast}, {2, kSlow}, {2, kSlow}};
  InterferenceFilter quick = filter_with(samples, 3);
  EXPECT_EQ(quick.stop(after_three, 0.1, 1, 0.1), std::nullopt);
  EXPECT_EQ(quick.stop(after_three, 1.9, 1, 0.1), std::nullopt);
  EXPECT_EQ(quick.stop(after_three, 2, 1, 0.1), "sample limit");
  InterferenceFilter slow = filter_with(samples, 3);
  EXPECT_EQ(slow.stop(after_three, 5, 1, 0.1), std::nullopt);
  EXPECT_EQ(slow.stop(after_three, 9, 1, 0.1), std::nullopt);
  EXPECT_EQ(slow.stop(after_three, 10, 1, 0.1), "sample limit");
}

TEST(InterferenceFilter, DoesNotWaitOnAMachineThatHasBeenSlowerForLongerThanATurn) {
  InterferenceFilter filter = filter_with({{1, kFast}, {2, kSlow}, {2, kSlow}}, 3);
  EXPECT_EQ(filter.stop(after_three, 0.1, 1, 4), std::nullopt);
  EXPECT_EQ(filter.stop(after_three, 0.1, 1, 6), "sample limit");
}

TEST(InterferenceFilter, EndsWithEnoughUndisturbedSamplesHoweverManyAreDisturbed) {
  InterferenceFilter filter =
      filter_with({{1, kFast}, {2, kSlow}, {2, kSlow}, {2, kSlow}, {1, kFast}, {1, kFast}}, 3);
  EXPECT_EQ(filter.stop(after_three, 0.1, 1, 0), "sample limit");
  EXPECT_THAT(filter.kept(3).seconds, ElementsAre(1, 1, 1));
}

/// A core whose other hyperthread a neighbour uses for turns of 1 to 3 s, 40 % of the time; work takes
/// kTimesLonger then, and the reference loop twice as long.
class SharedCore {
 public:
  static constexpr double kTimesLonger = 1.65;

  explicit SharedCore(std::uint64_t seed) : random_(seed) {}

  double now() const { return now_s_; }
  bool is_disturbed() const { return disturbed_; }

  /// Runs for so long alone. @returns the seconds that it took
  double work(double alone_s, double times_longer = kTimesLonger) {
    const double begin_s = now_s_;
    while (alone_s > 0) {
      const double speed = disturbed_ ? 1 / times_longer : 1;
      const double part_s = std::min(alone_s / speed, turn_ends_s_ - now_s_);
      now_s_ += part_s;
      alone_s = part_s * speed >= alone_s * (1 - 1e-12) ? 0 : alone_s - part_s * speed;
      if (now_s_ >= turn_ends_s_) next_turn();
    }
    return now_s_ - begin_s;
  }

  double reference_loop_s() { return work(40e-6 * (1 + 0.05 * random_.uniform()), 2); }
  /// About as long, by one percent.
  double sample_s(double alone_s) { return work(alone_s * (0.99 + 0.02 * random_.uniform())); }
  Random& random() { return random_; }

 private:
  void next_turn() {
    disturbed_ = !disturbed_;
    turn_ends_s_ = now_s_ + (disturbed_ ? 1 + 2 * random_.uniform() : 1.5 + 3 * random_.uniform());
  }

  Random random_;
  double now_s_ = 0, turn_ends_s_ = 1;
  bool disturbed_ = false;
};

/// The sampler's work, on the core's own clock. The process begins alone: one that was disturbed for all
/// of its life cannot know it.
class Measured {
 public:
  explicit Measured(SharedCore& core) : core_(core) { run_reference_loop(); }

  KeptSamples state(double launch_s) {
    const results::StoppingCriterion criterion{
        .min_samples = 6, .max_samples = 50, .max_seconds = 1, .relative_interval = 0.002};
    const auto decide = [&](std::span<const double> samples, double elapsed_s) {
      return criterion.decide(samples, elapsed_s);
    };
    InterferenceFilter filter(results::kFewestSamples);
    all_s_.clear();
    usual_count_ = 0;
    const double start_s = core_.now();
    run_reference_loop();
    while (true) {
      const double seconds = core_.sample_s(launch_s);
      filter.add(seconds, seconds);
      all_s_.push_back(seconds);
      if (usual_count_ == 0 && decide(all_s_, core_.now() - start_s)) usual_count_ = all_s_.size();
      auto reason = filter.stop(decide, core_.now() - start_s, 1, core_.now() - last_quiet_s_);
      if (reason || core_.now() - last_run_s_ >= 2e-3) {
        const double before_s = run_s_;
        run_reference_loop();
        filter.add_reference(std::max(before_s, run_s_), best_s_);
        reason = filter.stop(decide, core_.now() - start_s, 1, core_.now() - last_quiet_s_);
      }
      if (reason) return filter.kept(criterion.max_samples);
    }
  }

  /// The samples of the last state without a reference loop, as far as they were taken.
  std::span<const double> usual_samples() const {
    return std::span(all_s_).first(usual_count_ > 0 ? usual_count_ : all_s_.size());
  }

 private:
  void run_reference_loop() {
    run_s_ = core_.reference_loop_s();
    last_run_s_ = core_.now();
    best_s_ = std::min(best_s_, run_s_);
    if (run_s_ < 1.25 * best_s_) last_quiet_s_ = core_.now();
  }

  SharedCore& core_;
  std::vector<double> all_s_;
  std::size_t usual_count_ = 0;
  double run_s_ = 0, best_s_ = kNever, last_run_s_ = 0, last_quiet_s_ = 0;
};

TEST(InterferenceFilter, FindsTheMedianOfAnUndisturbedCoreOnOneThatNeighboursShare) {
  int judged = 0, off = 0, off_without = 0, kept_disturbed = 0;
  for (std::uint64_t process = 0; process < 40; ++process) {
    SharedCore core(process);
    Measured measured(core);
    for (int state = 0; state < 50; ++state) {
      const double launch_s = 1e-3 * std::pow(500, core.random().uniform());  // to 0.5 s
      const auto is_off = [&](std::span<const double> samples) {
        return std::abs(results::median(samples) / launch_s - 1) > 0.02;
      };
      const KeptSamples kept = measured.state(launch_s);
      off_without += is_off(measured.usual_samples());
      core.work(0.2);  // the next state is prepared
      if (!kept.note.empty()) {
        ++kept_disturbed;
        continue;
      }
      ++judged;
      off += is_off(kept.seconds);
      EXPECT_GE(kept.seconds.size(), results::kFewestSamples);
    }
  }
  EXPECT_EQ(off, 0) << "of " << judged;
  EXPECT_GT(off_without, (judged + kept_disturbed) / 4);
  EXPECT_GT(judged, 3 * kept_disturbed);
}

}  // namespace
}  // namespace gpuseq::bench
