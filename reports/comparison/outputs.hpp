#pragma once

#include <string>

#include "reports/comparison/comparison.hpp"

/// What a comparison is written as; each a pure function.
namespace gpuseq::comparison {

inline constexpr int kComparisonSchemaVersion = 1;

/// For a terminal: worst first, then totals. States that are the same are left out unless `all`.
std::string to_table(const Comparison& comparison, bool all = false);

/// For a pull request on GitHub: the verdict first, states that are the same folded away, then what differs
/// between the sides. Long lists are cut, with a line that says so: a comment holds 65 536 characters.
std::string to_markdown(const Comparison& comparison);

/// JUnit XML: one test suite, a test case a state. Regressed, missing and failed are failures, inconclusive
/// is skipped.
std::string to_junit(const Comparison& comparison);

/// Workflow commands of GitHub Actions: ::error for regressed, missing and failed, ::warning for
/// inconclusive.
std::string to_annotations(const Comparison& comparison);

/// Everything, as documented in docs/comparing.md; null where there is no number.
std::string to_json(const Comparison& comparison);

}  // namespace gpuseq::comparison
