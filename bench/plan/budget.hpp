#pragma once

#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/plan/state.hpp"

/// The parts of a run with a budget ("budget_s", --budget), and their time. Time is
/// the sum of the records' times, so that a resumed run decides as the run that died.
namespace gpuseq::bench {

inline constexpr double kNoBudget = std::numeric_limits<double>::infinity();

/// The config's budget on these devices; kNoBudget where it has none.
double budget_s(const SuiteConfig& config, std::span<const DeviceInfo> devices);

/// Seconds of records that the parts of a run have: the rest of one is for the next ones.
struct BudgetParts {
  double probes_s = kNoBudget;       // of all probes, whenever they are measured
  double first_end_s = kNoBudget;    // from the start to the end of a search's first points
  double kernels_end_s = kNoBudget;  // from the start to the end of sizes, probes and the sweep
  double end_s = kNoBudget;          // to the end of the winners' race; a running state is stopped then
};
struct BudgetUse {
  double used_s = 0;          // before the first record
  bool page = false;          // is drawn
  bool probes_alone = false;  // no kernels follow
  bool needed_last = false;   // the probes that bounds need follow the search
};
/// A long budget keeps time for the page; behind a short one it is drawn if the run leaves enough.
BudgetParts parts_of(double budget_s, const BudgetUse& use = {});

/// Seconds from the start at which drawing the page is given up: the budget and most of the tenth by which
/// it may be exceeded.
double page_end_s(double budget_s);

/// Whether the probes that bounds need follow the search: the config has a budget and lists many first
/// points, of which few race.
bool needs_probes_last(const SuiteConfig& config);

/// Times of records, in the order of the journal.
class Spending {
 public:
  /// @param part  the part of the run of the record: a problem's sweep
  void add(const std::string& part, double took_s);
  double spent_s() const { return spent_s_; }
  /// The time spent when the part began; all of it if it has not yet.
  double spent_before(const std::string& part) const;
  /// By the records of a part.
  double spent_on(const std::string& part) const;

 private:
  double spent_s_ = 0;
  std::map<std::string, double> parts_;
  std::vector<std::pair<std::string, double>> before_;  // part -> spent before its first record
};

/// The number of states that the budget left out.
struct Cut {
  std::string what;
  int states = 0;
};

/// The latest end of a part that shares the remaining time with the parts behind it.
/// @param parts_left  itself and those
double share_end_s(double spent_before_s, double all_end_s, std::size_t parts_left);

}  // namespace gpuseq::bench
