#include "bench/phases/race/race.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "results/statistics/student_t.hpp"

namespace gpuseq::bench {
namespace {

/// The logarithm of one racer's score over another's.
struct Lead {
  double mean = 0, low = 0, high = 0;
};

class RaceInRounds {
 public:
  RaceInRounds(std::span<const Racer> racers, const RaceRules& rules)
      : racers_(racers), rules_(rules), places_(racers.size(), Place::outside) {
    // As many looks at intervals as there are rounds to look after: each may err so much less.
    const int looks = std::max(1, rules.rounds - kFewestRounds + 1);
    confidence_ = 1 - (1 - rules.confidence) / looks;
  }

  Race run() {
    if (racers_.empty() || rules_.first == 0) return {};
    enter_first();
    while (!is_over() && is_complete(race_.round)) end_round();
    if (!is_over()) race_.next = racing();
    name_tied();
    return std::move(race_);
  }

 private:
  enum class Place { outside, racing, dropped };

  void enter_first() {
    std::size_t overlapping = 0;
    for (std::size_t i = 0; i < racers_.size(); ++i) {
      if (i >= rules_.first && racers_[i].sweep.high < racers_.front().sweep.low) continue;
      if (i < rules_.first || overlapping < std::max(kMostRacers, rules_.first))
        places_[i] = Place::racing;
      else
        ++race_.left_out;
      ++overlapping;
    }
  }

  std::vector<std::size_t> racing() const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (places_[i] == Place::racing) found.push_back(i);
    return found;
  }

  bool is_complete(int round) const {
    return std::ranges::all_of(racing(), [&](std::size_t i) { return racers_[i].rounds.contains(round); });
  }

  bool has_score(std::size_t racer, int round) const {
    const auto found = racers_[racer].rounds.find(round);
    return found != racers_[racer].rounds.end() && found->second;
  }

  /// Rounds in which both have a score.
  std::vector<int> common_rounds(std::size_t a, std::size_t b) const {
    std::vector<int> found;
    for (const auto& [round, score] : racers_[a].rounds)
      if (round < seen_ && score && has_score(b, round)) found.push_back(round);
    return found;
  }

  const Score& score(std::size_t racer, int round) const { return *racers_[racer].rounds.at(round); }

  std::vector<double> log_ratios(std::size_t a, std::size_t b) const {
    std::vector<double> logs;
    for (const int round : common_rounds(a, b))
      logs.push_back(std::log(score(a, round).value / score(b, round).value));
    return logs;
  }

  double mean_lead(std::size_t a, std::size_t b) const {
    const std::vector<double> logs = log_ratios(a, b);
    return logs.empty() ? 0
                        : std::accumulate(logs.begin(), logs.end(), 0.0) / static_cast<double>(logs.size());
  }

  /// nullopt: too few rounds say something of it.
  std::optional<Lead> lead(std::size_t a, std::size_t b) const {
    const std::vector<double> logs = log_ratios(a, b);
    if (logs.size() < kFewestRounds) return std::nullopt;
    const double count = static_cast<double>(logs.size()), mean = mean_lead(a, b);
    double squares = 0;
    for (const double one : logs) squares += (one - mean) * (one - mean);
    const double half = results::student_t_quantile(confidence_, static_cast<int>(logs.size()) - 1) *
                        std::sqrt(squares / (count - 1) / count);
    return Lead{mean, mean - half, mean + half};
  }

  /// Whether the samples of each round tell that one is slower than another.
  bool slower_by_samples(std::size_t racer, std::size_t than) const {
    const std::vector<int> common = common_rounds(racer, than);
    return !common.empty() && std::ranges::all_of(common, [&](int round) {
      return score(racer, round).high < score(than, round).low;
    });
  }

  bool is_slower(std::size_t racer, std::size_t than) const {
    if (const std::optional<Lead> found = lead(racer, than)) return found->high < 0;
    return rules_.rounds < kFewestRounds && race_.round >= rules_.rounds && slower_by_samples(racer, than);
  }

  /// The racer that is ahead of each other one, or as good as it.
  std::size_t leader() const { return leader_of(racing()); }
  std::size_t leader_of(const std::vector<std::size_t>& all) const {
    std::size_t best = all.front();
    for (const std::size_t i : all)
      if (mean_lead(i, best) > 0) best = i;
    return best;
  }

  /// Drops racers that failed or are distinguished from the leader; lets in those that the sweep favours.
  void end_round() {
    const int round = race_.round++;
    seen_ = race_.round;
    for (const std::size_t i : racing())
      if (!racers_[i].rounds.at(round)) drop(i);
    double than = 0;
    if (!racing().empty()) {
      const std::size_t best = leader();
      for (const std::size_t i : racing())
        if (i != best && is_slower(i, best)) drop(i);
      than = mean_score(best);
    }
    if (race_.round < std::max(rules_.rounds, kFewestRounds)) let_in(than);
  }

  double mean_score(std::size_t racer) const {
    const std::vector<int> rounds = common_rounds(racer, racer);
    double sum = 0;
    for (const int round : rounds) sum += score(racer, round).value;
    return sum / static_cast<double>(rounds.size());
  }

  void drop(std::size_t racer) {
    places_[racer] = Place::dropped;
    race_.dropped.insert(race_.dropped.begin(), racer);
  }

  /// The next few of the sweep that are better than so much.
  void let_in(double than) {
    std::size_t entered = 0;
    for (std::size_t i = 0; i < racers_.size() && entered < rules_.first; ++i)
      if (places_[i] == Place::outside && racers_[i].sweep.value > than) {
        places_[i] = Place::racing;
        ++entered;
      }
  }

  bool is_over() const {
    const std::vector<std::size_t> all = racing();
    if (all.empty()) return true;
    if (race_.round == 0) return false;
    const std::size_t best = leader();
    const auto rounds_of = [&](std::size_t i) { return static_cast<int>(common_rounds(i, best).size()); };
    if (rounds_of(best) < std::min(kFewestRounds, rules_.rounds)) return false;
    return std::ranges::all_of(all, [&](std::size_t i) {
      if (i == best || rounds_of(i) >= rules_.rounds) return true;
      const std::optional<Lead> found = lead(i, best);
      const double margin = std::log1p(rules_.margin);
      return found && found->low > -margin && found->high < margin;
    });
  }

  /// Whether a racer is slower than any of these. The interval of the best may be so wide that it overlaps
  /// those of racers that another one is distinguished from.
  bool is_apart(std::size_t racer, const std::vector<std::size_t>& all) const {
    return std::ranges::any_of(all, [&](std::size_t other) {
      const std::optional<Lead> found = lead(racer, other);
      return found ? found->high < 0 : slower_by_samples(racer, other);
    });
  }

  /// A race that was cut off is judged by its measured rounds, also by one that is not complete.
  void name_tied() {
    seen_ = race_.round + 1;
    std::vector<std::size_t> all = racing();
    std::erase_if(all, [&](std::size_t i) { return common_rounds(i, i).empty(); });
    const bool more = std::ranges::any_of(all, [&](std::size_t i) { return has_score(i, race_.round); });
    race_.rounds = race_.round + (more ? 1 : 0);
    if (all.empty()) return;
    const std::size_t best = leader_of(all);
    race_.tied.push_back(best);
    std::vector<std::size_t> others;
    for (const std::size_t i : all)
      if (i != best && !common_rounds(i, best).empty()) others.push_back(i);
    std::ranges::stable_sort(others, std::greater(), [&](std::size_t i) { return mean_lead(i, best); });
    std::vector<std::size_t> slower;
    for (const std::size_t i : others) (is_apart(i, all) ? slower : race_.tied).push_back(i);
    race_.dropped.insert(race_.dropped.begin(), slower.begin(), slower.end());
  }

  std::span<const Racer> racers_;
  const RaceRules& rules_;
  double confidence_ = 0;
  int seen_ = 0;  // rounds that count
  std::vector<Place> places_;
  Race race_;
};

}  // namespace

Race run_race(std::span<const Racer> racers, const RaceRules& rules) {
  return RaceInRounds(racers, rules).run();
}

}  // namespace gpuseq::bench
