#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "reports/figure_tools.hpp"
#include "reports/terms.hpp"

/// Marks that stand for several data sets made alike (made_alike(), reports/terms.hpp).
namespace gpuseq::reports {

/// The problem as text, the same for data sets made alike.
std::string problem_of_alike(const Entry& entry);

/// The name of the problem without that of its data set.
std::string name_of_alike(const Entry& entry);

/// What competes for a mark. Points are held against each other over all their data sets: the fastest of each
/// data set would be a selection of lucky ones.
class Candidates {
 public:
  void add(const Entry* entry);
  /// Of the points with the most data sets that with the highest median of their rates, undisturbed where one
  /// is; its records in the order of their data sets.
  std::vector<const Entry*> fastest() const;

 private:
  using Records = std::vector<const Entry*>;
  std::vector<std::pair<std::string, Records>> by_point_;  // in the order in which points came
};

/// Records of one point, one of each data set.
class Pool {
 public:
  /// @param records  at least one
  Pool(std::vector<const Entry*> records, Rate (*value)(const Entry& entry));

  /// The median over the data sets of what each has for its own, with its interval by order statistics over
  /// data sets (results::median_interval). Of one data set its own, with that over its samples.
  const Rate& rate() const { return rate_; }
  /// The one whose value is nearest to the median.
  const Entry& typical() const { return *typical_; }
  const std::vector<const Entry*>& records() const { return records_; }
  std::size_t data_sets() const { return records_.size(); }
  /// Whether several data sets carry no interval of 95 %, and it is their range.
  bool is_range() const { return is_range_; }
  /// "25 data sets"
  std::string words() const;
  chart::Tips tips(Unit unit) const;

 private:
  std::vector<const Entry*> records_;
  std::vector<double> values_;
  Rate rate_;
  std::string interval_;  // how sure it is; of several data sets
  bool is_range_ = false;
  const Entry* typical_ = nullptr;
};

/// Has the marks of a panel say of how many data sets they are, where one is of several: in their terms, and
/// where they differ in their labels.
/// @param pools  of the marks, in their order
template <typename Mark>
void declare_data_sets(const std::vector<Pool>& pools, std::vector<Mark>& marks) {
  std::size_t most = 1, least = pools.empty() ? 1 : pools.front().data_sets();
  for (const Pool& pool : pools) {
    most = std::max(most, pool.data_sets());
    least = std::min(least, pool.data_sets());
  }
  if (most == 1) return;
  for (std::size_t i = 0; i < pools.size(); ++i) {
    marks[i].terms.emplace_back(kDataSetAxis, pools[i].words());
    if (least != most) marks[i].label += (marks[i].label.empty() ? "" : ", ") + pools[i].words();
  }
}

/// The note on marks of several data sets, where one is.
void note_data_sets(const std::vector<Pool>& pools, std::vector<std::string>& notes);

}  // namespace gpuseq::reports
