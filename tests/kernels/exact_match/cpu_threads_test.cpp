#include <gtest/gtest.h>

#include <numeric>

#include "kernels/exact_match/oracle.hpp"
#include "kernels/exact_match/problem.hpp"
#include "runtime/system/cpu_device.hpp"
#include "tests/kernels/exact_match/records_alike.hpp"

// Queries of one piece and of several, that threads share, in references whose records end alike, whole and
// in parts.

namespace gpuseq::exact_match {
namespace {

/// Pieces of the records with a wrong letter now and then, so many letters together.
Queries queries_of(const testing::RecordsAlike& input, u64 letters) {
  Random random(letters);
  Queries queries = empty_queries();
  while (queries.bases() < letters) {
    const std::string& record = input.records[random.below(input.records.size())];
    std::string query = record.substr(random.below(record.size()), 40 + random.below(100));
    if (random.below(3) == 0) query[random.below(query.size())] = "ACGTN"[random.below(5)];
    query.resize(std::min<u64>(query.size(), letters - queries.bases()));
    append(queries, "q", query);
  }
  return queries;
}

TEST(ExactMatchThreads, SearchesInPiecesFindWhatTheOracleFinds) {
  constexpr u64 kLeastOfAPiece = 16'000;
  ThreadPool pool(2, false);
  CpuDevice device;
  const std::vector<std::string> names{"reads with an adapter", "isoforms with one 3' end", "amplicons",
                                       "guide RNAs with a PAM", "equal records"};
  for (const auto& input : testing::records_alike(2500)) {
    if (std::ranges::find(names, input.name) == names.end()) continue;
    for (const u64 letters : {kLeastOfAPiece - 1, kLeastOfAPiece, 2 * kLeastOfAPiece + 1})
      for (const Mode mode : {Mode::maxmatch, Mode::mumreference, Mode::mum}) {
        const Search search{.min_length = 14, .mode = mode, .both_strands = letters % 2 == 1};
        const auto problem = make_problem(input.reference(), queries_of(input, letters), search);
        ASSERT_EQ(problem->queries().bases(), letters);
        std::vector<u64> all(problem->queries().count());
        std::iota(all.begin(), all.end(), u64{0});
        const MatchList expected = Oracle(problem->reference(), search).find(problem->queries(), all, pool);
        for (const MatchVariant& variant : cpu_variants())
          for (const char* tuning : {"threads=3,result=matches", "threads=3,trees=4,result=matches",
                                     "threads=3,trees=4,result=slots"}) {
            Point point = variant.variant.space.complete(Point::parse(tuning));
            if (point.has("prefix_letters")) {  // small tables: many are made
              point.set("prefix_letters", std::int64_t{3});
              point.set("filter_letters", std::int64_t{7});
            }
            const auto session = prepare_as<MatchSession>(*problem, variant.variant, point, device);
            EXPECT_TRUE(session->matches() == expected) << input.name << ", " << letters << " letters, "
                                                        << tuning << ", mode " << static_cast<int>(mode);
          }
      }
  }
}

}  // namespace
}  // namespace gpuseq::exact_match
