#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "results/names/axis_defaults.hpp"
#include "results/record.hpp"

namespace gpuseq::results {

/// A state, and what its family calls its problem (a record's problem_label; empty: nobody knows).
struct LabelledState {
  const StateKey* key = nullptr;  // not null
  std::string label = {};
};

/// What people call the states of a run: the parts of their keys, in the same order, with the problem's label
/// in place of its axes and only those axes of the point that vary among the states of the variant or differ
/// from their defaults. "fm_index/simd/ecoli, 4.94 Mbases/k=2,d=64/cpu". No two states have one name.
class ShortNames {
 public:
  ShortNames() = default;
  /// @param states  those that a reader sees together: a run's, or both sides' of a comparison; a state may
  /// be there several times
  explicit ShortNames(std::span<const LabelledState> states, const AxisDefaults& defaults = {});

  /// Of any state; its key where another of the states would have the same name.
  std::string of(const StateKey& state) const;
  /// The label; the axes that tell problems apart where there is no label, and behind a label of several
  /// problems. May be empty.
  std::string problem(const StateKey& state) const;
  /// "k=2,d=64"; may be empty.
  std::string point(const StateKey& state) const;

 private:
  /// What is known of one axis of the points of a variant, or of the problems that have one label.
  struct Seen {
    std::map<AxisValue, std::size_t> counts = {};
    AxisValue usual = {};  // the default; where that is not known the most frequent value
    bool has_default = false;
  };
  struct Axes {
    std::map<std::string, Seen, std::less<>> seen = {};
    bool terse = false;  // names leave out what varies where it is as usual
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

/// Names of the states that records are of.
ShortNames names_of(std::span<const Record> records, const AxisDefaults& defaults);

}  // namespace gpuseq::results
