#include "probes/associativity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "probes/probes.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::probes {
namespace {

enum class Replaces { least_recent, tree, at_random };

/// A set-associative cache of lines by number. Ways of a tree are a power of two.
class Cache {
 public:
  Cache(std::size_t sets, std::size_t ways, Replaces replaces)
      : ways_(ways), replaces_(replaces), sets_(sets) {}

  /// Whether the line was there; it is now.
  bool take(std::uint32_t line, std::size_t set, std::mt19937& random) {
    Set& in = sets_[set];
    auto at = std::ranges::find(in.lines, line);
    const bool hit = at != in.lines.end();
    if (!hit) {
      if (in.lines.size() < ways_) in.lines.push_back(0);
      const std::size_t way = in.lines.size() < ways_ || !in.full ? in.lines.size() - 1 : victim(in, random);
      in.full = in.lines.size() == ways_;
      in.lines[way] = line;
      at = in.lines.begin() + static_cast<std::ptrdiff_t>(way);
    }
    use(in, static_cast<std::size_t>(at - in.lines.begin()));
    return hit;
  }

 private:
  struct Set {
    std::vector<std::uint32_t> lines;
    std::vector<std::uint64_t> used;  // by way, when
    std::uint64_t now = 0;
    std::uint64_t bits = 0;  // of the tree's nodes: whether the second half is the older one
    bool full = false;
  };

  void use(Set& in, std::size_t way) const {
    in.used.resize(ways_);
    in.used[way] = ++in.now;
    std::size_t node = 1;
    for (std::size_t half = ways_ / 2; half > 0; half /= 2) {
      const bool second = (way / half) % 2 == 1;
      in.bits = second ? in.bits & ~(1ull << node) : in.bits | 1ull << node;
      node = 2 * node + (second ? 1 : 0);
    }
  }

  std::size_t victim(const Set& in, std::mt19937& random) const {
    if (replaces_ == Replaces::at_random) return random() % ways_;
    if (replaces_ == Replaces::least_recent)
      return static_cast<std::size_t>(std::ranges::min_element(in.used) - in.used.begin());
    std::size_t node = 1, way = 0;
    for (std::size_t half = ways_ / 2; half > 0; half /= 2) {
      const bool second = (in.bits >> node) % 2 == 1;
      way += second ? half : 0;
      node = 2 * node + (second ? 1 : 0);
    }
    return way;
  }

  std::size_t ways_;
  Replaces replaces_;
  std::vector<Set> sets_;
};

/// All lines come to one set of the first cache, as lines do that are pages apart, and to any of the second.
struct Machine {
  std::size_t l1_ways = 8, l2_ways = 8, l2_sets = 16;
  Replaces replaces = Replaces::least_recent;
  std::size_t translations = 4096;  // lines, each on a page of its own, whose translations are kept
  double noise = 0;                 // of a time, on average
  double l1 = 1.2, l2 = 4.6, l3 = 14, walk = 1.6;

  /// Physical places are not known: a hash.
  std::size_t set_of(std::uint32_t line) const {
    std::uint64_t z = (line + 1) * 0x9e3779b97f4a7c15ull;
    return (((z ^ (z >> 29)) * 0xbf58476d1ce4e5b9ull) >> 40) & (l2_sets - 1);
  }
};

ChaseTime time_on(const Machine& machine, std::mt19937& random) {
  return [&machine, &random](std::span<const std::uint32_t> lines) {
    Cache first(1, machine.l1_ways, machine.replaces),
        second(machine.l2_sets, machine.l2_ways, machine.replaces),
        pages(1, machine.translations, Replaces::least_recent);
    constexpr int kRounds = 12, kTimed = 6;
    double time = 0;
    for (int round = 0; round < kRounds; ++round)
      for (const std::uint32_t line : lines) {
        double took = machine.l1;
        if (!first.take(line, 0, random))
          took = second.take(line, machine.set_of(line), random) ? machine.l2 : machine.l3;
        if (lines.size() > machine.translations && !pages.take(line, 0, random)) took += machine.walk;
        if (round >= kRounds - kTimed) time += took;
      }
    time /= kTimed * static_cast<double>(lines.size());
    return time * (1 + std::exponential_distribution(1.0)(random) * machine.noise);
  };
}

std::vector<std::uint32_t> pool_of(std::size_t lines, std::mt19937& random) {
  std::vector<std::uint32_t> pool(lines);
  std::iota(pool.begin(), pool.end(), 0u);
  std::ranges::shuffle(pool, random);
  return pool;
}

std::vector<ConflictSet> looked_at(const Machine& machine, std::uint32_t seed, std::size_t lines = 640) {
  std::mt19937 random(seed);
  return find_conflict_sets(pool_of(lines, random), time_on(machine, random), 2);
}

TEST(Associativity, OfTwoCachesIsFoundHoweverTheyReplaceLinesAndPlaceThem) {
  for (const Replaces replaces : {Replaces::least_recent, Replaces::tree})
    for (const auto& [l1, l2, sets] : {std::tuple<std::size_t, std::size_t, std::size_t>{8, 8, 16},
                                       {8, 16, 16},
                                       {4, 8, 32},
                                       {16, 8, 16},
                                       {8, 4, 32}}) {
      const auto found = looked_at({.l1_ways = l1, .l2_ways = l2, .l2_sets = sets, .replaces = replaces}, 1);
      ASSERT_EQ(found.size(), 2u);
      EXPECT_EQ(found[0].ways, static_cast<int>(l1)) << found[0].reason;
      EXPECT_EQ(found[1].ways, static_cast<int>(l2)) << l1 << " ways before: " << found[1].reason;
      EXPECT_EQ(found[0].lines, l1 + 1);
      EXPECT_NEAR(found[0].served, 1.2, 1e-9);
      EXPECT_GT(found[1].missed, found[1].served);
    }
}

/// Intel's: not powers of two.
TEST(Associativity, MayBeAnyNumber) {
  const auto found = looked_at({.l1_ways = 12, .l2_ways = 10, .l2_sets = 16}, 2);
  EXPECT_EQ(found[0].ways, 12);
  EXPECT_EQ(found[1].ways, 10);
}

TEST(Associativity, ACacheOfTranslationsIsTakenForNone) {
  for (const std::size_t translations : {48, 64, 72}) {
    const auto found = looked_at({.l2_sets = 32, .translations = translations}, 3);
    EXPECT_EQ(found[0].ways, 8);
    EXPECT_EQ(found[1].ways, 8) << translations << ": " << found[1].reason;
    EXPECT_GT(found[1].lines, translations);
  }
}

/// Looks that are disturbed say nothing, or are outvoted.
TEST(Associativity, OfNoisyMachinesIsWhatLooksAgreeOnOrNone) {
  int right = 0, wrong = 0;
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    const double noise = seed % 2 == 0 ? 0.002 : 0.01;
    std::vector<std::vector<ConflictSet>> looks(2);
    for (std::uint32_t look = 0; look < 3; ++look) {
      const auto found = looked_at({.replaces = Replaces::tree, .noise = noise}, 100 * seed + look);
      for (std::size_t i = 0; i < 2; ++i) looks[i].push_back(found[i]);
    }
    EXPECT_EQ(agreed_ways(looks[0]).ways, 8);
    const AgreedWays second = agreed_ways(looks[1]);
    right += second.ways == 8;
    wrong += second.ways && second.ways != 8;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GE(right, 8);
}

TEST(Associativity, ThatAPoolDoesNotFillHasAReason) {
  const auto few = looked_at({}, 4, 40);
  EXPECT_EQ(few[0].ways, 8);
  EXPECT_FALSE(few[1].ways);
  EXPECT_EQ(few[1].reason, "40 lines are all held");
  const auto none = looked_at({}, 4, 3);
  EXPECT_FALSE(none[0].ways);
  EXPECT_EQ(none[0].reason, "3 lines are all held");
  EXPECT_TRUE(looked_at({}, 4, 0)[0].reason.starts_with("0 lines"));
}

/// One that replaces at random serves some lines of a set that is too full
/// by chance: the looks give no number of ways that another cache has.
TEST(Associativity, OfACacheThatReplacesAtRandomIsRightOrNone) {
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    const auto found = looked_at({.replaces = Replaces::at_random}, seed);
    EXPECT_EQ(found[0].ways.value_or(8), 8) << seed;
  }
}

ConflictSet look(std::optional<int> ways, std::string reason = "") {
  return {.ways = ways, .reason = std::move(reason)};
}

TEST(AgreedWays, NeedTwoThirdsOfThoseThatSaySomething) {
  EXPECT_EQ(agreed_ways(std::vector{look(8), look({}), look(8)}).ways, 8);
  EXPECT_EQ(agreed_ways(std::vector{look(8), look(7), look(8)}).ways, 8);
  EXPECT_EQ(agreed_ways(std::vector{look(8), look(7)}).reason,
            "repetitions do not agree: 1 of 7, 1 of 8 ways");
  EXPECT_FALSE(agreed_ways(std::vector{look(8)}).ways) << "one look alone is none";
  EXPECT_EQ(agreed_ways(std::vector{look({}, "too few"), look({}, "others")}).reason, "too few");
  EXPECT_EQ(agreed_ways({}).reason, "it was not probed");
}

TEST(CpuAssociativity, GoesRoundItsLinesAndSaysOfEachCacheHowManyWaysOrWhyNot) {
  for (const auto& probe : make_probes()) {
    if (probe->name() != "associativity") continue;
    const auto device = open_device("cpu");
    const auto problem = probe->load({.point = {}, .files = {}, .seed = 5, .cache_dir = {}});
    for (const char* text :
         {"lines=2,stride_bytes=4096", "lines=96,stride_bytes=8192", "lines=300,pages=small"}) {
      const auto session = prepare_as<Session>(*problem, probe->variant("cpu"), Point::parse(text), *device);
      for (int time = 0; time < 2; ++time) {
        const Verification found = session->verify();
        EXPECT_TRUE(found.passed) << text << ": " << found.reason;
        session->launch();
      }
      const nlohmann::json facts = session->facts();
      ASSERT_EQ(facts["caches"].size(), 2u);
      for (const nlohmann::json& cache : facts["caches"])
        EXPECT_NE(cache["ways"].is_number(), !cache["reason"].get<std::string>().empty()) << cache.dump();
    }
    const SearchSpace& space = probe->variant("cpu").space;
    for (const char* bad : {"lines=1", "stride_bytes=64", "stride_bytes=0", "pages=big"})
      EXPECT_THROW(space.complete(Point::parse(bad)), UsageError) << bad;
    return;
  }
  FAIL() << "no probe associativity";
}

}  // namespace
}  // namespace gpuseq::probes
