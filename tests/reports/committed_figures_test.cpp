#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "reports/figure.hpp"
#include "reports/report.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/io/json_text.hpp"
#include "tests/reports/committed_runs.hpp"
#include "tests/reports/print_checks.hpp"

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

constexpr const char* kCompared = "runs.txt";

/// A folder of results/ with figures, and the runs that they are of.
struct FiguresFolder {
  std::filesystem::path folder;
  std::vector<std::filesystem::path> runs;

  ReportData data() const { return load_runs(runs, runs.size() == 1 ? Boards::apart : Boards::by_model); }
};

/// Those of single runs, and those that name several in runs.txt.
std::vector<FiguresFolder> folders() {
  std::vector<FiguresFolder> all;
  for (const std::filesystem::path& run : committed_runs()) all.push_back({run, {run}});
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() / "results")) {
    std::ifstream names(entry.path() / kCompared);
    FiguresFolder several{entry.path(), {}};
    for (std::string name; names >> name;) several.runs.push_back(source_dir() / "results" / name);
    if (!several.runs.empty()) all.push_back(std::move(several));
  }
  return all;
}

/// The files of published values that the runs' configs name, each once.
std::vector<std::filesystem::path> published_files(const ReportData& data) {
  const nlohmann::json::json_pointer place("/config/published");
  std::vector<std::filesystem::path> files;
  for (const Run& run : data.runs) {
    if (!run.summary.contains(place)) continue;
    const std::filesystem::path recorded = run.summary[place].get<std::string>();
    std::string name = recorded.filename().string();
    for (const std::string_view older : {"published-", "paper-"})
      if (name.starts_with(older)) name.erase(0, older.size());
    std::filesystem::path file = source_dir() / "configs/published" / name;
    if (std::ranges::find(files, file) == files.end()) files.push_back(std::move(file));
  }
  return files;
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

/// What a scale of series gives each that is not published, its colour or its shape.
std::vector<std::string> signs_of(const Json& encoding) {
  std::vector<std::string> signs;
  const Json& scale = encoding["scale"];
  for (std::size_t i = 0; i < scale["domain"].size(); ++i)
    if (!scale["domain"][i].get<std::string>().starts_with("published"))
      signs.push_back(scale["range"][i].get<std::string>());
  std::ranges::sort(signs);
  return signs;
}

/// At most eight series, no two of one colour or one shape.
void expect_series_apart(const Json& spec, const std::filesystem::path& picture) {
  if (spec.is_object()) {
    const auto field = spec.find("field");
    if (field != spec.end() && *field == "series" && spec.contains("scale") &&
        spec["scale"].contains("range")) {
      const std::vector<std::string> signs = signs_of(spec);
      EXPECT_LE(signs.size(), 8u) << picture;
      EXPECT_EQ(std::ranges::adjacent_find(signs), signs.end()) << picture << " has two series alike";
    }
  }
  if (!spec.is_structured()) return;
  for (auto item = spec.begin(); item != spec.end(); ++item)
    if (!spec.is_object() || item.key() != "data") expect_series_apart(*item, picture);
}

TEST(CommittedFigures, HaveTheVegaLiteThatTheProgramMakesOfTheirRecordsBesideThem) {
  std::size_t pictures = 0;
  for (const FiguresFolder& folder : folders()) {
    const ReportData data = folder.data();
    const Published published = load_published(published_files(data));
    for (const std::filesystem::path& picture : pictures_of(folder.folder)) {
      ++pictures;
      const Figure* figure = figure_of(picture);
      ASSERT_TRUE(figure) << picture << " is no figure of the program";
      const Drawing drawing = figure->draw(*figure, data, published);
      ASSERT_TRUE(drawing.spec) << picture << ": " << drawing.reason;
      expect_series_apart(*drawing.spec, picture);
      std::filesystem::path file = picture;
      file.replace_extension(".vl.json");
      ASSERT_TRUE(std::filesystem::exists(file)) << picture << " has no " << file.filename();
      EXPECT_EQ(difference(Json::parse(read_file(file)), *drawing.spec), "")
          << file << " is not what its records make now: reports/redraw_committed.py draws all again";
    }
  }
  EXPECT_GT(pictures, 0u);
}

TEST(CommittedFigures, HaveNoLabelThatIsCrossedAndNoTickThatIsAlone) {
  if (!no_renderer().empty()) GTEST_SKIP() << no_renderer();
  const std::filesystem::path dir = std::filesystem::path(testing::TempDir()) / "gpuseq_committed_figures";
  std::filesystem::remove_all(dir);
  std::filesystem::create_directories(dir);
  // All at once: the renderer and the check take longer to start than to do the few of a folder.
  std::vector<Rendering> pictures;
  for (const FiguresFolder& folder : folders()) {
    const std::vector<std::filesystem::path> committed = pictures_of(folder.folder);
    if (committed.empty()) continue;
    const ReportData data = folder.data();
    const Published published = load_published(published_files(data));
    for (const std::filesystem::path& picture : committed) {
      const Figure& figure = *figure_of(picture);
      const Drawing drawing = figure.draw(figure, data, published);
      ASSERT_TRUE(drawing.chart) << picture << ": " << drawing.reason;
      for (const chart::PrintPart& part : print_parts(*drawing.chart, {}))
        pictures.push_back(
            {.spec = chart::draw(part.chart, part.style).dump(),
             .target = dir / (folder.folder.filename().string() + "-" + picture.stem().string() + ".svg")});
    }
  }
  EXPECT_GT(pictures.size(), 0u);
  const Rendered rendered = render_files(python(), "svg", pictures);
  EXPECT_THAT(rendered.remarks, testing::IsEmpty());
  EXPECT_THAT(rendered.not_drawn, testing::IsEmpty());
  EXPECT_EQ(run_check("check_labels.py", dir, ".svg"), "");
  std::filesystem::remove_all(dir);
}

TEST(CommittedFigures, AreThoseOfRunsWithRecords) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_dir() / "results"))
    if (entry.path().extension() == ".png") {
      // A picture of a whole page stands next to the records, those of figures in plots/.
      const std::filesystem::path beside = entry.path().parent_path();
      const std::filesystem::path folder = beside.filename() == "plots" ? beside.parent_path() : beside;
      EXPECT_TRUE(std::filesystem::exists(folder / "records.jsonl") ||
                  std::filesystem::exists(folder / kCompared))
          << entry.path();
    }
}

TEST(CommittedFigures, TakeHalfAMegabyteAtMost) {
  constexpr std::uintmax_t kMostBytes = 500'000;
  for (const FiguresFolder& folder : folders())
    for (const std::filesystem::path& picture : pictures_of(folder.folder))
      EXPECT_LT(std::filesystem::file_size(picture), kMostBytes) << picture;
}

}  // namespace
}  // namespace gpuseq::reports
