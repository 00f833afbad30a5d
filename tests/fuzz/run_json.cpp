#include "bench/run/run_folder.hpp"
#include "tests/fuzz/fuzz_input.hpp"

// The run.json that a run is resumed from.

using namespace gpuseq;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::folder().write("run.json", fuzz::text_of(data, size));
  const bench::RunFolder run{fuzz::folder().path()};
  std::optional<bench::BegunRun> begun;
  if (!fuzz::accepts("", [&] { begun = bench::read_start(run); })) return 0;
  const bench::Shard& shard = begun->invocation.shard;
  fuzz::require(1 <= shard.index && shard.index <= shard.count, "a shard that is none");
  return 0;
}
