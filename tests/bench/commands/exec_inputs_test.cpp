#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "bench/commands/cli.hpp"
#include "tests/bench/toy_program.hpp"
#include "tests/kernels/profile_hmm/model_text.hpp"
#include "tests/runtime/gzip.hpp"

// Inputs of exec, for every family: files that programs write otherwise, records without a
// letter, standard input, and data of a size that not every variant takes.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;
using Files = std::map<std::string, std::string>;  // role -> content

constexpr const char* kTexts = ">r1 first\nGATTACAGATTACACC\n>r2\nTTGATTACAAGGTCCA\nGGATNACATT\n";
constexpr const char* kReads = ">q1 a read\nGATTACA\n>q2\nTGTAATC\n>q3\nGGTCCAGG\n>q4\nGATNACA\n";

/// Inputs of each family; all are FASTA but for the tree and the model.
const std::map<std::string, Files>& inputs() {
  static const Files texts{{"reference", kTexts}, {"queries", kReads}};
  static const std::map<std::string, Files> all{
      {"exact_match", texts},
      {"fm_index", texts},
      {"fm_locate", texts},
      {"fm_mismatch", texts},
      {"pairwise_distance", {{"instances", ">a\nACGT\n>b one\nACGA\n>c\nTC-A\n"}}},
      {"papara",
       {{"alignment", ">a\nACGTACGTAA\n>b\nACGAACGTAC\n>c\nTCGA-CGTTT\n"},
        {"tree", "((a:1,b:1):1,c:1);\n"},
        {"queries", ">q1\nACGTA\n>q2\nCGTT\n"}}},
      {"profile_hmm",
       {{"models", profile_hmm::testing::kModelText}, {"sequences", ">s1 x\nMKEFDAAW\n>s2\nEFDEFD\nWWEF\n"}}},
  };
  return all;
}

std::vector<std::string> options_of(const std::string& family) {
  if (family == "exact_match") return {"--min-length", "4", "--both-strands"};
  return {};
}

const Registry& registry() {
  static const Registry made = make_registry();
  return made;
}

const Family& family_named(const std::string& name) {
  return **std::ranges::find_if(registry().families, [&](const auto& one) { return one->name() == name; });
}

std::vector<std::string> cpu_variants(const std::string& family) {
  std::vector<std::string> names;
  for (const Variant& variant : family_named(family).variants())
    if (variant.device == DeviceKind::cpu && variant.name != "hybrid") names.push_back(variant.name);
  return names;
}

struct Answer {
  int code;
  std::string out, err;
};

/// Runs exec on files of these contents.
/// @param dashes  roles that are given as "-"; standard input has the content of the first
Answer exec(const std::string& family, const Files& files, std::vector<std::string> more = {},
            const std::vector<std::string>& dashes = {}) {
  const Scratch scratch;
  std::vector<std::string> arguments{"exec", family, "--default-points", "--out", scratch / "out"};
  for (const auto& [role, content] : files) {
    const auto path = scratch.write("data " + role, content);
    const bool dash = std::ranges::find(dashes, role) != dashes.end();
    arguments.insert(arguments.end(), {"--data", role + "=" + (dash ? "-" : path.string())});
  }
  for (const std::string& option : options_of(family)) arguments.push_back(option);
  if (std::ranges::find(more, "--variant") == more.end())
    more.insert(more.end(), {"--variant", cpu_variants(family).front()});
  arguments.insert(arguments.end(), more.begin(), more.end());
  Program program(scratch, arguments, [&] {
    if (dashes.empty()) return;
    const int input = open((scratch / ("data " + dashes.front())).c_str(), O_RDONLY);
    dup2(input, STDIN_FILENO);
  });
  const int code = program.wait();
  return {code, content(scratch / "out"), program.err()};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

bool is_fasta(const std::string& content) {
  return content.starts_with('>');
}

/// A file as other programs write it.
using Writing = std::string (*)(const std::string&);
const std::map<std::string, Writing> kWritings{
    {"a blank before the name", [](const std::string& text) { return replaced(text, ">", "> "); }},
    {"a tab before the name", [](const std::string& text) { return replaced(text, ">", ">\t"); }},
    {"CRLF", [](const std::string& text) { return replaced(text, "\n", "\r\n"); }},
    {"blank lines", [](const std::string& text) { return "\n" + replaced(text, ">", "\n \n>") + "\n\n"; }},
    {"no line end", [](const std::string& text) { return text.substr(0, text.size() - 1); }},
    {"byte order mark", [](const std::string& text) { return "\xef\xbb\xbf" + text; }},
    {"gzip with zero bytes behind",
     [](const std::string& text) { return gzip(text) + std::string(999, '\0'); }},
    {"members of gzip",
     [](const std::string& text) { return gzip(text.substr(0, 9)) + gzip(text.substr(9)); }},
};

TEST(ExecInputs, ThatAreWrittenOtherwiseHaveTheSameAnswers) {
  for (const auto& [family, files] : inputs()) {
    const Answer expected = exec(family, files);
    ASSERT_EQ(expected.code, 0) << family << ": " << expected.err;
    EXPECT_THAT(expected.out, HasSubstr(family == "pairwise_distance" ? "b"
                                        : family == "profile_hmm"     ? "s1"
                                                                      : "q1"));
    for (const auto& [name, write] : kWritings) {
      SCOPED_TRACE(family + ": " + name);
      Files written = files;
      for (auto& [role, content] : written)
        if (is_fasta(content)) content = write(content);
      const Answer found = exec(family, written);
      EXPECT_EQ(found.code, 0) << found.err;
      EXPECT_EQ(found.out, expected.out);
    }
  }
}

/// The role whose records are asked about; that of a reference.
std::string queries_role(const std::string& family) {
  return family == "profile_hmm" ? "sequences" : "queries";
}

const std::string kEmptyRead = ">empty\n";

TEST(ExecInputs, WithoutALetterAreSkippedAsReferences) {
  for (const char* family : {"exact_match", "fm_index", "fm_locate", "fm_mismatch"}) {
    Files files = inputs().at(family);
    const Answer expected = exec(family, files);
    files["reference"] = kEmptyRead + files["reference"] + kEmptyRead;
    for (const std::string& variant : cpu_variants(family)) {
      SCOPED_TRACE(fmt::format("{} {}", family, variant));
      const Answer found = exec(family, files, {"--variant", variant});
      if (found.code == 2) continue;  // a text too short for it
      EXPECT_EQ(found.code, 0) << found.err;
      EXPECT_EQ(found.out, expected.out);
      EXPECT_THAT(found.err, HasSubstr("reference: 2 records without a letter; each is skipped"));
    }
    files["reference"] = kEmptyRead;
    const Answer none = exec(family, files);
    EXPECT_EQ(none.code, 2);
    EXPECT_THAT(none.err, HasSubstr("has no base"));
  }
}

TEST(ExecInputs, WithoutALetterHaveRowsAsQueries) {
  const std::map<std::string, std::pair<std::string, std::string>> rows{
      {"exact_match", {"> empty\n> empty Reverse\n", "2 records without a letter; each matches nothing"}},
      {"fm_index", {"empty\t0\t42\t42\n", "2 records without a letter; each is an empty query"}},
      {"fm_locate", {"", "2 records without a letter; each is an empty query"}},
      {"fm_mismatch", {"", "2 records without a letter; each is an empty query"}},
      {"papara", {"empty\tNA\tNA\tNA\tNA\tNA\tNA\n", "2 of 4 queries are not aligned: they have no base"}},
      {"profile_hmm",
       {fmt::format("three\tempty\t0{}\t0\t0\t0\n", fmt::join(std::vector<std::string>(18, "\tNA"), "")),
        "2 of 4 sequences have no residues"}},
  };
  for (const auto& [family, row] : rows) {
    Files files = inputs().at(family);
    const Answer before = exec(family, files);
    std::string& queries = files[queries_role(family)];
    const std::size_t second = queries.find('>', 1);
    queries = queries.substr(0, second) + kEmptyRead + queries.substr(second) + kEmptyRead;
    for (const std::string& variant : cpu_variants(family)) {
      SCOPED_TRACE(fmt::format("{} {}", family, variant));
      const Answer found = exec(family, files, {"--variant", variant});
      if (found.code == 2) continue;
      EXPECT_EQ(found.code, 0) << found.err;
      EXPECT_THAT(found.err, HasSubstr(row.second));
      EXPECT_TRUE(found.out.ends_with(row.first)) << found.out;
      EXPECT_EQ(row.first.empty() ? found.out : replaced(found.out, row.first, ""), before.out);
    }
  }
}

TEST(ExecInputs, OfAnAlignmentWithoutALetterAreRefused) {
  const Answer found = exec("pairwise_distance", {{"instances", ">a\n>b\nACGT\n"}});
  EXPECT_EQ(found.code, 2);
  EXPECT_THAT(found.err, AllOf(HasSubstr("instances:1: record 1 (a)"), HasSubstr("no letter")));
}

TEST(ExecInputs, OfOneRoleAreStandardInput) {
  for (const auto& [family, files] : inputs()) {
    const Answer expected = exec(family, files);
    for (const auto& [role, content] : files)
      for (const bool packed : {false, true}) {
        SCOPED_TRACE(fmt::format("{} {} {}", family, role, packed));
        Files written = files;
        if (packed) written[role] = gzip(content);
        const Answer found = exec(family, written, {}, {role});
        EXPECT_EQ(found.code, 0) << found.err;
        EXPECT_EQ(found.out, expected.out);
      }
  }
}

TEST(ExecInputs, OfTwoRolesAreNotStandardInput) {
  const Answer found = exec("fm_index", inputs().at("fm_index"), {}, {"queries", "reference"});
  EXPECT_EQ(found.code, 2);
  EXPECT_THAT(found.err, AllOf(HasSubstr("--data reference=-"), HasSubstr("allowed: one role")));
}

TEST(ExecInputs, OfSeveralFilesAreNotStandardInput) {
  const Answer bed =
      exec("pairwise_distance", {{"instances", std::string("\x6c\x1b\x01\x00", 4)}}, {}, {"instances"});
  EXPECT_EQ(bed.code, 2);
  EXPECT_THAT(bed.err, AllOf(HasSubstr("/dev/stdin"), HasSubstr(".bim and .fam")));
}

TEST(ExecInputs, OfARunAreNotStandardInput) {
  const Scratch scratch;
  const auto config =
      scratch.write("run.json", R"({"name": "run", "devices": "cpu", "families": {"fm_index": {
    "problems": [{"reference": "random", "queries": "sampled"}], "variants": {"scalar": {}}}}})");
  const auto result = result_of(scratch, "run", {"--config", config, "--data", "queries=-"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("--data queries=-"), HasSubstr("read once"), HasSubstr("allowed: a file")));
  const auto named =
      scratch.write("named.json", R"({"name": "run", "devices": "cpu", "data": {"x": {"path": "-"}},
    "families": {"fm_index": {"problems": [{"reference": "x"}], "variants": {"scalar": {}}}}})");
  const auto refused = result_of(scratch, "run", {"--config", named});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("/data/x/path"), HasSubstr("standard input")));
}

/// A size that a variant does not take is the user's to change; a size that it takes it answers as all do.
TEST(ExecInputs, OfAnySizeHaveOneAnswerOrAreRefused) {
  std::map<std::string, std::vector<Files>> small;
  for (const char* family : {"exact_match", "fm_index", "fm_locate", "fm_mismatch"})
    for (const char* reference : {">r\nA\n", ">r\nAAAA\n>s\nA\n", ">r\nNNCNN\n"})
      for (const char* queries : {">q\nA\n", ">q\nACGTACGTACGT\n", ">q\n"})
        small[family].push_back({{"reference", reference}, {"queries", queries}});
  for (const char* instances : {">a\nA\n", ">a\nN\n", ">a\nA\n>b\nC\n"})
    small["pairwise_distance"].push_back({{"instances", instances}});
  for (const char* queries : {">q\nA\n", ">q\n", ">q\nAC\n"})
    small["papara"].push_back({{"alignment", ">a\nA\n>b\nC\n"}, {"tree", "(a,b);"}, {"queries", queries}});
  for (const char* sequences : {">s\nM\n", ">s\n", ">s\n*\n", ">s\nm\n>t\nW\n"})
    small["profile_hmm"].push_back({{"models", profile_hmm::testing::kModelText}, {"sequences", sequences}});
  for (const auto& [family, cases] : small)
    for (const Files& files : cases) {
      std::string expected;
      for (const std::string& variant : cpu_variants(family)) {
        const Answer found = exec(family, files, {"--variant", variant});
        SCOPED_TRACE(fmt::format("{} {}: {}", family, variant, files));
        EXPECT_TRUE(found.code == 0 || found.code == 2) << found.code << found.err;
        if (found.code != 0) {
          EXPECT_THAT(found.err, HasSubstr("allowed"));
          continue;
        }
        if (expected.empty()) expected = found.out;
        EXPECT_EQ(found.out, expected);
      }
      EXPECT_NE(expected, "") << family;
    }
}

TEST(ExecInputs, OfATextTooShortForKSayHowLongItMustBe) {
  for (const char* variant : {"psi_simd", "psi_lines_simd", "verify_prefetch"}) {
    const std::vector<std::string> chosen{"--variant", variant, "--point", "k=8"};
    Files files{{"reference", ">r\n" + std::string(1022, 'A') + "\n"}, {"queries", ">q\nAAAA\n"}};
    const Answer refused = exec("fm_index", files, chosen);
    EXPECT_EQ(refused.code, 2) << variant;
    EXPECT_THAT(refused.err, AllOf(HasSubstr("k = 8"), HasSubstr("references of 1023 bases or more"),
                                   HasSubstr("the reference has 1022")));
    files["reference"] = ">r\n" + std::string(1023, 'A') + "\n";
    EXPECT_EQ(exec("fm_index", files, chosen).out, "name\tl\th\tcount\nq\t4\t1024\t1020\n") << variant;
  }
}

}  // namespace
}  // namespace gpuseq::bench

int main(int argc, char** argv) {
  if (std::getenv("GPUSEQ_TEST_PROGRAM") != nullptr)
    return gpuseq::bench::run_program(argc, argv, gpuseq::bench::make_registry());
  ::testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
