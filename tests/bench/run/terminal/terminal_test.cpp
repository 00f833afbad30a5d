#include "bench/run/terminal/terminal.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <regex>

#include "bench/profile/text_table.hpp"
#include "bench/run/terminal/problem_labels.hpp"
#include "bench/run/terminal/progress.hpp"
#include "bench/run/terminal/remaining_time.hpp"
#include "bench/run/terminal/wrapped_rows.hpp"
#include "tests/bench/environment.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::bench {
namespace {

/// A file that is no terminal.
class File {
 public:
  File() : file_(std::tmpfile()) {}
  ~File() { std::fclose(file_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  std::FILE* get() const { return file_; }
  std::string text() const {
    std::fflush(file_);
    std::rewind(file_);
    std::string text;
    for (int c = 0; (c = std::fgetc(file_)) != EOF;) text += static_cast<char>(c);
    return text;
  }

 private:
  std::FILE* file_;
};

TEST(Terminal, PaintsWhereItIsToldToAndElsewhereOnTerminalsOnly) {
  const File file;
  EXPECT_EQ(Terminal(file.get(), ColourChoice::automatic).paint(Ink::red, "bad"), "bad");
  EXPECT_EQ(Terminal(file.get(), ColourChoice::never).paint(Ink::red, "bad"), "bad");
  EXPECT_EQ(Terminal(file.get(), ColourChoice::always).paint(Ink::red, "bad"), "\033[31mbad\033[0m");
  EXPECT_FALSE(Terminal(file.get(), ColourChoice::always).rewrites());
  EXPECT_EQ(Terminal(file.get(), ColourChoice::automatic).width(), Terminal::kUsualWidth);
}

TEST(Cut, EndsBetweenCharactersOfUtf8) {
  EXPECT_EQ(cut("abc", 2), "ab");
  EXPECT_EQ(cut("abc", 9), "abc");
  EXPECT_EQ(cut("\xc3\xa9t\xc3\xa9", 1), "\xc3\xa9");
  EXPECT_EQ(cut("\xc3\xa9t\xc3\xa9", 2), "\xc3\xa9t");
}

TEST(WrappedRows, FitAWidthByBreakingWhatMayBeBroken) {
  const TextRows rows{{"problem", "rate"}, {"a long label, of two parts", "1.2 G"}, {"b", "3 G"}};
  EXPECT_EQ(wrapped_rows(rows, {0}, 100), rows);
  const TextRows narrow = wrapped_rows(rows, {0}, 24);
  EXPECT_EQ(narrow,
            (TextRows{{"problem", "rate"}, {"a long label,", "1.2 G"}, {"of two parts", ""}, {"b", "3 G"}}));
  for (std::size_t width : {24u, 30u, 100u}) {
    const std::string text = text_table(wrapped_rows(rows, {0}, width));
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
      EXPECT_LE(text.find('\n', at) - at, width) << text;
  }
}

TEST(WrappedRows, LeaveWordsWhole) {
  const std::string word(40, 'x');
  EXPECT_EQ(wrapped_rows({{"a"}, {word}}, {0}, 20), (TextRows{{"a"}, {word}}));
  EXPECT_EQ(wrapped_rows({{"a"}, {word + ","}}, {0}, 20), (TextRows{{"a"}, {word + ","}}));
}

TEST(WrappedText, BreaksBetweenWords) {
  EXPECT_EQ(wrapped_text("one two three", 12, 4), "one two\n    three");
  EXPECT_EQ(wrapped_text("one two", 80, 4), "one two");
  EXPECT_EQ(wrapped_text(std::string(20, 'x') + " y", 10, 2), std::string(20, 'x') + "\n  y");
}

TEST(ProblemLabels, HaveNInPlaceOfTheSize) {
  const nlohmann::ordered_json size{{"value", 400}};
  EXPECT_EQ(label_of_any_size("ecoli, 400 queries of 100 bases", size), "ecoli, n queries of 100 bases");
  EXPECT_EQ(label_of_any_size("bases (count=400)", size), "bases (count=n)");
  EXPECT_EQ(label_of_any_size("400 states x 400 sequences", size), "400 states x 400 sequences");
  EXPECT_EQ(label_of_any_size("4000 reads, 1.400 m", size), "4000 reads, 1.400 m");
}

TEST(RemainingTime, WeighsWhatIsLeftByHowLongItsKindTookSoFar) {
  RemainingTime remaining;
  remaining.plan("probes on cpu", 100, 0.1);
  remaining.plan("fm_index on cpu", 10, 1);
  EXPECT_DOUBLE_EQ(remaining.left_s("", 0), 20);
  for (int i = 0; i < 99; ++i) remaining.finished("probes on cpu", 0.1);
  EXPECT_NEAR(remaining.left_s("", 0), 10.1, 1e-9);
  for (int i = 0; i < 5; ++i) remaining.finished("fm_index on cpu", 7);  // (1 + 5 x 7) / 6 = 6 s each
  EXPECT_NEAR(remaining.left_s("", 0), 30.1, 1e-9);
  EXPECT_NEAR(remaining.left_s("fm_index on cpu", 2), 28.1, 1e-9);
  EXPECT_NEAR(remaining.left_s("fm_index on cpu", 100), 24.1, 1e-9) << "no state lasts less than none";
}

TEST(RemainingTime, IsNoMoreThanWhatIsLeftOfTheBudget) {
  RemainingTime remaining;
  remaining.plan("probes on cpu", 100, 0.1);
  EXPECT_EQ(remaining.left_s("", 0, 4), 4);
  EXPECT_EQ(remaining.left_s("", 0, -1), 0);
  EXPECT_DOUBLE_EQ(remaining.left_s("", 0, 100), 10);
}

void run_states_of(Progress& progress, int count) {
  progress.plan("toy on cpu", count, 1);
  for (int i = 0; i < count; ++i) {
    progress.begin("toy/steady/" + std::to_string(i), "toy on cpu", "sweep");
    progress.stage("sample");
    progress.end(i == 42 ? "failed" : "ok", i == 42 ? "error: it broke" : "1 G toys/s");
  }
}

std::string without_times(const std::string& text) {
  static const std::regex time("(\\d+ (h|min) )?\\d+ (s|min)\\b");
  return std::regex_replace(text, time, "<time>");
}

TEST(Progress, ItsRemainingTimeKeepsToTheBudget) {
  const File file;
  {
    Progress progress({file.get(), ColourChoice::automatic}, false);
    progress.set_budget(0);
    run_states_of(progress, 20);
  }
  EXPECT_NE(file.text().find("about 0 s left"), std::string::npos) << file.text();
  EXPECT_EQ(file.text().find("about 1"), std::string::npos) << file.text();
}

TEST(Progress, HasALineAPhaseAndATenthAndAFailureInALog) {
  const File file;
  {
    Progress progress({file.get(), ColourChoice::automatic}, false);
    run_states_of(progress, 200);
  }
  expect_text(without_times(file.text()));  // a phase, nine tenths and a failure
}

TEST(Progress, HasALineAStateWhereThatIsAskedFor) {
  const File file;
  {
    Progress progress({file.get(), ColourChoice::automatic}, true);
    run_states_of(progress, 2);
  }
  expect_text(without_times(file.text()));
}

}  // namespace
}  // namespace gpuseq::bench
