#include "bench/config/config.hpp"

#include "runtime/io/json_text.hpp"
#include "tests/fuzz/fuzz_input.hpp"

// A run description: one that loads, loads again as the same.

using namespace gpuseq;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  bench::SuiteConfig config;
  const auto load = [&] {
    auto document = parse_json(fuzz::text_of(data, size), "suite.json");
    config = bench::config_from_json(std::move(document), "suite.json", fuzz::folder().path());
  };
  const bool other_files = fuzz::text_of(data, size).find("\"tools\"") != std::string_view::npos;
  if (!fuzz::accepts(other_files ? "" : "suite.json", load)) return 0;
  fuzz::require(!config.name.empty() && config.sampling.min_samples <= config.sampling.max_samples,
                "a config that its checks exclude");
  const auto again = bench::config_from_json(config.document, "suite.json", "/");
  fuzz::require(again.document == config.document && again.hash() == config.hash(),
                "loaded again, it is another config");
  return 0;
}
