#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "bench/phases/race/contest.hpp"

namespace gpuseq::bench {

/// Candidates of contests by two objectives: for each problem and device those that no other is at least as
/// good as in both and better in one: an object each, in run.json's `pareto`, from the best by the first
/// objective on. With a limit, of those that keep to it. Empty where there are not two objectives.
nlohmann::ordered_json pareto_json(std::span<const Contest> contests, std::span<const Objective> objectives);

/// An element of `pareto` as text, a line a member: "  1.42 Gbases/s, 158 MB: simd (k=2,d=64)".
std::string pareto_text(const nlohmann::ordered_json& set);

}  // namespace gpuseq::bench
