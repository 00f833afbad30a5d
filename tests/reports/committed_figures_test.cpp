#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "reports/figure.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/io/json_text.hpp"
#include "tests/reports/committed_runs.hpp"

namespace gpuseq::reports {
namespace {

using Json = nlohmann::ordered_json;

/// The pictures of a run's figures.
std::vector<std::filesystem::path> pictures_of(const std::filesystem::path& run) {
  std::vector<std::filesystem::path> pictures;
  if (std::filesystem::exists(run / "plots"))
    for (const auto& file : std::filesystem::directory_iterator(run / "plots"))
      if (file.path().extension() == ".png") pictures.push_back(file.path());
  std::sort(pictures.begin(), pictures.end());
  return pictures;
}

const Figure* figure_of(const std::filesystem::path& picture) {
  for (const Figure& figure : figures())
    if (figure.file_stem() == picture.stem()) return &figure;
  return nullptr;
}

/// The published values that a run's config names.
Published published_of(const ReportData& data) {
  const nlohmann::json::json_pointer place("/config/published");
  const nlohmann::json& summary = data.runs.front().summary;
  if (!summary.contains(place)) return {};
  const std::filesystem::path recorded = summary[place].get<std::string>();
  return load_published(source_dir() / "configs" / recorded.filename());
}

/// The place of the first difference; empty where there is none. The last digits of numbers are of the
/// compiler.
std::string difference(const Json& committed, const Json& drawn, const std::string& at = "") {
  if (committed.is_number() && drawn.is_number()) {
    const double a = committed.get<double>(), b = drawn.get<double>();
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)) ? "" : at;
  }
  if (committed.type() != drawn.type() || committed.size() != drawn.size()) return at + "/";
  if (!committed.is_structured()) return committed == drawn ? "" : at;
  auto other = drawn.begin();
  std::size_t place = 0;
  for (auto item = committed.begin(); item != committed.end(); ++item, ++other, ++place) {
    const std::string name = committed.is_object() ? item.key() : std::to_string(place);
    if (committed.is_object() && item.key() != other.key()) return at + "/" + name;
    if (std::string found = difference(*item, *other, at + "/" + name); !found.empty()) return found;
  }
  return "";
}

TEST(CommittedFigures, HaveTheVegaLiteThatTheProgramMakesOfTheirRecordsBesideThem) {
  std::size_t pictures = 0;
  for (const std::filesystem::path& run : committed_runs()) {
    const ReportData data = load_runs({run});
    const Published published = published_of(data);
    for (const std::filesystem::path& picture : pictures_of(run)) {
      ++pictures;
      const Figure* figure = figure_of(picture);
      ASSERT_TRUE(figure) << picture << " is no figure of the program";
      const Drawing drawing = figure->draw(*figure, data, published);
      ASSERT_TRUE(drawing.spec) << picture << ": " << drawing.reason;
      std::filesystem::path file = picture;
      file.replace_extension(".vl.json");
      ASSERT_TRUE(std::filesystem::exists(file)) << picture << " has no " << file.filename();
      EXPECT_EQ(difference(Json::parse(read_file(file)), *drawing.spec), "")
          << file << " is not what its records make now: reports/redraw_committed.py draws all again";
    }
  }
  EXPECT_GT(pictures, 0u);
}

TEST(CommittedFigures, AreThoseOfRunsWithRecords) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_dir() / "results"))
    if (entry.path().extension() == ".png") {
      EXPECT_TRUE(std::filesystem::exists(entry.path().parent_path().parent_path() / "records.jsonl"))
          << entry.path();
    }
}

TEST(CommittedFigures, TakeHalfAMegabyteAtMost) {
  constexpr std::uintmax_t kMostBytes = 500'000;
  for (const std::filesystem::path& run : committed_runs())
    for (const std::filesystem::path& picture : pictures_of(run))
      EXPECT_LT(std::filesystem::file_size(picture), kMostBytes) << picture;
}

}  // namespace
}  // namespace gpuseq::reports
