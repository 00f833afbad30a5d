#include "runtime/io/byte_source.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "runtime/io/sequence_pieces.hpp"
#include "runtime/io/sequence_reader.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/endless_input.hpp"
#include "tests/runtime/gzip.hpp"

namespace gpuseq {
namespace {

/// Bytes that have no end: `start`, then `unit` again and again.
NextBytes endless(const std::string& start, const std::string& unit) {
  return [start, unit, started = false]() mutable -> std::string_view {
    return std::exchange(started, true) || start.empty() ? unit : start;
  };
}

TEST(ByteSource, RefusesDevices) {
  for (const char* device : {"/dev/zero", "/dev/null"}) expect_error_text([&] { ByteSource source(device); });
}

/// Standard input of this process, for as long as it lives.
class StandardInputFrom {
 public:
  explicit StandardInputFrom(int file) : before_(dup(STDIN_FILENO)) { dup2(file, STDIN_FILENO); }
  ~StandardInputFrom() {
    dup2(before_, STDIN_FILENO);
    close(before_);
  }
  StandardInputFrom(const StandardInputFrom&) = delete;
  StandardInputFrom& operator=(const StandardInputFrom&) = delete;

 private:
  int before_;
};

std::string sequences_of_pieces(const std::filesystem::path& path) {
  std::string all;
  SequencePieces pieces(path, 1);
  while (auto piece = pieces.next()) {
    pieces.load(*piece);
    all += piece->bytes;
  }
  return all;
}

TEST(ByteSource, ReadsStandardInputOnFromWhereItIs) {
  const TemporaryFolder folder;
  const auto file = folder.write("input", "taken\n>a\nAC\n>b\nG\n");
  for (const bool in_pieces : {false, true}) {
    const FileDescriptor input(open(file.c_str(), O_RDONLY | O_CLOEXEC));
    ASSERT_EQ(lseek(input.get(), 6, SEEK_SET), 6);
    const StandardInputFrom standard(input.get());
    if (in_pieces)
      EXPECT_EQ(sequences_of_pieces(standard_input()), ">a\nAC\n>b\nG\n");
    else
      EXPECT_EQ(read_sequences(standard_input()).size(), 2u);
  }
}

/// It has no name that could be opened.
TEST(ByteSource, ReadsStandardInputThatIsASocket) {
  std::array<int, 2> ends{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  FileDescriptor writer(ends[0]);
  const FileDescriptor reader(ends[1]);
  ASSERT_EQ(writer.write_all(gzip(">a\nAC\n")), 0);
  writer = FileDescriptor();
  const StandardInputFrom standard(reader.get());
  EXPECT_EQ(read_sequences(standard_input()).at(0).sequence, "AC");
}

TEST(ByteSource, ThatIsAPipeIsNotOpenedAgain) {
  const TemporaryFolder folder;
  EXPECT_TRUE(is_file_to_open_again(folder.write("input", "a")));
  EXPECT_FALSE(is_file_to_open_again(folder.path()));
  EXPECT_FALSE(is_file_to_open_again(standard_input()));
}

TEST(LineReader, RefusesALineAboveItsLimitAndTakesOneAtIt) {
  LineReader lines("input", endless("ab\nabcd\n", "abcde\n"), 0, {.line_bytes = 4});
  std::string line;
  EXPECT_TRUE(lines.next(line));
  EXPECT_TRUE(lines.next(line));
  EXPECT_EQ(line, "abcd");
  expect_error_text([&] { lines.next(line); });
}

TEST(LineReader, RefusesALineWithoutAnEnd) {
  LineReader lines("input", endless("", "abc"), 0, {.line_bytes = 1'000'000});
  std::string line;
  expect_error_text([&] { lines.next(line); });
}

TEST(LineReader, RefusesBlankLinesWithoutAnEndAndCountsThemAnewBehindText) {
  int texts = 0;
  const NextBytes bytes = [&]() -> std::string_view { return ++texts <= 10 ? "a\n\n \t\n\r\n" : "\n"; };
  LineReader lines("input", bytes, 0, {.blank_lines = 5});
  std::string line;
  for (int i = 0; i < 42; ++i) EXPECT_TRUE(lines.next(line));
  expect_error_text([&] { lines.next(line); });
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
    expect_error_text([&] { SequenceReader("input", endless("", bytes), {}, {}); });
}

TEST(SequenceReader, RefusesARecordWithoutAnEnd) {
  expect_does_not_fit([] {
    SequenceReader reader("input", endless(">a\n", std::string(60, 'A') + '\n'), {}, {});
    reader.next();
  });
}

TEST(SequencePieces, LeaveOutAByteOrderMark) {
  const TemporaryFolder folder;
  const std::string content = "\n>a\nAC\n>b\nG\n";
  for (const std::string& file : {"\xef\xbb\xbf" + content, gzip("\xef\xbb\xbf" + content)})
    EXPECT_EQ(sequences_of_pieces(folder.write("input", file)), content);
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

/// Text that begins with no marker has no records to look for.
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
