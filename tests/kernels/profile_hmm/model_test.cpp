#include "kernels/profile_hmm/data/model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/profile_hmm/model_text.hpp"
#include "tests/runtime/gzip.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::profile_hmm {
namespace {

namespace fs = std::filesystem;
using testing::changed;
using ::testing::HasSubstr;
using testing::kModelText;

/// The text in an older format: without the fields of match lines and the header lines that it lacks.
std::string as_format(char format) {
  std::string text = changed(kModelText, "HMMER3/f", std::string("HMMER3/") + format);
  if (format < 'f') {
    text = changed(text, "MM    no\n", "");
    for (const char* fields : {"7 L - - -", "9 E - - -", "10 F - - -"})
      text = changed(text, fields, std::string(fields).substr(0, std::string(fields).size() - 2));
  }
  if (format < 'e') {
    text = changed(text, "CONS  yes\n", "");
    for (const char* fields : {"7 L", "9 E", "10 F"})
      text = changed(text, fields, std::string(fields).substr(0, std::string(fields).size() - 2));
  }
  if (format < 'c') text = changed(text, "MAXL  20\n", "");
  if (format == 'a') {
    const std::size_t begin = text.find("STATS"), end = text.find("HMM ");
    text.replace(begin, end - begin,
                 "STATS LOCAL     VLAMBDA 0.82813\nSTATS LOCAL         VMU -4.6955\nSTATS LOCAL        FTAU "
                 "-2.6955\n");
  }
  return text;
}

class ProfileHmmModel : public ::testing::Test {
 protected:
  std::vector<Model> read(std::string_view content) const {
    return read_models(folder_.write("models.hmm", content));
  }
  void expect_refused(std::string_view content) const {
    expect_error_text([&] { read(content); });
  }
  void expect_refused_change(const std::string& from, const std::string& to) const {
    expect_refused(changed(kModelText, from, to));
  }
  Model write_and_read(const Model& model) const {
    std::ostringstream out;
    write_model(out, model);
    return read(out.str()).at(0);
  }
  TemporaryFolder folder_;
};

void expect_same_numbers(const Model& a, const Model& b) {
  EXPECT_EQ(a.length, b.length);
  EXPECT_TRUE(a.match == b.match);
  EXPECT_TRUE(a.transitions == b.transitions);
  EXPECT_EQ(a.composition, b.composition);
  const auto numbers = [](const Model& m) {
    return std::array<float, 6>{m.msv.mu,         m.msv.lambda, m.viterbi.mu,
                                m.viterbi.lambda, m.forward.mu, m.forward.lambda};
  };
  EXPECT_EQ(numbers(a), numbers(b));
}

TEST_F(ProfileHmmModel, HoldsTheProbabilitiesOfTheFile) {
  const auto models = read(kModelText);
  ASSERT_EQ(models.size(), 1u);
  const Model& model = models[0];
  EXPECT_EQ(model.name, "three");
  EXPECT_EQ(model.accession, "PF99999.1");
  EXPECT_EQ(model.length, 3u);
  EXPECT_EQ(model.line, 1u);
  EXPECT_THAT(model.file, HasSubstr("models.hmm"));
  ASSERT_EQ(model.match.size(), 4u);
  ASSERT_EQ(model.transitions.size(), 4u);
  EXPECT_EQ(model.match[0][0], 0);
  EXPECT_EQ(model.match[1][0], std::exp(-6.68952f));
  EXPECT_EQ(model.match[3][19], std::exp(-6.75397f));
  EXPECT_EQ(model.transitions[0][kMM], std::exp(-0.00985f));
  EXPECT_EQ(model.transitions[0][kDM], 1);
  EXPECT_EQ(model.transitions[0][kDD], 0);
  EXPECT_EQ(model.transitions[1][kMD], std::exp(-1.73401f));
  EXPECT_EQ(model.transitions[3][kMD], 0);
  EXPECT_EQ(model.composition[3], std::exp(-1.12344f));
  EXPECT_EQ(model.msv.mu, -4.334f);
  EXPECT_EQ(model.msv.lambda, 0.82813f);
  EXPECT_EQ(model.viterbi.mu, -4.6955f);
  EXPECT_EQ(model.forward.mu, -2.6955f);
}

TEST_F(ProfileHmmModel, IsTheSameInEveryFormatThatHmmerHasHad) {
  Model expected = read(kModelText).at(0);
  for (const char format : {'f', 'e', 'd', 'c', 'b', 'a'}) {
    if (format == 'a') expected.msv = expected.viterbi;  // one location and one slope
    SCOPED_TRACE(format);
    expect_same_numbers(read(as_format(format)).at(0), expected);
  }
}

TEST_F(ProfileHmmModel, FilesHoldManyAndMayBeGzip) {
  const std::string second = changed(changed(kModelText, "three", "four"), "ACC   PF99999.1\n", "");
  for (const std::string& content : {kModelText + second, gzip(kModelText + second)}) {
    const auto models = read(content);
    ASSERT_EQ(models.size(), 2u);
    EXPECT_EQ(models[0].name, "three");
    EXPECT_EQ(models[1].name, "four");
    EXPECT_EQ(models[1].accession, "");
    EXPECT_EQ(models[1].line, 39u);
    expect_same_numbers(models[0], models[1]);
  }
}

TEST_F(ProfileHmmModel, PassesOverCommentsBlankLinesAndUnknownTags) {
  std::string text = changed(kModelText, "LENG", "# a comment\n\n   \t\nWHAT is this\nLENG");
  text = changed(text, "  COMPO", "  # another\n\n  COMPO");
  std::string crlf;
  for (const char letter : text) crlf += letter == '\n' ? std::string("\r\n") : std::string(1, letter);
  for (const std::string& content : {text, crlf, "# before\n\n" + text + "\n# behind\n\n"})
    expect_same_numbers(read(content).at(0), read(kModelText).at(0));
}

TEST_F(ProfileHmmModel, AWrittenModelIsReadAgainAsItWas) {
  Model model = read(kModelText).at(0);
  const Model again = write_and_read(model);
  EXPECT_EQ(again.name, "three");
  EXPECT_EQ(again.accession, "PF99999.1");
  expect_same_numbers(again, model);
}

/// Five decimals of a logarithm do not hold these; more do.
TEST_F(ProfileHmmModel, NumbersOfMoreDecimalsAreWrittenWithMore) {
  Model model = read(kModelText).at(0);
  model.match[1][0] = std::exp(-2.0918641f);
  model.match[2][7] = std::exp(-69.07755f);
  model.match[3].fill(std::exp(-2.9957323f));
  model.transitions[1][kMM] = 0.9999999f;
  model.transitions[2][kMI] = 0;
  model.msv = {.mu = -7.654321f, .lambda = 0.7123456f};
  expect_same_numbers(write_and_read(model), model);
}

TEST_F(ProfileHmmModel, OfOneStateAndOfManyIsReadAgain) {
  for (const u32 length : {1u, 2405u}) {
    Model model = read(kModelText).at(0);
    model.length = length;
    model.match.resize(length + 1, model.match[1]);
    model.transitions.resize(length + 1, model.transitions[2]);
    expect_same_numbers(write_and_read(model), model);
  }
}

/// HMMER then has a composition of zeros.
TEST_F(ProfileHmmModel, WithoutCompoIsReadAndHasNoComposition) {
  for (const char format : {'a', 'c', 'e', 'f'}) {
    std::string text = as_format(format);
    const std::size_t compo = text.find("  COMPO");
    text.erase(compo, text.find('\n', compo) + 1 - compo);
    const auto models = read(text + text);
    ASSERT_EQ(models.size(), 2u);
    for (const Model& model : models) {
      Model expected = read(as_format(format)).at(0);
      expected.composition = {};
      expect_same_numbers(model, expected);
      expect_same_numbers(write_and_read(model), expected);
    }
  }
}

/// Pfam writes them so.
TEST_F(ProfileHmmModel, ThresholdsMayEndInASemicolon) {
  EXPECT_EQ(read(changed(kModelText, "GA    25.00 20.00", "GA    25.00 20.00;")).size(), 1u);
}

TEST_F(ProfileHmmModel, SaysThatAFileIsMissingEmptyOrNoModel) {
  EXPECT_THROW(read_models(folder_.path() / "none.hmm"), UsageError);
  EXPECT_THROW(read_models(folder_.path()), UsageError);
  expect_refused("");
  expect_refused("\n\n# nothing\n");
  expect_refused(">a\nACGT\n");
  expect_refused(changed(kModelText, "HMMER3/f", "HMMER2.0"));
  expect_refused(changed(kModelText, "HMMER3/f", "HMMER3/g"));
  expect_refused(std::string("\xf7\xe4\xe5\xe8\0\1", 6));
  expect_refused(kModelText + "more\n");
  expect_refused(kModelText + as_format('e'));
}

TEST_F(ProfileHmmModel, SaysWhichHeaderLineIsWrong) {
  expect_refused_change("NAME  three\n", "");
  expect_refused_change("NAME  three\n", "NAME\n");
  expect_refused_change("NAME  three", "NAME  th\x1b[1mree");
  expect_refused_change("NAME  three", "NAME  th\vree");
  expect_refused_change("LENG  3\n", "");
  for (const char* length : {"0", "-3", "three", "3.5", "1000001", "99999999999999999999"})
    expect_refused_change("LENG  3", std::string("LENG  ") + length);
  expect_refused_change("ALPH  amino\n", "");
  expect_refused_change("ALPH  amino", "ALPH  DNA");
  expect_refused_change("RF    no", "RF    maybe");
  expect_refused_change("CONS  yes", "CONS  no");
  expect_refused_change("MAXL  20", "MAXL  0");
  expect_refused_change("NSEQ  4", "NSEQ  x");
  expect_refused_change("EFFN  3.5", "EFFN  0");
  expect_refused_change("GA    25.00 20.00", "GA    25.00");
  expect_refused_change("DESC  three states", "DESC");
}

TEST_F(ProfileHmmModel, SaysWhatStatisticsAreWrong) {
  expect_refused_change("STATS LOCAL MSV        -4.334  0.82813\n", "");
  expect_refused_change("STATS LOCAL MSV", "STATS GLOBAL MSV");
  expect_refused_change("STATS LOCAL MSV", "STATS LOCAL SSV");
  expect_refused_change("-4.334  0.82813", "-4.334  0");
  expect_refused_change("-4.334  0.82813", "-4.334");
  expect_refused_change("-4.334  0.82813", "nan  0.82813");
  expect_refused_change("-4.334  0.82813", "1e60  0.82813");
  expect_refused(changed(as_format('a'), "VMU -4.6955", "VMO -4.6955"));
}

TEST_F(ProfileHmmModel, SaysWhereTheBodyIsWrong) {
  expect_refused_change("  COMPO   6.51558", "          6.51558");
  expect_refused_change("6.68535\n", "\n");
  expect_refused_change("6.68952", "-6.68952");
  for (const char* number : {"x", "6.6x", "nan", "inf", "1e999", "**", "0x1p3"})
    expect_refused_change("6.68952", number);
  expect_refused_change("\n      2 ", "\n      3 ");
  expect_refused_change("LENG  3", "LENG  2");
  expect_refused_change("LENG  3", "LENG  4");
  expect_refused_change("10 F - - -", "10 F - -");
  expect_refused_change("        *  0.61953  0.77262  0.00000        *\n//", "        *  0.61953\n//");
  expect_refused(changed(kModelText, "//\n", ""));
  expect_refused(changed(kModelText, "//\n", "/\n"));
  std::string zero = kModelText;
  zero[zero.find("6.68952")] = '\0';
  expect_refused(zero);
}

TEST_F(ProfileHmmModel, EveryFileThatEndsEarlyIsRefused) {
  for (std::size_t length = 1; length + 3 < kModelText.size(); length += 37)
    EXPECT_THROW(read(kModelText.substr(0, length)), UsageError) << length;
}

TEST(ProfileHmmModelOfExamples, EveryAminoModelIsReadAndWrittenAgain) {
  const fs::path examples = "/usr/share/doc/hmmer/examples";
  if (!fs::exists(examples / "tutorial/fn3.hmm")) GTEST_SKIP() << "package hmmer-examples is not installed";
  const TemporaryFolder folder;
  int count = 0;
  for (const char* name : {"tutorial/globins4.hmm", "tutorial/Pkinase.hmm", "testsuite/SMC_N.hmm.gz",
                           "testsuite/M1.hmm", "testsuite/Patched.hmm.gz"}) {
    const Model model = read_models(examples / name).at(0);
    std::ostringstream out;
    write_model(out, model);
    expect_same_numbers(read_models(folder.write("again.hmm", out.str())).at(0), model);
    ++count;
  }
  EXPECT_EQ(count, 5);
  EXPECT_THROW(read_models(examples / "tutorial/MADE1.hmm"), UsageError);  // DNA
}

}  // namespace
}  // namespace gpuseq::profile_hmm
