#include <gmock/gmock.h>
#include <sys/file.h>

#include "bench/commands/cache/cache_entries.hpp"
#include "tests/bench/lines.hpp"
#include "tests/bench/toy_program.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

constexpr const char* kKey = "0123456789abcdef";

void put(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
}

/// A cache with something of each kind, and with files of others.
fs::path filled(const Scratch& scratch) {
  const fs::path cache = scratch / "cache" / "gpuseq-bench";
  const std::string key = kKey;
  put(cache / (key + ".cubin"), "cubin");
  put(cache / ("fm-index-" + key + ".bwt"), "text of ten");
  put(cache / ("suffix-tree-" + key + ".tree"), "tree");
  put(cache / "profiles" / key / "profile.json", R"({"key": {"name": "A CPU"}})");
  put(cache / "profiles" / key / "records.jsonl", "{}\n");
  put(cache / "winners" / key / "fm_index.json", R"({"machines": {"0123456789abcdef": {"name": "A CPU"}}})");
  put(cache / "data" / (key + "-reads.fq"), "reads");
  put(cache / "tools" / key / "gpuseq-prepared.json", R"({"tool": "bowtie2", "version": "2.5.0"})");
  put(cache / "data" / "gpuseq-scratch-abcdef" / "member", "half");
  put(cache / (".fm-index-" + key + ".bwt.12.0.34"), "half");
  // Not the program's:
  put(cache / "notes.txt", "mine");
  put(cache / "winners" / "readme", "mine");
  put(cache / "data" / "genome.fa", "mine");
  put(cache / (key + ".cubin.old"), "mine");
  put(scratch / "elsewhere" / "fm_index.json", "mine");
  fs::create_directory_symlink(scratch / "elsewhere", cache / "profiles" / "fedcba9876543210");
  fs::create_symlink(scratch / "elsewhere" / "fm_index.json", cache / "fedcba9876543210.cubin");
  fs::create_directory_symlink(scratch / "elsewhere", cache / "tools" / kKey / "link");
  fs::permissions(cache, fs::perms::owner_all);
  return cache;
}

std::vector<std::string> kinds_in(const fs::path& cache) {
  std::vector<std::string> kinds;
  for (const CacheEntry& entry : cache_entries(cache)) kinds.emplace_back(entry.kind);
  return kinds;
}

/// Files that the program must never touch.
void expect_others_files(const Scratch& scratch, const fs::path& cache) {
  for (const char* name : {"notes.txt", "winners/readme", "data/genome.fa", "0123456789abcdef.cubin.old"})
    EXPECT_EQ(content(cache / name), "mine") << name;
  EXPECT_EQ(content(scratch / "elsewhere" / "fm_index.json"), "mine");
  EXPECT_TRUE(fs::is_symlink(cache / "fedcba9876543210.cubin"));
}

TEST(CacheEntries, HaveKindSizeAndWhatTheyBelongTo) {
  const Scratch scratch;
  const fs::path cache = filled(scratch);
  EXPECT_THAT(kinds_in(cache), ElementsAre("cubins", "sorted-texts", "suffix-trees", "profiles", "winners",
                                           "data", "tools", "unfinished", "unfinished"));
  const auto entries = cache_entries(cache);
  EXPECT_EQ(entries[1].bytes, 11u);
  EXPECT_EQ(entries[3].of, "A CPU");
  EXPECT_EQ(entries[3].bytes, fs::file_size(cache / "profiles" / kKey / "profile.json") + 3);
  EXPECT_EQ(entries[4].of, "A CPU: fm_index");
  EXPECT_EQ(entries[5].of, "reads.fq");
  EXPECT_EQ(entries[6].of, "bowtie2 2.5.0");
}

TEST(CacheEntries, SurviveDamagedFiles) {
  const Scratch scratch;
  const fs::path cache = filled(scratch);
  for (const char* file : {"cards/0123456789abcdef/profile.json", "winners/0123456789abcdef/fm_index.json",
                           "tools/0123456789abcdef/gpuseq-prepared.json"})
    for (const char* text : {"", "{", "[]", "3", R"({"key": 3, "machines": [], "peer": {}, "version": 1})"}) {
      put(cache / file, text);
      EXPECT_EQ(cache_entries(cache).size(), 9u) << file << text;
    }
}

TEST(ClearCache, RemovesOnlyTheProgramsOwnFiles) {
  const Scratch scratch;
  const fs::path cache = filled(scratch);
  const Cleared cleared = clear_cache(cache, {});
  EXPECT_EQ(cleared.removed.size(), 9u);
  EXPECT_THAT(cleared.kept, IsEmpty());
  EXPECT_THAT(kinds_in(cache), IsEmpty());
  expect_others_files(scratch, cache);
}

TEST(ClearCache, RemovesTheKindsThatAreNamed) {
  const Scratch scratch;
  const fs::path cache = filled(scratch);
  const std::vector<std::string> kinds{"cubins", "winners"};
  EXPECT_EQ(clear_cache(cache, kinds).removed.size(), 2u);
  EXPECT_THAT(kinds_in(cache), ElementsAre("sorted-texts", "suffix-trees", "profiles", "data", "tools",
                                           "unfinished", "unfinished"));
  expect_others_files(scratch, cache);
}

TEST(ClearCache, KeepsWhatARunReadsByName) {
  const Scratch scratch;
  const fs::path cache = filled(scratch);
  const int user = open(cache.c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(flock(user, LOCK_SH), 0);
  EXPECT_EQ(clear_cache(cache, {}).kept.size(), 4u);
  EXPECT_THAT(kinds_in(cache), ElementsAre("data", "tools", "unfinished", "unfinished"));
  close(user);
  EXPECT_THAT(clear_cache(cache, {}).kept, IsEmpty());
  EXPECT_THAT(kinds_in(cache), IsEmpty());
}

TEST(ClearCache, KnowsThatARunUsesTheCache) {
  const Scratch scratch;
  filled(scratch);
  const auto config = scratch.write("toys.json", small_config(R"({"hang": {}})"));
  Program running(scratch, {"--config", config, "--output", scratch / "run", "--no-report"});
  ASSERT_TRUE(wait_until([&] { return fs::exists(scratch / "run" / "run.json"); }));
  const Scratch other;
  const std::string folder = (scratch / "cache" / "gpuseq-bench").string();
  const Result cleared = result_of(other, "cache", {"--clear", "--cache-dir", folder});
  EXPECT_EQ(cleared.code, 1);
  expect_text(lines_with(cleared.err, "reads.fq"));
  running.kill(SIGKILL);
  running.wait();
  EXPECT_TRUE(wait_until([&] { return run(other, {"cache", "--clear", "--cache-dir", folder}) == 0; }));
}

TEST(CacheCommand, ListsAndClears) {
  const Scratch scratch;
  const fs::path cache = filled(scratch);
  const Result listed = result_of(scratch, "cache", {"--list"});
  EXPECT_EQ(listed.code, 0) << listed.err;
  expect_text(replaced(listed.out, "  1 s", "  0 s"));  // the age
  const nlohmann::json json = parse_json(result_of(scratch, "cache", {"--json"}).out, "cache");
  EXPECT_EQ(json["folder"], cache.string());
  EXPECT_EQ(json["entries"].size(), 9u);
  expect_text(result_of(scratch, "cache", {"--clear", "profiles", "data"}).out);
  EXPECT_EQ(run(scratch, {"cache", "--clear"}), 0);
  expect_text(result_of(scratch, "cache", {"--list"}).out);
  expect_others_files(scratch, cache);
}

TEST(CacheCommand, RefusesWhatItCannotClear) {
  const Scratch scratch;
  EXPECT_EQ(result_of(scratch, "cache", {"--clear", "everything"}).code, 2);
  EXPECT_EQ(result_of(scratch, "cache", {"--clear", "--list"}).code, 2);
  const fs::path open_to_all = scratch / "open";
  fs::create_directory(open_to_all);
  fs::permissions(open_to_all, fs::perms::all);
  EXPECT_EQ(result_of(scratch, "cache", {"--clear", "--cache-dir", open_to_all}).code, 2);
  EXPECT_EQ(result_of(scratch, "cache", {"--cache-dir", scratch.write("file", "x")}).code, 2);
  const Result missing = result_of(scratch, "cache", {"--cache-dir", scratch / "missing"});
  EXPECT_EQ(missing.code, 0) << missing.err;
  EXPECT_FALSE(fs::exists(scratch / "missing"));
}

}  // namespace
}  // namespace gpuseq::bench
