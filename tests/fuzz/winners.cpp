#include "bench/phases/winners/kept_winner.hpp"
#include "tests/fuzz/fuzz_input.hpp"

// Winners in the cache.

using namespace gpuseq;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<bench::KeptWinner> winners;
  if (!fuzz::accepts("winners.json",
                     [&] { winners = bench::winners_from(fuzz::text_of(data, size), "winners.json"); }))
    return 0;
  nlohmann::ordered_json again{{"schema", 2},
                               {"machines", nlohmann::ordered_json::object()},
                               {"winners", nlohmann::ordered_json::array()}};
  for (const bench::KeptWinner& one : winners) {
    fuzz::require(bench::distance(one.problem_class, one.problem_class) == 0, "a class that is not its own");
    again["winners"].push_back(one.json);
  }
  const auto read = bench::winners_from(again.dump(), "again");
  fuzz::require(read.size() == winners.size(), "written and read, another number");
  for (std::size_t i = 0; i < read.size(); ++i)
    fuzz::require(read[i].point == winners[i].point && read[i].variant == winners[i].variant,
                  "written and read, another winner");
  return 0;
}
