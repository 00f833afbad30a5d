#include "tests/golden_text.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "tests/source_dir.hpp"

namespace gpuseq {
namespace {

using Texts = std::vector<std::string>;
using TextsByTest = std::map<std::string, Texts>;

bool accepts() {
  const char* given = std::getenv("GPUSEQ_ACCEPT_TEXTS");
  return given != nullptr && std::string_view(given) == "1";
}

/// tests/bench/plan/plan_test.cpp: plan.txt; tests/kernels/papara/queries/a_test.cpp: papara.txt
std::filesystem::path golden_file(const ::testing::TestInfo& test) {
  const std::string source = test.file();
  const std::filesystem::path below = source.substr(source.rfind("tests/") + 6);
  auto folder = below.begin();
  if (*folder == "bench" || *folder == "kernels") ++folder;
  if (std::next(folder) == below.end()) return source_dir() / "tests/golden/texts/tests.txt";
  return source_dir() / "tests/golden/texts" / (folder->string() + ".txt");
}

std::string name_of(const ::testing::TestInfo& test) {
  return std::string(test.test_suite_name()) + "." + test.name();
}

TextsByTest read(const std::filesystem::path& path) {
  TextsByTest all;
  Texts* texts = nullptr;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## ")) {
      texts = &all[line.substr(3)];
    } else if (texts != nullptr && line == "--") {
      texts->emplace_back();
    } else if (texts != nullptr) {
      if (texts->empty()) texts->emplace_back();
      texts->back() += (line.starts_with("  ") ? line.substr(2) : line) + "\n";
    }
  }
  for (auto& [name, of_test] : all)
    for (std::string& text : of_test) text.erase(text.find_last_not_of('\n') + 1);
  return all;
}

void write(const std::filesystem::path& path, const TextsByTest& all) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path);
  for (const auto& [name, texts] : all) {
    file << (name == all.begin()->first ? "" : "\n") << "## " << name << "\n";
    for (std::size_t i = 0; i < texts.size(); ++i) {
      std::istringstream lines(texts[i]);
      if (i > 0) file << "--\n";
      for (std::string line; std::getline(lines, line);) file << (line.empty() ? "" : "  ") << line << "\n";
    }
  }
}

std::string normalised(std::string_view given) {
  static const std::regex folder(std::filesystem::temp_directory_path().string() +
                                 "/gpuseq[-_]\\w*[-.]\\w{6}");
  std::string text = std::regex_replace(std::string(given), folder, "<folder>");
  const std::string checkout = source_dir().string();
  for (std::size_t at = 0; (at = text.find(checkout, at)) != std::string::npos;)
    text.replace(at, checkout.size(), "<checkout>");
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

/// The texts of the running test: those kept, and those seen.
class GoldenTexts : public ::testing::EmptyTestEventListener {
 public:
  void compare(const std::string& text, const char* file, int line) {
    const ::testing::TestInfo& test = *::testing::UnitTest::GetInstance()->current_test_info();
    seen_.push_back(text);
    if (text.empty()) ADD_FAILURE_AT(file, line) << "no text";
    if (accepts()) return;
    const Texts& kept = kept_of(test);
    const std::size_t nth = seen_.size();
    const std::string expected = nth > kept.size() ? "(no text is kept)" : kept[nth - 1];
    if (expected != text)
      ADD_FAILURE_AT(file, line)
          << "text " << nth << " of " << name_of(test) << " in " << golden_file(test).string() << "\nkept:\n"
          << expected << "\nprinted:\n"
          << text << "\nIf the new words are right, run this program with GPUSEQ_ACCEPT_TEXTS=1"
          << " and --gtest_filter=" << name_of(test);
  }
  void OnTestStart(const ::testing::TestInfo&) override { seen_.clear(); }
  void OnTestEnd(const ::testing::TestInfo& test) override {
    if (test.result()->Failed() || test.result()->Skipped()) return;
    if (accepts()) return accept(test);
    if (kept_of(test).size() > seen_.size())
      ADD_FAILURE() << golden_file(test).string() << " keeps " << kept_of(test).size() << " texts of "
                    << name_of(test) << ", which printed " << seen_.size();
  }

 private:
  const Texts& kept_of(const ::testing::TestInfo& test) {
    const auto [file, is_new] = files_.try_emplace(golden_file(test));
    if (is_new) file->second = read(file->first);
    return file->second[name_of(test)];
  }
  void accept(const ::testing::TestInfo& test) {
    if (seen_ == kept_of(test)) return;
    TextsByTest all = read(golden_file(test));
    all[name_of(test)] = seen_;
    if (seen_.empty()) all.erase(name_of(test));
    write(golden_file(test), all);
    std::printf("accepted %zu texts of %s\n", seen_.size(), name_of(test).c_str());
  }

  std::map<std::filesystem::path, TextsByTest> files_;
  Texts seen_;
};

GoldenTexts& golden_texts() {
  // GoogleTest owns it.
  static GoldenTexts* const texts = [] {
    auto* made = new GoldenTexts;
    ::testing::UnitTest::GetInstance()->listeners().Append(made);
    return made;
  }();
  return *texts;
}

[[maybe_unused]] const GoldenTexts& appended_before_tests_run = golden_texts();

}  // namespace

void expect_text(std::string_view text, const char* file, int line) {
  golden_texts().compare(normalised(text), file, line);
}

void expect_text(const std::vector<std::string>& lines, const char* file, int line) {
  std::string text;
  for (const std::string& one : lines) text += one + "\n";
  expect_text(text, file, line);
}

}  // namespace gpuseq
