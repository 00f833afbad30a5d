#include <gmock/gmock.h>

#include "bench/predict/expectations.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/bench/toy_registry.hpp"

namespace gpuseq::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::ToyFamily;

/// Toys whose problems are counted on; what was loaded is written down.
class CountedToys final : public ToyFamily, public CountingFamily {
 public:
  std::string why_not_counted(const StateOutline& state) const override {
    return too_many && state.problem.integer("size") == 2 ? "so many toys take hours" : "";
  }
  std::unique_ptr<ExpectationCounter> counter(const ProblemSpec& spec) const override {
    loaded.push_back(spec.point.to_string());
    seed = spec.seed;
    if (spec.point.integer("size") == 13) throw UsageError("toys.fa:7: record 3: not a toy");
    return std::make_unique<ToyCounter>();
  }

  mutable std::vector<std::string> loaded;
  mutable std::uint64_t seed = 0;
  bool too_many = false;

 private:
  class ToyCounter final : public ExpectationCounter {
    Maybe<CountedExpectation> expectation(std::string_view variant, const Point& point) override {
      if (variant == "wrong") return {std::nullopt, "nobody knows"};
      return {CountedExpectation{.expected = {.work = {static_cast<double>(point.integer("speed")), "toys"}}},
              {}};
    }
  };
};

class ExpectationsOfToys : public ::testing::Test {
 protected:
  State state(const char* variant, std::int64_t size, std::int64_t speed = 1) const {
    return {.key = {"toy", variant, {{"size", size}}, {{"speed", speed}}, "cpu"},
            .kind = "kernel",
            .phase = "sweep",
            .family = &toys_,
            .variant = &toys_.variant(variant)};
  }
  CountedToys toys_;
  SuiteConfig config_ = [] {
    SuiteConfig config;
    config.seed = 9;
    return config;
  }();
};

TEST_F(ExpectationsOfToys, LoadAProblemOnceForAllItsStatesAndNotBeforeTheyAreAskedFor) {
  Expectations expectations(config_);
  EXPECT_THAT(toys_.loaded, ElementsAre());
  EXPECT_EQ(expectations.of(state("steady", 1, 1)).value->expected.work.amount, 1);
  EXPECT_EQ(expectations.of(state("touchy", 1, 4)).value->expected.work.amount, 4);
  EXPECT_EQ(toys_.loaded.size(), 1u);
  EXPECT_EQ(toys_.seed, 9u);
  EXPECT_TRUE(expectations.of(state("steady", 2)).value);
  EXPECT_EQ(toys_.loaded.size(), 2u);
}

TEST_F(ExpectationsOfToys, SayWhyThereIsNone) {
  toys_.too_many = true;
  Expectations expectations(config_);
  EXPECT_THAT(expectations.of(state("wrong", 1)).reason, HasSubstr("nobody knows"));
  EXPECT_THAT(expectations.of(state("steady", 2)).reason, HasSubstr("take hours"));
  EXPECT_EQ(toys_.loaded.size(), 1u);  // that was not even tried
  EXPECT_THAT(expectations.of(state("steady", 13)).reason, HasSubstr("not a toy"));
  EXPECT_THAT(expectations.of(state("touchy", 13)).reason, HasSubstr("not a toy"));
  EXPECT_EQ(toys_.loaded.size(), 2u);  // which fails once
}

TEST_F(ExpectationsOfToys, AreTheVariantsOwnWhereItTellsFromItsAxes) {
  Variant telling = toys_.variant("steady");
  telling.expectation = [](const StateOutline&) -> Maybe<Expectation> {
    return {Expectation{.work = {77, "toys"}}, {}};
  };
  State own = state("steady", 1);
  own.variant = &telling;
  Expectations expectations(config_);
  EXPECT_EQ(expectations.of(own).value->expected.work.amount, 77);
  EXPECT_THAT(toys_.loaded, ElementsAre());
  telling.expectation = [](const StateOutline&) -> Maybe<Expectation> {
    return {std::nullopt, "a file is read first"};
  };
  EXPECT_THAT(expectations.of(own).reason, HasSubstr("a file is read first"));
}

TEST(Expectations, OfAVariantThatTellsNothingAreNone) {
  const ToyFamily toys;
  const State state{.key = {"toy", "steady", {{"size", 1}}, {}, "cpu"},
                    .kind = "kernel",
                    .phase = "sweep",
                    .family = &toys,
                    .variant = &toys.variant("steady")};
  const SuiteConfig config;
  EXPECT_THAT(Expectations(config).of(state).reason, HasSubstr("steady tells nothing"));
}

}  // namespace
}  // namespace gpuseq::bench
