#include "runtime/io/byte_source.hpp"

#include <gmock/gmock.h>

#include "runtime/contract/errors.hpp"
#include "runtime/io/sequence_pieces.hpp"
#include "runtime/io/sequence_reader.hpp"
#include "tests/runtime/endless_input.hpp"

namespace gpuseq {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// Bytes that have no end: `start`, then `unit` again and again.
NextBytes endless(const std::string& start, const std::string& unit) {
  return [start, unit, started = false]() mutable -> std::string_view {
    return std::exchange(started, true) || start.empty() ? unit : start;
  };
}

TEST(ByteSource, RefusesDevices) {
  for (const char* device : {"/dev/zero", "/dev/null"})
    EXPECT_THAT(
        [&] { ByteSource source(device); },
        ThrowsMessage<UsageError>(AllOf(HasSubstr(device), HasSubstr("it is a device, allowed: a file "
                                                                     "or a pipe"))));
}

TEST(LineReader, RefusesALineAboveItsLimitAndTakesOneAtIt) {
  LineReader lines("input", endless("ab\nabcd\n", "abcde\n"), 0, {.line_bytes = 4});
  std::string line;
  EXPECT_TRUE(lines.next(line));
  EXPECT_TRUE(lines.next(line));
  EXPECT_EQ(line, "abcd");
  EXPECT_THAT([&] { lines.next(line); },
              ThrowsMessage<UsageError>(HasSubstr("input:3: the line does not end within 4 bytes")));
}

TEST(LineReader, RefusesALineWithoutAnEnd) {
  LineReader lines("input", endless("", "abc"), 0, {.line_bytes = 1'000'000});
  std::string line;
  EXPECT_THAT([&] { lines.next(line); },
              ThrowsMessage<UsageError>(HasSubstr("the line does not end within 1000000 bytes")));
}

TEST(LineReader, RefusesBlankLinesWithoutAnEndAndCountsThemAnewBehindText) {
  int texts = 0;
  const NextBytes bytes = [&]() -> std::string_view { return ++texts <= 10 ? "a\n\n \t\n\r\n" : "\n"; };
  LineReader lines("input", bytes, 0, {.blank_lines = 5});
  std::string line;
  for (int i = 0; i < 42; ++i) EXPECT_TRUE(lines.next(line));
  EXPECT_THAT([&] { lines.next(line); },
              ThrowsMessage<UsageError>(HasSubstr("input:43: 6 blank lines one after the other")));
}

TEST(LineReader, ShowsTheNextByteWithoutTakingIt) {
  const TemporaryFolder folder;
  LineReader lines(folder.write("input", "ab\n"));
  std::string line;
  EXPECT_EQ(lines.peek(), 'a');
  EXPECT_TRUE(lines.next(line));
  EXPECT_EQ(line, "ab");
  EXPECT_EQ(lines.peek(), std::nullopt);
}

TEST(SequenceReader, LooksAtTheFirstByteBeforeItReadsALine) {
  for (const std::string& bytes : {std::string(100, '\0'), std::string("x")})
    EXPECT_THAT([&] { SequenceReader("input", endless("", bytes), {}, {}); },
                ThrowsMessage<UsageError>(AllOf(HasSubstr("input:1: found"), HasSubstr("at the start"))));
}

TEST(SequenceReader, RefusesARecordWithoutAnEnd) {
  expect_does_not_fit([] {
    SequenceReader reader("input", endless(">a\n", std::string(60, 'A') + '\n'), {}, {});
    reader.next();
  });
}

TEST(SequencePieces, RefuseARecordWithoutAnEnd) {
  const TemporaryFolder folder;
  const auto path = endless_file(folder, ">a\n", "ACGT\n");
  expect_does_not_fit([&] {
    SequencePieces pieces(path, 1 << 20);
    while (pieces.next()) {
    }
  });
}

/// What begins with no marker has no records to look for.
TEST(SequencePieces, CutAFileOfNoRecordsAsItComes) {
  const TemporaryFolder folder;
  const auto path = folder.write("input", "");
  std::filesystem::resize_file(path, std::uint64_t{1} << 40);  // of no blocks on the disk
  SequencePieces pieces(path, 1 << 20);
  EXPECT_EQ(pieces.next()->size, 1u << 20);
  const auto packed = endless_file(folder, "", std::string(1 << 20, '\0'));
  SequencePieces stream(packed, 1 << 20);
  EXPECT_EQ(stream.next()->size, 1u << 20);
}

}  // namespace
}  // namespace gpuseq
