#include "probes/associativity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "probes/median.hpp"

namespace gpuseq::probes {
namespace {

/// More than the ways of any cache that is not a TLB.
constexpr std::size_t kMostWays = 32;
/// Least rise for a set with one line too many: all or several of its lines miss, each taking at least twice
/// as long, so that a round takes longer by the time of kLeastMisses lines.
constexpr double kLeastMisses = 2, kLeastOfRound = 0.004;
/// Least rise of a chase of this set's lines and kOthers others, which fit, over the chase
/// without the last line.
constexpr double kClearRise = 1.1, kMissOverHit = 1.2;
/// An access that takes this many times as long as an access to a single line is not served
/// by the first cache.
constexpr double kMostOfNearest = 1.6;
constexpr std::size_t kOthers = 32;
constexpr int kLooksAtOne = 3;
/// No current cache has fewer ways. Two lines alone are lines that a way predictor confuses.
constexpr std::size_t kFewestWays = 2;
/// Number of slower chases without a set after which the search gives up: something else disturbs it.
constexpr int kMostInVain = 6;

/// Adds the lines of a pool one by one, and keeps the times of rounds with the lines so far.
class ConflictSearch {
 public:
  ConflictSearch(std::span<const std::uint32_t> pool, const ChaseTime& time) : pool_(pool), time_(time) {}

  /// The next overfull set, or the reason why there is none.
  ConflictSet next() {
    while (taken_ < pool_.size() && in_vain_ < kMostInVain) {
      const std::vector<std::uint32_t> before = lines_;
      take_one();
      // Few lines fill a set of the first cache, and a disturbance could hide it.
      const double now = lines_.size() <= kMostWays ? least_time(lines_) : time_(lines_);
      if (nearest_ == 0) nearest_ = now;
      if (recent_.size() < kFewest || !is_longer(now, usual()) || !stays_longer(before)) {
        recent_.push_back(now);
        continue;
      }
      const double served = usual();
      const auto members = members_of(before, least_time(before), least_time(lines_));
      if (members.size() <= kFewestWays) {  // the last line stays out
        lines_ = before;
        continue;
      }
      const Confirmed set = members.size() <= kMostWays + 1 ? confirmed(members) : Confirmed{};
      const std::size_t lines = lines_.size();
      const bool shows = set.lines > kFewestWays && set.missed >= kMissOverHit * served;
      settle(shows);
      if (shows)
        return {.ways = static_cast<int>(set.lines) - 1,
                .served = served,
                .missed = set.missed,
                .lines = lines,
                .reason = {}};
      ++in_vain_;
    }
    return {.ways = {},
            .served = recent_.empty() ? 0 : usual(),
            .missed = 0,
            .lines = lines_.size(),
            .reason = in_vain_ < kMostInVain
                          ? fmt::format("{} lines are all held", lines_.size())
                          : fmt::format("{} lines took longer now and then", lines_.size())};
  }

  /// Whether an access time is that of the first cache.
  bool is_of_first(double served) const { return served < kMostOfNearest * nearest_; }

 private:
  static constexpr std::size_t kFewest = 2, kRemembered = 8;

  void take_one() { lines_.push_back(pool_[taken_++]); }

  double least_time(std::span<const std::uint32_t> lines) const {
    double least = time_(lines);
    for (int look = 1; look < kLooksAtOne; ++look) least = std::min(least, time_(lines));
    return least;
  }

  /// Time of an access with the last lines.
  double usual() const {
    const std::size_t from = recent_.size() - std::min(recent_.size(), kRemembered);
    return median(std::vector<double>(recent_.begin() + static_cast<std::ptrdiff_t>(from), recent_.end()));
  }

  bool is_longer(double now, double before) const {
    const double of_a_round = kLeastMisses / static_cast<double>(lines_.size());
    return now - before > before * std::max(of_a_round, kLeastOfRound);
  }
  bool stays_longer(std::span<const std::uint32_t> before) const {
    return is_longer(least_time(lines_), least_time(before)) &&
           is_longer(least_time(lines_), least_time(before));
  }

  /// The lines of the set that the last line overfilled. Without one of them the chase is as fast as before.
  /// The same holds for a line of another overfull set, but then the chase without both is faster still.
  std::vector<std::uint32_t> members_of(const std::vector<std::uint32_t>& before, double time_before,
                                        double now) const {
    const double half = (now - time_before) / 2;
    std::vector<std::uint32_t> members;
    for (const std::uint32_t line : before)
      if (is_faster(without(lines_, line), time_before + half) &&
          !is_faster(without(before, line), time_before - half))
        members.push_back(line);
    members.push_back(lines_.back());
    return members;
  }

  struct Confirmed {
    std::size_t lines = 0;  // lines of the set including the one too many; 0: no set
    double missed = 0;      // time of an access to these lines
  };

  /// Measures the set again, in a chase of its lines and a few others: short, so that a miss is
  /// a large part of it.
  Confirmed confirmed(const std::vector<std::uint32_t>& members) const {
    std::vector<std::uint32_t> chase = members;
    for (const std::uint32_t line : lines_)
      if (chase.size() < members.size() + kOthers && std::ranges::find(members, line) == members.end())
        chase.push_back(line);
    const double full = least_time(chase), not_full = least_time(without(chase, members.back()));
    if (full < kClearRise * not_full) return {};
    Confirmed set;
    for (const std::uint32_t line : chase)
      set.lines += is_faster(without(chase, line), (full + not_full) / 2);
    if (set.lines == 0) return {};
    set.missed =
        not_full + (full - not_full) * static_cast<double>(chase.size()) / static_cast<double>(set.lines);
    return set;
  }

  bool is_faster(std::span<const std::uint32_t> lines, double than) const {
    for (int look = 0; look < kLooksAtOne; ++look)
      if (time_(lines) < than) return true;
    return false;
  }

  static std::vector<std::uint32_t> without(std::vector<std::uint32_t> lines, std::uint32_t line) {
    std::erase(lines, line);
    return lines;
  }

  /// Continues until times are steady again. After a set was found, adds some lines more, as a set with one
  /// line too many still serves some of its lines.
  void settle(bool after_set) {
    constexpr std::size_t kMore = 12;
    for (std::size_t more = 0; after_set && more < kMore && taken_ < pool_.size(); ++more) take_one();
    recent_.assign(kFewest, least_time(lines_));
  }

  std::span<const std::uint32_t> pool_;
  const ChaseTime& time_;
  std::size_t taken_ = 0;             // lines taken from the pool
  std::vector<std::uint32_t> lines_;  // those of the taken lines that are in the chase
  double nearest_ = 0;                // time of a chase of the first line
  int in_vain_ = 0;
  std::vector<double> recent_;  // for each number of lines, since times were steady
};

}  // namespace

std::vector<ConflictSet> find_conflict_sets(std::span<const std::uint32_t> pool, const ChaseTime& time,
                                            std::size_t caches) {
  ConflictSearch search(pool, time);
  std::vector<ConflictSet> found;
  while (found.size() < caches) {
    ConflictSet one = search.next();
    if (found.empty() && one.ways && !search.is_of_first(one.served))
      found.push_back({.ways = {}, .reason = "a set of the next cache was found first"});
    if (found.size() < caches) found.push_back(std::move(one));
  }
  return found;
}

AgreedWays agreed_ways(std::span<const ConflictSet> looks) {
  std::map<int, int> times;
  int said = 0;
  for (const ConflictSet& look : looks)
    if (look.ways) {
      ++times[*look.ways];
      ++said;
    }
  if (said == 0) return {{}, looks.empty() ? "it was not probed" : looks.front().reason};
  const auto most = std::ranges::max_element(times, {}, [](const auto& one) { return one.second; });
  if (said >= 2 && 3 * most->second >= 2 * said) return {most->first, {}};
  std::vector<std::string> words;
  words.reserve(times.size());
  for (const auto& [ways, count] : times) words.push_back(fmt::format("{} of {}", count, ways));
  return {{}, fmt::format("repetitions do not agree: {} ways", fmt::join(words, ", "))};
}

}  // namespace gpuseq::probes
