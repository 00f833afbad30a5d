#include <gtest/gtest.h>

#include "kernels/fm_locate/problem.hpp"
#include "runtime/system/cpu_device.hpp"
#include "tests/kernels/fm_index/threads/repeating_text.hpp"
#include "tests/kernels/fm_locate/small_texts.hpp"
#include "tests/runtime/temporary_folder.hpp"

// Indexes whose lines and samples threads make in shares, and positions that they locate in shares, against
// trying every place of the text.

namespace gpuseq::fm_locate {
namespace {

TEST(LocateThreadPieces, EveryVariantFindsWhatTryingEveryPlaceFinds) {
  const TemporaryFolder folder;
  CpuDevice device;
  // 4096 lines of 128 or 192 rows, and one more.
  for (const u64 bases : {524'286, 524'288, 786'431, 786'432}) {
    const std::string text = fm_index::testing::repeating_text(bases);
    std::string reads;
    Random random(bases);
    for (u32 i = 0; i < 60; ++i) {
      const u64 length = 10 + random.below(20);
      reads += ">r\n" + text.substr(random.below(text.size() - length), length) + "\n";
    }
    LocateProblem problem({.point = Point::parse("reference=text,queries=reads,max_hits=0"),
                           .files = {{"text", folder.write("text.fa", ">t\n" + text + "\n")},
                                     {"reads", folder.write("reads.fa", reads)}},
                           .seed = 1,
                           .cache_dir = {},
                           .threads = 3});
    std::vector<std::vector<u32>> expected;
    for (u32 query = 0; query < problem.queries().begin.size(); ++query)
      expected.push_back(testing::places_of(text, problem.queries().letters(query)));
    for (const Variant& one : cpu_variants())
      for (const Point& point : one.space.points({{"sa_rate", {1, 32}},
                                                  {"sa_sampling", one.space.find("sa_sampling")->values},
                                                  {"threads", {3}}})) {
        const auto session = prepare_as<LocateSession>(problem, one, point, device);
        const std::vector<u32> positions = session->positions();
        const Occurrences& occurrences = problem.occurrences();
        ASSERT_EQ(occurrences.query.size(), expected.size());
        for (std::size_t entry = 0; entry < expected.size(); ++entry) {
          const auto of_query = occurrences.of(entry, positions);
          std::vector<u32> found(of_query.begin(), of_query.end());
          std::ranges::sort(found);
          ASSERT_EQ(found, expected[occurrences.query[entry]])
              << one.name << ' ' << point.to_string() << ", " << bases << " bases, query " << entry;
        }
      }
  }
}

}  // namespace
}  // namespace gpuseq::fm_locate
