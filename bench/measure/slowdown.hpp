#pragma once

#include <memory>
#include <string>

#include "results/record.hpp"
#include "runtime/contract/family.hpp"

namespace gpuseq::bench {

/// The environment variable by which the tests of the gate slow one variant down: "fm_index/simd=1.05" makes
/// every launch of that variant take 1.05 times as long, in real time; on a GPU by a kernel that waits, whose
/// own start is in it (a microsecond).
inline constexpr const char* kSlowdownVariable = "GPUSEQ_TEST_SLOWDOWN";

/// The session itself; or, where the variable names its family and variant, one that wastes time after each
/// launch. @throws UsageError for a malformed variable
std::unique_ptr<Session> slowed_for_tests(std::unique_ptr<Session> session, const results::StateKey& state,
                                          Device& device);

}  // namespace gpuseq::bench
