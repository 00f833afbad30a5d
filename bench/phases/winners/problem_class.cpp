#include "bench/phases/winners/problem_class.hpp"

#include <algorithm>
#include <cmath>

#include "bench/config/selection.hpp"

namespace gpuseq::bench {

ProblemClass problem_class_of(const SearchSpace& space, const Point& problem,
                              const std::map<std::string, std::uint64_t>& data_bytes) {
  ProblemClass found;
  for (const auto& [name, value] : problem.values()) {
    if (const auto* const number = std::get_if<std::int64_t>(&value)) {
      found.numbers[name] = static_cast<double>(*number);
      continue;
    }
    const std::string& word = std::get<std::string>(value);
    const Axis* const axis = space.find(name);
    const bool is_file =
        axis != nullptr && names_data(*axis) && std::ranges::find(axis->values, value) == axis->values.end();
    found.words[name] = is_file ? "file" : word;
    if (const auto bytes = data_bytes.find(word); is_file && bytes != data_bytes.end())
      found.numbers[name + "_file_bytes"] = static_cast<double>(bytes->second);
  }
  return found;
}

void add_newer_axes(ProblemClass& of, const SearchSpace& space) {
  for (const Axis& axis : space.axes()) {
    if (of.words.contains(axis.name) || of.numbers.contains(axis.name)) continue;
    if (const auto* const number = std::get_if<std::int64_t>(&axis.default_value))
      of.numbers[axis.name] = static_cast<double>(*number);
    else
      of.words[axis.name] = std::get<std::string>(axis.default_value);
  }
}

std::optional<double> distance(const ProblemClass& a, const ProblemClass& b) {
  if (a.words != b.words || a.numbers.size() != b.numbers.size()) return std::nullopt;
  const double most = std::log2(kClassFactor);
  double sum = 0;
  for (const auto& [name, number] : a.numbers) {
    const auto other = b.numbers.find(name);
    if (other == b.numbers.end()) return std::nullopt;
    // 0 means all of the data, or chosen: it is near nothing else.
    if ((number == 0) != (other->second == 0)) return std::nullopt;
    if (number == 0) continue;
    const double octaves = std::fabs(std::log2(number / other->second));
    if (!(octaves <= most)) return std::nullopt;
    sum += octaves;
  }
  return sum;
}

nlohmann::ordered_json problem_class_json(const ProblemClass& of) {
  return {{"words", of.words}, {"numbers", of.numbers}};
}

ProblemClass problem_class_from_json(const nlohmann::json& json) {
  return {.words = json.at("words").get<std::map<std::string, std::string>>(),
          .numbers = json.at("numbers").get<std::map<std::string, double>>()};
}

}  // namespace gpuseq::bench
