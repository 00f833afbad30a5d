#pragma once

#include "tests/bench/toy_registry.hpp"

// A family whose problems are of any size, with variants of known rates.

namespace gpuseq::bench::testing {

inline constexpr std::size_t kToyBytes = 1000;  // of each, on the host and on a device

/// Seconds without launches: once a size for loading, and in each record for preparing and checking.
struct Beside {
  double load_s = 0, load_s_per_size = 0, own_s = 0, own_s_per_size = 0;
};

class GrowingToys : public Family {
 public:
  explicit GrowingToys(Growth growth, Beside beside = {}) : growth_(std::move(growth)), beside_(beside) {
    Axis toys = number_axis("toys", {growth_.from}, "how many");
    toys.accepts = [](const AxisValue& v) { return std::holds_alternative<std::int64_t>(v); };
    toys.allowed = "a number";
    problems_ =
        SearchSpace({toys, number_axis("colour", {std::int64_t{0}, std::int64_t{1}}, "no influence")});
    const SearchSpace space({number_axis("speed", {std::int64_t{1}, std::int64_t{2}}, "times as fast")});
    for (const char* name : {"steady", "slow", "steady_gpu", "big_gpu", "late_gpu", "other_gpu"})
      variants_.push_back({.name = name,
                           .device = std::string(name).ends_with("gpu") ? DeviceKind::cuda : DeviceKind::cpu,
                           .summary = "a toy",
                           .space = space,
                           .prepare = toys_of(name),
                           .cost = [](const StateOutline& state) {
                             return Cost{.held = HeldMemory().add("toys", toy_bytes(state))};
                           }});
  }
  std::string_view name() const override { return "growing"; }
  std::string_view summary() const override { return "Toys of any number"; }
  const SearchSpace& problem_space() const override { return problems_; }
  const std::vector<Variant>& variants() const override { return variants_; }
  const Growth* growth() const override { return &growth_; }
  std::optional<ProblemCost> problem_cost(const StateOutline& state) const override {
    const auto toys = static_cast<double>(state.problem.integer("toys"));
    return ProblemCost{.host_bytes = toy_bytes(state),
                       .load_s = beside_.load_s + beside_.load_s_per_size * toys,
                       .prepare_s = beside_.own_s + beside_.own_s_per_size * toys};
  }
  std::unique_ptr<Problem> load(const ProblemSpec& spec) const override {
    return std::make_unique<Counted>(spec.point.integer("toys"));
  }

 private:
  static std::uint64_t toy_bytes(const StateOutline& state) {
    return static_cast<std::uint64_t>(state.problem.integer("toys")) * kToyBytes;
  }
  struct Counted : ToyProblem {
    explicit Counted(std::int64_t toys) : count(toys) {}
    std::int64_t count;
  };
  /// A launch takes 1 ms and 1 us for each toy, ten times as much where it is slow.
  static Prepare toys_of(const std::string& variant) {
    return prepare_by<Counted>([variant](Counted& problem, const Point& point, Device&) {
      log_measured(variant + " " + std::to_string(problem.count) + " " + point.to_string());
      const double toys = static_cast<double>(problem.count);
      const double seconds = (1e-3 + 1e-6 * toys) * (variant == "slow" ? 10 : 1);
      return std::make_unique<ToySession>(variant, Work{toys, "toys"}, seconds, std::nullopt);
    });
  }

  Growth growth_;
  Beside beside_;
  SearchSpace problems_;
  std::vector<Variant> variants_;
};

inline Growth growth_of_toys() {
  return {.axis = "toys", .noun = "toys", .from = 1000, .to = 1'000'000'000};
}

inline Registry growing_registry(Growth growth = growth_of_toys(), Beside beside = {}) {
  Registry registry = toy_registry();
  registry.families.push_back(std::make_shared<GrowingToys>(std::move(growth), beside));
  return registry;
}

}  // namespace gpuseq::bench::testing
