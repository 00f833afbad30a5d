#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "results/names/axis_defaults.hpp"
#include "results/record.hpp"

namespace gpuseq::results {

/// A state with its family's name for the problem (a record's problem_label; empty if unknown).
struct LabelledState {
  const StateKey* key = nullptr;  // not null
  std::string label = {};
};

/// Short names of the states of a run: the parts of their keys in the same order, but the problem's label
/// instead of its axes, and only those axes of the point that vary among the states of the variant or differ
/// from their defaults. "fm_index/simd/ecoli, 4.94 Mbases/k=2,d=64/cpu". Names are unique.
class ShortNames {
 public:
  ShortNames() = default;
  /// @param states  those shown together: a run's, or both sides' of a comparison; may contain duplicates
  explicit ShortNames(std::span<const LabelledState> states, const AxisDefaults& defaults = {});

  /// The name of any state; its key if another of the states would have the same name.
  std::string of(const StateKey& state) const;
  /// The label, followed by the axes that distinguish problems of the same label. Without a label, the axes
  /// that distinguish problems. May be empty.
  std::string problem(const StateKey& state) const;
  /// "k=2,d=64"; may be empty.
  std::string point(const StateKey& state) const;

 private:
  /// The values of one axis in the points of a variant, or in the problems of one label.
  struct Seen {
    std::map<AxisValue, std::size_t> counts = {};
    AxisValue usual = {};  // the default; if that is unknown the most frequent value
    bool has_default = false;
  };
  struct Axes {
    std::map<std::string, Seen, std::less<>> seen = {};
    bool terse = false;  // names leave out varying axes with their usual value
  };

  static void count(Axes& axes, const Point& point);
  static void settle(Axes& axes, const Point* defaults);
  static bool is_named(const Axes& axes, const std::string& axis, const AxisValue& value);
  static std::string text(const Axes& axes, const Point& point);
  void learn_problems(std::span<const LabelledState> states, const AxisDefaults& defaults);
  void learn_points(std::span<const LabelledState> states, const AxisDefaults& defaults);
  std::string joined(const StateKey& state) const;

  std::map<std::string, std::string> labels_;  // by family and problem
  std::map<std::string, Axes> problems_;       // by family and label
  std::map<std::string, Axes> points_;         // by family/variant
  std::set<std::string> ambiguous_;            // names that several states would have
};

/// Names of the states of records.
ShortNames names_of(std::span<const Record> records, const AxisDefaults& defaults);

}  // namespace gpuseq::results
