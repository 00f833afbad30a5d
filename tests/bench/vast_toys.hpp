#pragma once

#include <string>

#include "tests/bench/toy_registry.hpp"

// A family whose variants have 10^12 combinations of values, more than a program can make.

namespace gpuseq::bench::testing {

/// The values 0 to count - 1.
inline Axis counted_axis(std::string name, std::int64_t count) {
  std::vector<AxisValue> values;
  for (std::int64_t value = 0; value < count; ++value) values.emplace_back(value);
  return number_axis(std::move(name), std::move(values), "a number");
}

/// Lets half of the points through.
inline Constraint even_sum() {
  return {"even", "the sum of the values must be even", [](const Point& point) {
            std::int64_t sum = 0;
            for (const auto& [axis, value] : point.values()) sum += std::get<std::int64_t>(value);
            return sum % 2 == 0;
          }};
}

/// The larger the values of a point, the faster: 12 axes of 10 values, of which a search knows nothing.
class VastFamily : public ToyFamily {
 public:
  VastFamily() {
    std::vector<Axis> axes;
    for (int i = 0; i < 12; ++i) axes.push_back(counted_axis("a" + std::to_string(i), 10));
    const SearchSpace wide(axes, {even_sum()}), narrow({axes.front()});
    for (const auto& [name, device, space] :
         {std::tuple("wide", DeviceKind::cpu, wide), std::tuple("narrow", DeviceKind::cpu, narrow),
          std::tuple("gpu_wide", DeviceKind::cuda, wide)})
      variants_.push_back(
          {.name = name, .device = device, .summary = "a toy", .space = space, .prepare = prepared});
  }
  std::string_view name() const override { return "vast"; }
  const std::vector<Variant>& variants() const override { return variants_; }

 private:
  static std::unique_ptr<Session> prepared(Problem&, const Point& point, Device&) {
    log_measured(point.to_string());
    double sum = 1;
    for (const auto& [axis, value] : point.values())
      sum += static_cast<double>(std::get<std::int64_t>(value));
    return std::make_unique<ToySession>("steady", Work{1000, "toys"}, 2e-3 / sum, std::nullopt);
  }

  std::vector<Variant> variants_;
};

inline Registry vast_registry() {
  Registry registry = toy_registry();
  registry.families.push_back(std::make_shared<VastFamily>());
  return registry;
}

/// Every value of every axis, as a config has it.
inline std::string whole_vast_space() {
  nlohmann::json axes = nlohmann::json::object();
  for (int i = 0; i < 12; ++i) axes["a" + std::to_string(i)] = "all";
  return axes.dump();
}

}  // namespace gpuseq::bench::testing
