#include "results/journal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <numeric>

#include "results/json_parser.hpp"
#include "results/reading/provenances.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "tests/results/example_record.hpp"

namespace gpuseq::results {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

class JournalTest : public testing::Test {
 protected:
  JournalTest() {
    std::string pattern = (fs::temp_directory_path() / "journal_test.XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~JournalTest() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  fs::path path() const { return folder_ / "run" / "records.jsonl"; }
  void append_text(std::string_view text) const { std::ofstream(path(), std::ios::app) << text; }

  fs::path folder_;
};

Record numbered(int repetition) {
  Record record = full_record();
  record.repetition = repetition;
  return record;
}

std::vector<int> repetitions(const fs::path& path) {
  std::vector<int> numbers;
  for (const Record& record : Journal::load(path)) numbers.push_back(record.repetition);
  return numbers;
}

/// Limits the size that this process may make a file, as a full disk would.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

TEST_F(JournalTest, LoadsWhatWasAppendedAcrossReopening) {
  {
    Journal journal(path());
    journal.append(numbered(0));
    journal.append(numbered(1));
  }
  Journal(path()).append(numbered(2));
  EXPECT_THAT(repetitions(path()), testing::ElementsAre(0, 1, 2));
}

TEST_F(JournalTest, DropsATornLastLineWhenLoadingAndWhenAppending) {
  Journal(path()).append(numbered(0));
  append_text(to_json(numbered(1)).dump().substr(0, 5000));
  EXPECT_THAT(repetitions(path()), testing::ElementsAre(0));
  Journal(path()).append(numbered(2));
  EXPECT_THAT(repetitions(path()), testing::ElementsAre(0, 2));
}

TEST_F(JournalTest, DropsATornOnlyLineThatIsLongerThanOneBlockOfTheSearchForItsEnd) {
  Journal{path()};
  append_text(std::string(10'000, 'x'));
  Journal{path()};
  EXPECT_EQ(fs::file_size(path()), 0u);
}

TEST_F(JournalTest, NamesFileLineAndPointerOfALineThatIsNoRecord) {
  Journal(path()).append(numbered(0));
  append_text("{\"schema_version\": 3}\n");
  EXPECT_THAT(
      [&] { Journal::load(path()); },
      ThrowsMessage<UsageError>(AllOf(HasSubstr("records.jsonl:3: "), HasSubstr("/state: is missing"))));
  fs::remove(path());
  append_text("nonsense\n");
  EXPECT_THAT([&] { Journal::load(path()); },
              ThrowsMessage<UsageError>(HasSubstr("records.jsonl:1: not JSON")));
  EXPECT_THAT([&] { Journal::load(folder_ / "none.jsonl"); },
              ThrowsMessage<UsageError>(HasSubstr("none.jsonl")));
}

TEST_F(JournalTest, RefusesALineNestedSoDeepThatReadingItWouldExhaustTheStack) {
  fs::create_directories(path().parent_path());
  append_text(std::string(1'000'000, '[') + std::string(1'000'000, ']') + "\n");
  EXPECT_THAT([&] { Journal::load(path()); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("records.jsonl:1: "), HasSubstr("nested"))));
}

TEST_F(JournalTest, ReadsALongJournalInOrderAndUpToItsFirstMistake) {
  fs::create_directories(path().parent_path());
  constexpr int kRecords = 3000, kMistake = 2500;
  Record record = full_record();
  record.notes = {std::string(3000, 'x')};
  std::string text = provenance_line(record.provenance).dump() + "\n";
  for (record.repetition = 0; record.repetition < kRecords; ++record.repetition)
    text += to_json(record).dump() + (record.repetition == kMistake ? "x\n" : "\n");
  append_text(text);
  ASSERT_GT(text.size(), std::size_t{8} << 20) << "short journals are read by one thread";
  std::vector<int> read, expected(kMistake);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_THAT([&] { Journal::read(path(), [&](const Record& one) { read.push_back(one.repetition); }); },
              ThrowsMessage<UsageError>(HasSubstr(fmt::format("records.jsonl:{}: not JSON", kMistake + 2))));
  EXPECT_EQ(read, expected);
}

TEST_F(JournalTest, ReadsOrRefusesEveryMutationOfALine) {
  fs::create_directories(path().parent_path());
  const std::string line = to_json(full_record()).dump();
  const std::vector<std::string> pieces{"null", "-1", "1e999", "18446744073709551616", "\xff", "{}", "[]",
                                        "\"",   ",",  "\n"};
  Random random(5);
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string mutated = line;
    for (std::uint64_t n = 1 + random.below(3); n > 0; --n)
      mutated.replace(random.below(mutated.size()), random.below(8), pieces[random.below(pieces.size())]);
    std::ofstream(path()) << provenance_line(full_record().provenance) << "\n" << mutated << "\n";
    try {
      Journal::load(path());
    } catch (const UsageError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1500);
}

TEST_F(JournalTest, LosesNoRecordWhenTheDiskIsFullInTheMiddleOfOne) {
  Journal journal(path());
  journal.append(numbered(0));
  {
    const FileSizeLimit limit(fs::file_size(path()) + 100);
    EXPECT_THAT([&] { journal.append(numbered(1)); }, ThrowsMessage<ResourceError>(HasSubstr("kept")));
  }
  EXPECT_THAT(repetitions(path()), testing::ElementsAre(0));
  journal.append(numbered(2));
  EXPECT_THAT(repetitions(path()), testing::ElementsAre(0, 2));
}

TEST_F(JournalTest, RefusesAFullDiskBeforeTheFirstRecordAndKeepsAllBeforeItFills) {
  if (mount("tmpfs", folder_.c_str(), "tmpfs", 0, "size=128k") != 0)
    GTEST_SKIP() << "cannot mount a tmpfs here (needs root)";
  Journal journal(path());
  int written = 0;
  try {
    for (; written < 1000; ++written) journal.append(numbered(written));
  } catch (const ResourceError&) {
  }
  EXPECT_GT(written, 5);
  EXPECT_LT(written, 1000);
  EXPECT_EQ(static_cast<int>(repetitions(path()).size()), written);
  EXPECT_THROW(Journal{folder_ / "second.jsonl"}, ResourceError);
  EXPECT_THROW(write_file_atomically(folder_ / "f", std::string(1 << 20, 'x')), ResourceError);
  umount2(folder_.c_str(), MNT_DETACH);
}

TEST_F(JournalTest, RefusesAPathThatCannotBeAJournal) {
  EXPECT_THROW(Journal(folder_ / ""), UsageError);
  EXPECT_THROW(Journal("/dev/full"), UsageError);
  EXPECT_THROW(Journal("/proc/nothing/records.jsonl"), UsageError);
}

TEST_F(JournalTest, KeepsEveryRecordOfTwoProcessesThatAppendAtOnce) {
  Journal{path()};
  const auto append_some = [&](int first) {
    Journal journal(path());
    for (int i = 0; i < 20; ++i) journal.append(numbered(first + i));
  };
  const pid_t child = fork();
  if (child == 0) {
    append_some(100);
    _exit(0);
  }
  append_some(0);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(repetitions(path()).size(), 40u);
}

TEST_F(JournalTest, TellsItsLastWholeRecord) {
  EXPECT_FALSE(Journal::last(path()));
  Journal(path()).append(numbered(7));
  EXPECT_EQ(Journal::last(path())->repetition, 7);
  Journal(path()).append(numbered(8));
  append_text(to_json(numbered(9)).dump().substr(0, 500));
  EXPECT_EQ(Journal::last(path())->repetition, 8);
  append_text("\n");  // a whole line, and no record
  EXPECT_FALSE(Journal::last(path()));
}

TEST_F(JournalTest, NamesBothPlacesOfARecordThatItHasTwice) {
  OnceOnly once;
  once.check(numbered(0), 1);
  once.check(numbered(1), 2);
  Record tuned = numbered(1);
  tuned.phase = "tune";
  once.check(tuned, 3);
  EXPECT_THAT([&] { once.check(numbered(1), 4); }, ThrowsMessage<UsageError>(HasSubstr("as in record 2: ")));
}

Record died(int repetition, const std::string& kind) {
  Record record = numbered(repetition);
  record.status = Status::failed;
  record.failure = Failure{kind, "the worker died"};
  return record;
}

TEST_F(JournalTest, DropsFailuresOfWorkersThatDiedBehindTheirLastRecord) {
  Journal journal(path());
  journal.append(numbered(0));
  journal.append(died(0, "crash"));
  journal.append(died(1, "crash"));  // of no other record
  journal.append(died(2, "timeout"));
  journal.append(numbered(2));
  journal.append(died(2, "crash"));
  const std::string torn = to_json(numbered(3)).dump().substr(0, 500);
  append_text(torn);
  const std::vector<std::string> said = drop_doubled_failures(path());
  ASSERT_EQ(said.size(), 3u);
  EXPECT_THAT(said[0], HasSubstr("records.jsonl:3: "));
  EXPECT_THAT(said[1], HasSubstr("records.jsonl:5: "));
  EXPECT_THAT(repetitions(path()), testing::ElementsAre(0, 1, 2));
  const std::vector<Record> kept = Journal::load(path());
  EXPECT_EQ(kept[1].status, Status::failed);
  EXPECT_EQ(kept[2].status, Status::ok);
  const fs::file_time_type written = fs::last_write_time(path());
  EXPECT_TRUE(drop_doubled_failures(path()).empty());
  EXPECT_EQ(fs::last_write_time(path()), written);
}

TEST_F(JournalTest, DropsNoneOfTwoRecordsThatWereMeasured) {
  Journal journal(path());
  journal.append(numbered(0));
  journal.append(numbered(1));
  Record other = numbered(0);
  other.status = Status::failed;
  other.failure = Failure{"wrong_result", "another answer"};
  journal.append(other);
  EXPECT_THAT([&] { drop_doubled_failures(path()); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("records.jsonl:4: "), HasSubstr("line 2"))));
  EXPECT_EQ(repetitions(path()).size(), 3u);
}

TEST_F(JournalTest, ReadsLinesLongerThanItReadsAtOnce) {
  fs::create_directories(path().parent_path());
  const std::string text = '"' + std::string(3'000'000, 'x') + '"';
  append_text(text + "\n1\n" + text + "\n\"torn");
  std::vector<std::size_t> sizes;
  read_lines(path(), [&](const JsonElement& line) { sizes.push_back(simdjson::minify(line).size()); });
  EXPECT_THAT(sizes, testing::ElementsAre(text.size(), 1u, text.size()));
}

TEST_F(JournalTest, TwoHashesOfOneProblemAreRefused) {
  Record other = numbered(1);
  other.problem_hash = "fedcba9876543210";
  {
    Journal journal(path());
    journal.append(numbered(0));
    journal.append(other);
  }
  EXPECT_THAT([&] { Journal::load(path()); },
              ThrowsMessage<UsageError>(
                  AllOf(HasSubstr(path().string() + ":3"), HasSubstr(other.state.family),
                        HasSubstr("0123456789abcdef in line 2"), HasSubstr("fedcba9876543210 in line 3"))));
  // A probe has no data, and data that could not be loaded have no hash.
  other.kind = "probe";
  fs::remove(path());
  {
    Journal journal(path());
    journal.append(numbered(0));
    journal.append(other);
    other.kind = "kernel";
    other.problem_hash.clear();
    other.repetition = 2;
    journal.append(other);
  }
  EXPECT_EQ(Journal::load(path()).size(), 3u);
}

}  // namespace
}  // namespace gpuseq::results
