#include "results/record_line.hpp"

#include <gtest/gtest.h>

#include "runtime/contract/errors.hpp"
#include "tests/results/example_record.hpp"

namespace gpuseq::results {
namespace {

using nlohmann::ordered_json;

TEST(RecordLine, SharesPointsThatAreEqualAndNoOthers) {
  ordered_json number = to_json(full_record()), word = number;
  word["point"]["k"] = "2";
  RecordLineReader reader;
  const Record first = reader.read(number.dump()), second = reader.read(number.dump());
  EXPECT_EQ(&first.state.point.values(), &second.state.point.values());
  EXPECT_EQ(&first.state.problem.values(), &second.state.problem.values());
  EXPECT_EQ(reader.read(word.dump()).state.point.word("k"), "2");
  EXPECT_EQ(reader.read(number.dump()).state.point.integer("k"), 2);
}

TEST(RecordLine, ThatIsCutIsRefused) {
  const std::string whole = to_json(full_record()).dump();
  RecordLineReader reader;
  reader.read(whole);
  for (std::size_t size = 0; size < whole.size(); size += 7)
    EXPECT_THROW(reader.read(whole.substr(0, size)), UsageError) << size;
  EXPECT_THROW(reader.read(whole + "}"), UsageError);
  EXPECT_THROW(reader.read(whole.substr(1)), UsageError);
}

}  // namespace
}  // namespace gpuseq::results
