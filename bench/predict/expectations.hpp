#pragma once

#include <map>
#include <memory>
#include <string>

#include "bench/config/config.hpp"
#include "bench/plan/state.hpp"
#include "runtime/contract/expectation_counter.hpp"
#include "runtime/folders/scratch_folder.hpp"

namespace gpuseq::bench {

/// What is expected of the states of a config before anything is prepared: by a variant from the axes, or by
/// its family's counter on the problem. A problem is loaded when the first of its states is asked for, and
/// kept until one of another is.
class Expectations {
 public:
  /// @param config  data, seed and cache. Must outlive this
  explicit Expectations(const SuiteConfig& config);

  /// @returns the reason where nobody can tell
  Maybe<CountedExpectation> of(const State& state);

 private:
  Maybe<CountedExpectation> counted(const CountingFamily& family, const State& state,
                                    const StateOutline& outline);
  void load(const CountingFamily& family, const StateOutline& outline);

  const SuiteConfig& config_;
  const std::map<std::string, std::uint64_t> data_bytes_;
  std::unique_ptr<ScratchFolder> unpacked_;  // of archives, where nothing is cached
  std::string problem_;                      // that the counter is of, or why_not_ is said of
  std::unique_ptr<ExpectationCounter> counter_;
  std::string why_not_;
};

/// Whether something can be expected of a variant at all.
bool tells_beforehand(const Family& family, const Variant& variant);

}  // namespace gpuseq::bench
