#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "runtime/contract/point.hpp"

namespace gpuseq::bench {

/// The properties that a problem shares with others for which the same point is likely to win: its axes.
/// Words must be equal (mode, metric, filter; of data: "file", or how they are generated), numbers near each
/// other (sizes, lengths, shares, and the bytes of files).
struct ProblemClass {
  std::map<std::string, std::string> words;
  std::map<std::string, double> numbers;
  friend bool operator==(const ProblemClass&, const ProblemClass&) = default;
};

/// Numbers of one class differ by no more than this factor: caches and fill of a device are then alike.
inline constexpr double kClassFactor = 4;

/// @param space  of the family's problems
/// @param problem  complete
/// @param data_bytes  of the data that an axis may name, by their name
ProblemClass problem_class_of(const SearchSpace& space, const Point& problem,
                              const std::map<std::string, std::uint64_t>& data_bytes);

/// Gives a class that was written down before an axis was there the default of that axis.
void add_newer_axes(ProblemClass& of, const SearchSpace& space);

/// How far two problems are apart: the sum of their numbers' ratios in octaves. nullopt: they are not of one
/// class.
std::optional<double> distance(const ProblemClass& a, const ProblemClass& b);

nlohmann::ordered_json problem_class_json(const ProblemClass& of);
/// @param json  as the schema of tuned.json has it
ProblemClass problem_class_from_json(const nlohmann::json& json);

}  // namespace gpuseq::bench
