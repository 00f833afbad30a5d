#include "runtime/contract/point.hpp"

#include "bench/run/shard.hpp"
#include "tests/fuzz/fuzz_input.hpp"

// Words of command lines: points ("k=2,d=192"), which print as they were read, and shards ("3/8").

using namespace gpuseq;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  fuzz::accepts("", [&] {
    const bench::Shard shard = bench::parse_shard(text);
    fuzz::require(1 <= shard.index && shard.index <= shard.count, "a shard that is none");
  });
  Point point;
  if (!fuzz::accepts("", [&] { point = Point::parse(text); })) return 0;
  fuzz::require(Point::parse(point.to_string()) == point, "printed, it is another point");
  const Point same = Point::from_json(point.to_json());  // in the order of the names
  for (const auto& [axis, value] : point.values())
    fuzz::require(same.has(axis) && same.at(axis) == value, "as JSON, it is another point");
  return 0;
}
