#include "results/reading/provenances.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/results/example_record.hpp"

namespace gpuseq::results {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Record of_host(const char* name) {
  Record record = full_record();
  record.provenance = {{"host", {{"name", name}}}};
  return record;
}

TEST(Provenances, AreWrittenOncePerProcessAndDevice) {
  const std::vector<Record> records{of_host("a"), of_host("b"), of_host("a"), of_host("a")};
  const std::string text = lines_of(records);
  EXPECT_EQ(std::ranges::count(text, '\n'), 6);
  const std::vector<Record> read = records_of_lines(text);
  ASSERT_EQ(read.size(), records.size());
  for (std::size_t i = 0; i < read.size(); ++i) EXPECT_EQ(*read[i].provenance, *records[i].provenance);
  EXPECT_EQ(read[0].provenance.address(), read[3].provenance.address());
  EXPECT_EQ(lines_of(read), text);
}

TEST(Provenances, OfARecordMustStandBeforeIt) {
  const std::string text = lines_of(std::vector{of_host("a")});
  const std::string record = text.substr(text.find('\n') + 1);
  expect_error_text([&] { records_of_lines(record); });
  expect_error_text([&] { records_of_lines(text + "{\"provenance_id\":"); });
}

TEST(Provenances, WithOneIdAreEqual) {
  nlohmann::ordered_json line = provenance_line(of_host("a").provenance);
  Provenances all;
  EXPECT_TRUE(all.take(line.dump()));
  EXPECT_TRUE(all.take(line.dump()));
  line["provenance"]["host"]["name"] = "b";
  EXPECT_THAT([&] { all.take(line.dump()); }, ThrowsMessage<UsageError>(HasSubstr("/provenance_id")));
  EXPECT_FALSE(all.take(to_json(full_record()).dump()));
}

}  // namespace
}  // namespace gpuseq::results
