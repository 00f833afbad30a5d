#pragma once

#include <set>
#include <string>
#include <vector>

#include "reports/figures/profile_hmm/points.hpp"

/// Values of other programs and papers beside our curves.
namespace gpuseq::reports::profile_hmm {

/// Panels that a value is for: "gpu", "1 thread" or "threads".
std::string panel_kind(const Entry& entry);

/// The panel that is being drawn.
struct PanelOf {
  std::string filter, measure, on;
  std::set<std::string> measured = {};  // peers that stand in it
};

class Others {
 public:
  Others(const Figure& figure, const Published& published);

  /// Hollow marks and dashed lines of what is known of such a panel.
  void add(const PanelOf& of, chart::Panel& panel);
  /// Who states them.
  void add_notes(std::vector<std::string>& notes) const;

 private:
  void add_marks(const PanelOf& of, chart::Panel& panel);
  void add_guides(const PanelOf& of, chart::Panel& panel);

  std::vector<const Fact*> values_, guides_;
  std::vector<const Fact*> marks_used_, guides_used_;
};

}  // namespace gpuseq::reports::profile_hmm
