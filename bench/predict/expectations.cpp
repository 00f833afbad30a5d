#include "bench/predict/expectations.hpp"

#include "bench/config/problem_files.hpp"
#include "bench/plan/data_bytes.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {

Expectations::Expectations(const SuiteConfig& config) : config_(config), data_bytes_(data_bytes(config)) {}

Maybe<CountedExpectation> Expectations::of(const State& state) {
  const Variant& variant = *state.variant;
  const CountingFamily* const counting = counting_of(*state.family);
  if (!tells_beforehand(*state.family, variant))
    return {std::nullopt, variant.name + " tells nothing before it is prepared"};
  try {
    // Records may be older than an axis.
    const StateOutline outline{variant.space.complete(state.key.point),
                               state.family->problem_space().complete(state.key.problem), data_bytes_};
    if (!variant.expectation) return counted(*counting, state, outline);
    Maybe<Expectation> told = variant.expectation(outline);
    if (!told.value) return {std::nullopt, told.reason};
    return {CountedExpectation{.expected = std::move(*told.value)}, {}};
  } catch (const ResourceError& error) {
    return {std::nullopt, error.what()};
  } catch (const UsageError& error) {
    return {std::nullopt, error.what()};
  }
}

Maybe<CountedExpectation> Expectations::counted(const CountingFamily& family, const State& state,
                                                const StateOutline& outline) {
  if (const std::string problem = state.key.family + "/" + outline.problem.to_string(); problem != problem_) {
    problem_ = problem;
    load(family, outline);
  }
  if (!counter_) return {std::nullopt, why_not_};
  return counter_->expectation(state.variant->name, outline.point);
}

void Expectations::load(const CountingFamily& family, const StateOutline& outline) {
  counter_.reset();  // its memory first
  why_not_ = family.why_not_counted(outline);
  if (!why_not_.empty()) return;
  try {
    counter_ = family.counter({.point = outline.problem,
                               .files = files_for(outline.problem, config_, unpacked_),
                               .seed = config_.seed,
                               .cache_dir = config_.cache_dir});
  } catch (const ResourceError& error) {
    why_not_ = error.what();
  } catch (const UsageError& error) {
    why_not_ = error.what();
  }
}

bool tells_beforehand(const Family& family, const Variant& variant) {
  return variant.expectation || (counting_of(family) != nullptr && !variant.whole_process);
}

}  // namespace gpuseq::bench
