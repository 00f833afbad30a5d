#include <sys/stat.h>

#include "bench/config/provenance.hpp"
#include "runtime/contract/axes.hpp"
#include "runtime/io/byte_source.hpp"
#include "runtime/io/data_file.hpp"
#include "runtime/io/hash.hpp"
#include "tests/bench/lines.hpp"
#include "tests/bench/toy_program.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/gzip.hpp"

// A run measures the data that it began with, and nothing puts measurements of different data together.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
namespace fs = std::filesystem;

class BookProblem : public ToyProblem {
 public:
  explicit BookProblem(std::string hash) : hash_(std::move(hash)) {}
  std::string hash() const override { return hash_; }

 private:
  std::string hash_;
};

/// A family that reads a file, or makes its data from TOY_BOOK, as another version of the program might.
class BookFamily : public Family {
 public:
  BookFamily() {
    const SearchSpace space({number_axis("speed", {std::int64_t{1}, std::int64_t{2}}, "how fast")});
    for (const char* name : {"read", "crash_then_read"})
      variants_.push_back(
          {.name = name,
           .summary = "reads a book",
           .space = space,
           .prepare = [name = std::string(name)](Problem&, const Point& point, Device&) {
             after_load(name, point);
             return std::make_unique<ToySession>(name, Work{1000, "words"}, 1e-4, std::nullopt);
           }});
  }
  std::string_view name() const override { return "book"; }
  std::string_view summary() const override { return "Toys that read"; }
  const SearchSpace& problem_space() const override { return problems_; }
  const std::vector<Variant>& variants() const override { return variants_; }
  std::unique_ptr<Problem> load(const ProblemSpec& spec) const override {
    const char* made = std::getenv("TOY_BOOK");
    if (spec.point.word("book") == "made") return std::make_unique<BookProblem>(hash_hex16(made ? made : ""));
    Hash content;
    ByteSource source(data_file(spec, "book", "made"));
    for (std::string_view bytes = source.next(); !bytes.empty(); bytes = source.next()) content.update(bytes);
    return std::make_unique<BookProblem>(content.hex16());
  }

 private:
  /// A worker that dies in the second of its states, behind whose back TOY_CHANGES gets another text.
  static void after_load(const std::string& variant, const Point& point) {
    log_measured(variant + " " + point.to_string());
    const char* file = std::getenv("TOY_CHANGES");
    if (variant != "crash_then_read" || point.integer("speed") != 2 || file == nullptr) return;
    std::ofstream(file) << "another text\n";
    std::raise(SIGKILL);
  }

  SearchSpace problems_{{open_word_axis("book", {AxisValue("made")}, "what is read", "made, or a data entry"),
                         number_axis("page", {std::int64_t{1}, std::int64_t{2}}, "of the book")}};
  std::vector<Variant> variants_;
};

Registry registry_with_books() {
  Registry registry = toy_registry();
  registry.families.push_back(std::make_shared<BookFamily>());
  return registry;
}

class DataIdentity : public ::testing::Test {
 protected:
  void SetUp() override { write_book("a text\n"); }
  void TearDown() override {
    for (const char* name : {"TOY_BOOK", "TOY_CHANGES"}) unsetenv(name);
  }
  fs::path book() const { return scratch_ / "book.txt"; }
  void write_book(const std::string& text) const { std::ofstream(book(), std::ios::binary) << text; }

  fs::path config(const std::string& problems = R"([{"book": "mine"}])",
                  const std::string& variants = R"({"read": {"speed": "all"}})") const {
    const std::string data = nlohmann::json{{"mine", {{"path", book()}}}}.dump();
    return scratch_.write(
        "books.json",
        std::string("{\"name\": \"books\", \"devices\": \"cpu\", \"tune\": {\"remeasure\": 0}, ") +
            kSampling + ", \"data\": " + data + ", \"families\": {\"book\": {\"problems\": " + problems +
            ", \"variants\": " + variants + "}}}");
  }
  Result run_config(const fs::path& file, const std::string& to, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"--config", file, "--output", scratch_ / to, "--no-report"});
    return result_of(scratch_, "run", more);
  }
  Result resume(const std::string& from, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"--resume", scratch_ / from, "--no-report"});
    return result_of(scratch_, "run", more);
  }
  /// Leaves the first record alone, as if the run was killed after it.
  void cut(const std::string& dir) const { keep_records(scratch_ / dir / "records.jsonl", 1); }
  void edit_start(const std::string& dir, const std::function<void(nlohmann::json&)>& edit) const {
    nlohmann::json start = run_json(scratch_ / dir);
    edit(start);
    std::ofstream(scratch_ / dir / "run.json") << start;
  }
  int measured() const { return count_lines(scratch_ / "toys.log"); }
  std::set<std::string> hashes(const std::string& dir) const {
    std::set<std::string> found;
    for (const results::Record& record : records(scratch_ / dir))
      if (record.kind == "kernel") found.insert(record.problem_hash);
    return found;
  }

  Scratch scratch_;
};

TEST_F(DataIdentity, RunSaysWhatItsFilesHeld) {
  ASSERT_EQ(run_config(config(), "run").code, 0);
  const nlohmann::json data = run_json(scratch_ / "run")["data"];
  ASSERT_EQ(data.size(), 1u);
  EXPECT_EQ(data["mine"]["path"], book().string());
  EXPECT_EQ(data["mine"]["bytes"], 7);
  EXPECT_EQ(data["mine"]["hash"].get<std::string>().size(), 16u);
}

TEST_F(DataIdentity, ResumeAfterAFileChangedIsRefused) {
  ASSERT_EQ(run_config(config(), "run").code, 0);
  cut("run");
  const int before = measured();
  // As many bytes, and the time of modification set back.
  struct stat old {};
  ASSERT_EQ(stat(book().c_str(), &old), 0);
  write_book("b text\n");
  const timespec times[]{old.st_atim, old.st_mtim};
  ASSERT_EQ(utimensat(AT_FDCWD, book().c_str(), times, 0), 0);
  const Result refused = resume("run");
  EXPECT_EQ(refused.code, 2);
  expect_text(refused.err);
  EXPECT_EQ(measured(), before);
  EXPECT_EQ(records(scratch_ / "run").size(), 1u);
  write_book("a text\n");
  EXPECT_EQ(resume("run").code, 0);
  EXPECT_EQ(records(scratch_ / "run").size(), 2u);
}

TEST_F(DataIdentity, ResumeTakesTheSameContentInAnotherForm) {
  ASSERT_EQ(run_config(config(), "run").code, 0);
  cut("run");
  fs::remove(book());
  write_book(gzip("a text\n"));
  const Result result = resume("run");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(hashes("run").size(), 1u);
}

TEST_F(DataIdentity, ResumeOfAnOlderRunIsHeldToItsRecords) {
  ASSERT_EQ(run_config(config(), "run").code, 0);
  cut("run");
  edit_start("run", [](nlohmann::json& start) { start.erase("data"); });
  const int before = measured();
  write_book("b text\n");
  const Result refused = resume("run");
  EXPECT_EQ(refused.code, 2);
  expect_text(refused.err);
  EXPECT_EQ(measured(), before);
  write_book("a text\n");
  EXPECT_EQ(resume("run").code, 0);
  EXPECT_TRUE(run_json(scratch_ / "run").contains("data"));
}

TEST_F(DataIdentity, ResumeWithOtherDataIsRefused) {
  ASSERT_EQ(run_config(config(), "run").code, 0);
  cut("run");
  const fs::path other = scratch_.write("other.txt", "a text\n");
  EXPECT_EQ(resume("run", {"--data", "book=" + other.string()}).code, 2);
  const Result refused = resume("run", {"--config", config(), "--data", "book=" + other.string()});
  EXPECT_EQ(refused.code, 2);
  expect_text(refused.err);
}

TEST_F(DataIdentity, FileThatChangesBeforeTheNextWorkerEndsTheRun) {
  setenv("TOY_CHANGES", book().c_str(), 1);
  const Result result = run_config(
      config(R"([{"book": "mine", "page": [1, 2]}])", R"({"crash_then_read": {"speed": "all"}})"), "run");
  EXPECT_EQ(result.code, 2);
  expect_text(lines_with(result.err, "the run began"));
  EXPECT_EQ(hashes("run"), (std::set<std::string>{"", hash_hex16("a text\n")}));
  EXPECT_EQ(result_of(scratch_, "validate", {scratch_ / "run"}).code, 0);
}

TEST_F(DataIdentity, RecordsOfTwoInputsAreRefusedByEveryReader) {
  ASSERT_EQ(run_config(config(), "run").code, 0);
  std::vector<results::Record> all = records(scratch_ / "run");
  ASSERT_EQ(all.size(), 2u);
  all.back().problem_hash = "fedcba9876543210";
  std::ofstream(scratch_ / "run" / "records.jsonl") << results::lines_of(all);
  const std::string dir = scratch_ / "run";
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"validate", dir},
                                             {"run", "--resume", dir},
                                             {"report", dir, "--figure", "list"},
                                             {"compare", dir, dir},
                                             {"history", scratch_ / "history.jsonl", "--add", dir},
                                             {"merge", dir, "--output", scratch_ / "merged"}}) {
    const Result refused = result_of(scratch_, command[0], {command.begin() + 1, command.end()});
    EXPECT_EQ(refused.code, 2) << command[0] << refused.err;
    expect_text(refused.err);
  }
}

TEST_F(DataIdentity, ShardsOfDifferentDataAreNotMerged) {
  const auto shard = [&](const std::string& part, const std::string& to) {
    const Result result = run_config(config(R"([{"book": "mine", "page": [1, 2]}])"), to, {"--shard", part});
    ASSERT_EQ(result.code, 0) << result.err;
  };
  shard("1/2", "first");
  write_book("b text\n");
  shard("2/2", "second");
  const std::vector<std::string> merge{scratch_ / "first", scratch_ / "second", "--output",
                                       scratch_ / "merged", "--no-report"};
  const Result refused = result_of(scratch_, "merge", merge);
  EXPECT_EQ(refused.code, 2);
  expect_text(refused.err);
  EXPECT_FALSE(fs::exists(scratch_ / "merged" / "records.jsonl"));
}

TEST_F(DataIdentity, ShardsOfOlderVersionsAreHeldToTheirRecords) {
  const auto shard = [&](const std::string& part, const std::string& to) {
    // One problem, whose variants are shared among the shards.
    const Result result = run_config(config(), to, {"--shard", part});
    ASSERT_EQ(result.code, 0) << result.err;
    edit_start(to, [](nlohmann::json& start) { start.erase("data"); });
  };
  shard("1/2", "first");
  write_book("b text\n");
  shard("2/2", "second");
  const Result refused =
      result_of(scratch_, "merge",
                {scratch_ / "first", scratch_ / "second", "--output", scratch_ / "merged", "--no-report"});
  EXPECT_EQ(refused.code, 2);
  expect_text(refused.err);
}

TEST_F(DataIdentity, RunsOfDifferentDataAreNotComparedAndAReportWarns) {
  ASSERT_EQ(run_config(config(), "first").code, 0);
  write_book("b text\n");
  ASSERT_EQ(run_config(config(), "second").code, 0);
  const std::string first = scratch_ / "first", second = scratch_ / "second";
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"compare", first, second}, {"tune", "book", "--machine", first, "--against", first, second}}) {
    const Result refused = result_of(scratch_, command[0], {command.begin() + 1, command.end()});
    EXPECT_EQ(refused.code, 2) << command[0];
    expect_text(refused.err);
  }
  const Result report = result_of(scratch_, "report", {first, second, "--output", scratch_ / "both"});
  EXPECT_EQ(report.code, 0) << report.err;
  expect_text(lines_with(report.out, "warning: "));
}

TEST_F(DataIdentity, ProgramThatMakesOtherDataIsRefused) {
  setenv("TOY_BOOK", "old", 1);
  ASSERT_EQ(run_config(config(R"([{"book": "made"}])"), "run").code, 0);
  cut("run");
  const auto older = [](nlohmann::json& start) { start["program"] = {{"version", "0"}, {"commit", "0"}}; };
  edit_start("run", older);
  setenv("TOY_BOOK", "new", 1);
  const int before = measured();
  const Result refused = resume("run", {"--on-other-program"});
  EXPECT_EQ(refused.code, 2);
  expect_text(lines_with(refused.err, "different data"));
  EXPECT_EQ(measured(), before);
  setenv("TOY_BOOK", "old", 1);
  EXPECT_EQ(resume("run", {"--on-other-program"}).code, 0);
}

TEST_F(DataIdentity, ResumeWithAnotherProgramNeedsItsOption) {
  ASSERT_EQ(run_config(config(), "run").code, 0);
  std::set<std::string> said;
  for (const char* key : {"version", "commit", "build"}) {
    cut("run");
    const nlohmann::json begun = run_json(scratch_ / "run")["program"];
    if (!begun.contains(key)) continue;  // a build that a commit names has no hash of its own
    nlohmann::json other = begun;
    other[key] = "other";
    edit_start("run", [&](nlohmann::json& start) { start["program"] = other; });
    const auto said_of_it = [&](const std::string& text) {
      const std::string named = replaced(text, program_text(other), "<other>");
      return lines_with(replaced(named, program_text(begun), "<program>"), "<other>");
    };
    const Result refused = resume("run");
    EXPECT_EQ(refused.code, 2) << key;
    said.insert(said_of_it(refused.err));
    EXPECT_EQ(records(scratch_ / "run").size(), 1u);
    const Result allowed = resume("run", {"--on-other-program"});
    EXPECT_EQ(allowed.code, 0) << allowed.err;
    said.insert(said_of_it(allowed.err));
    edit_start("run", [&](nlohmann::json& start) { start["program"] = begun; });
  }
  EXPECT_EQ(said.size(), 2u);  // the same of each key
  for (const std::string& one : said) expect_text(one);
}

}  // namespace
}  // namespace gpuseq::bench

int main(int argc, char** argv) {
  if (std::getenv("GPUSEQ_TEST_PROGRAM") != nullptr)
    return gpuseq::bench::run_program(argc, argv, gpuseq::bench::registry_with_books());
  ::testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
