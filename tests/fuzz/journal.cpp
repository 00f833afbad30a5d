#include "results/journal.hpp"

#include <algorithm>

#include "tests/fuzz/fuzz_input.hpp"

// records.jsonl: a record that is read and written again is the same line ever after.

using namespace gpuseq;

namespace {

std::string line_of(const results::Record& record) {
  return results::to_json(record).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view content = fuzz::text_of(data, size);
  const auto file = fuzz::folder().write("records.jsonl", content);
  std::vector<results::Record> records;
  if (!fuzz::accepts("records.jsonl", [&] { records = results::Journal::load(file); })) return 0;
  fuzz::require(records.size() <= static_cast<std::size_t>(std::count(content.begin(), content.end(), '\n')),
                "more records than lines");
  for (const results::Record& record : records) {
    const std::string line = line_of(record);
    const auto again = results::record_from_json(nlohmann::json::parse(line));
    fuzz::require(line_of(again) == line, "written, it is another record");
  }
  return 0;
}
