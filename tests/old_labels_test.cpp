#include "reports/old_labels.hpp"

#include <gtest/gtest.h>

#include "bench/base/registry.hpp"
#include "reports/figure_tools.hpp"
#include "tests/reports/example_record.hpp"

namespace gpuseq::reports {
namespace {

class OldLabels : public ::testing::TestWithParam<std::string> {};

/// Old and new records of one problem are one problem in a figure.
TEST_P(OldLabels, AreTheWordsThatTheFamilyUsesNow) {
  const bench::Registry registry = bench::make_registry();
  for (const auto& family : registry.families) {
    if (family->name() != GetParam()) continue;
    const Point point = family->problem_space().complete(family->small_problem());
    const auto problem =
        family->load({.point = point, .files = {}, .seed = 3, .cache_dir = {}, .threads = 2});
    results::Record record = example::record(GetParam(), "any", point, {}, "cpu", 1, "queries", 1);
    record.facts = problem->describe();
    EXPECT_EQ(label_of_old_record(record), problem->label(point));
    record.problem_label = "its own words";
    EXPECT_EQ(problem_name(Entry{.record = record}), "its own words");
  }
}

INSTANTIATE_TEST_SUITE_P(Families, OldLabels,
                         ::testing::Values("exact_match", "fm_index", "pairwise_distance", "papara",
                                           "profile_hmm"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace gpuseq::reports
