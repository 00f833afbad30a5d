#include "reports/published.hpp"

#include <cmath>

#include "tests/fuzz/fuzz_input.hpp"

// Published values: facts with a source and a finite value.

using namespace gpuseq;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = fuzz::folder().write("paper.json", fuzz::text_of(data, size));
  reports::Published read;
  if (!fuzz::accepts("paper.json", [&] { read = reports::load_published(file); })) return 0;
  for (const reports::Fact& fact : read.facts)
    fuzz::require(std::isfinite(fact.value) && !fact.source.empty(), "a fact that its checks exclude");
  return 0;
}
