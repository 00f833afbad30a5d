#include <sstream>

#include "bench/config/json_file.hpp"
#include "runtime/io/json_text.hpp"
#include "tests/fuzz/fuzz_input.hpp"

// --set: a document, then an override a line. Given twice, an override has the effect of one.

using namespace gpuseq;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parts = fuzz::parts_of(fuzz::text_of(data, size), 2);
  nlohmann::json document;
  if (!fuzz::accepts("suite.json", [&] { document = parse_json(parts[0], "suite.json"); })) return 0;
  std::istringstream lines{std::string(parts[1])};
  for (std::string line; std::getline(lines, line);) {
    nlohmann::json once = document;
    if (!fuzz::accepts("--set", [&] { bench::apply_override(once, line); })) continue;
    document = once;
    bench::apply_override(document, line);
    fuzz::require(document == once, "given twice, it does something else");
  }
  bench::hash_json(document);
  return 0;
}
