#include "kernels/profile_hmm/exec/exec.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "kernels/profile_hmm/checked_passes.hpp"
#include "kernels/profile_hmm/data/generator.hpp"
#include "kernels/profile_hmm/oracle.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/profile_hmm/unusual_models.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::profile_hmm {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::vector<RawScore> by_oracle(FilterProblem& problem) {
  std::vector<RawScore> scores;
  for (u64 i = 0; i < problem.sequences().count(); ++i)
    scores.push_back(oracle_score(problem.profile(), problem.filter(), problem.sequences().row(i)));
  return scores;
}

using Row = std::map<std::string, std::string>;

std::vector<std::string> split(const std::string& line, char separator) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, separator);) fields.push_back(field);
  return fields;
}

std::vector<Row> rows_of(const std::string& table) {
  const std::vector<std::string> lines = split(table, '\n');
  const std::vector<std::string> names = split(lines.at(0), '\t');
  std::vector<Row> rows;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> fields = split(lines[i], '\t');
    EXPECT_EQ(fields.size(), names.size()) << lines[i];
    Row row;
    for (std::size_t column = 0; column < fields.size(); ++column) row[names.at(column)] = fields[column];
    rows.push_back(row);
  }
  return rows;
}

class ProfileHmmExec : public ::testing::Test {
 protected:
  ProfileHmmExec() {
    std::ofstream models(folder_.path() / "models.hmm");
    for (const u32 length : {30u, 80u}) {
      models_.push_back(random_model(length, length));
      write_model(models, models_.back());
    }
    sequences_ = random_sequences(models_[1], {.count = 200, .homologs = 0.2, .longest = 2000}, 1);
    sequences_.append("none", {});
    std::vector<u8> domains;  // many in a row, which no filter's numbers hold
    for (u64 i = 0; i < 100; ++i)
      domains.insert(domains.end(), sequences_.row(i).begin(), sequences_.row(i).end());
    sequences_.append("chain", domains);
    std::ofstream fasta(folder_.path() / "sequences.fasta");
    write_fasta(fasta, sequences_);
  }

  ExecRequest request(Point problem = {}, Point options = {}) const {
    return {.variant = "",
            .point = {},
            .problem = std::move(problem),
            .options = std::move(options),
            .data = {{"models", folder_.path() / "models.hmm"},
                     {"sequences", folder_.path() / "sequences.fasta"}},
            .outputs = {{"out", folder_.path() / "scores.tsv"}},
            .cache_dir = {},
            .seed = 1};
  }

  ExecRequest passing_request() const { return request({}, {{"passing", std::string("yes")}}); }

  std::vector<Row> exec(const ExecRequest& request) {
    OutputFiles files("profile_hmm", files_of(request), request.outputs);
    const ExecInput input = load_request(request);
    report_.clear();
    scored_.clear();
    const Scorer scorer = [&](FilterProblem& problem) {
      scored_[problem.filter()] += problem.sequences().count();
      return by_oracle(problem);
    };
    write_answers(input, scorer, files, [&](const std::string& text) { report_ += text; });
    return rows_of(read_file(request.outputs.at("out")));
  }

  std::string error(const ExecRequest& request) {
    try {
      exec(request);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder_;
  std::vector<Model> models_;
  Sequences sequences_;
  std::string report_;
  std::map<Filter, u64> scored_;  // sequences that a variant was asked for
};

/// The rows of --passing, from those of all sequences.
std::vector<Row> passing_rows(std::vector<Row> rows) {
  std::erase_if(rows, [](const Row& row) { return row.at("pass_msv") == "0"; });
  for (Row& row : rows)
    for (auto& [column, text] : row)
      if (column.starts_with("viterbi_") && row.at("pass_bias") == "0") text = "NA";
  return rows;
}

TEST_F(ProfileHmmExec, WritesARowForEveryModelAndSequenceInTheirOrder) {
  const std::vector<Row> rows = exec(request());
  ASSERT_EQ(rows.size(), 2 * sequences_.count());
  for (u64 i = 0; i < rows.size(); ++i) {
    const u64 sequence = i % sequences_.count();
    EXPECT_EQ(rows[i].at("model"), models_[i / sequences_.count()].name);
    EXPECT_EQ(rows[i].at("sequence"), sequences_.names[sequence]);
    EXPECT_EQ(rows[i].at("length"), std::to_string(sequences_.length(sequence)));
  }
}

TEST_F(ProfileHmmExec, TheNumbersAreTheFiltersScores) {
  const std::vector<Row> rows = exec(request());
  std::map<std::string, int> met;
  for (u64 i = 0; i < sequences_.count(); ++i) {
    const Profile profile = make_profile(models_[1]);
    const Row& row = rows[sequences_.count() + i];
    const auto residues = sequences_.row(i);
    if (residues.empty()) continue;
    const u32 length = sequences_.length(i);
    const RawScore ssv_raw = oracle_score(profile, Filter::ssv, residues);
    const RawScore msv_raw = oracle_score(profile, Filter::msv, residues);
    const RawScore viterbi_raw = oracle_score(profile, Filter::viterbi, residues);
    const auto raw = [](RawScore score) { return score == kOverflow ? "NA" : std::to_string(score); };
    EXPECT_EQ(row.at("ssv_raw"), raw(ssv_raw));
    EXPECT_EQ(row.at("msv_raw"), raw(msv_raw));
    EXPECT_EQ(row.at("viterbi_raw"), raw(viterbi_raw));
    const auto ssv = ssv_score(profile, length, ssv_raw);
    const FilterScore msv = msv_score(profile, length, msv_raw),
                      viterbi = viterbi_score(profile, length, viterbi_raw);
    EXPECT_EQ(row.at("ssv_nats"), ssv ? fmt::format("{}", ssv->nats) : "NA");
    EXPECT_EQ(row.at("decided_by"), ssv ? "ssv" : "msv");
    EXPECT_EQ(row.at("msv_nats"), fmt::format("{}", msv.nats));
    EXPECT_EQ(row.at("msv_overflow"), msv.overflow ? "1" : "0");
    EXPECT_EQ(row.at("viterbi_bits"), fmt::format("{}", bits(viterbi.nats, null_score(length))));
    EXPECT_EQ(row.at("viterbi_p"),
              fmt::format("{:.6g}", p_value(models_[1].viterbi, bits(viterbi.nats, null_score(length)))));
    const Passage passed = passage(models_[1], residues, ssv.value_or(msv), viterbi);
    EXPECT_EQ(row.at("pass_msv"), passed.msv ? "1" : "0");
    EXPECT_EQ(row.at("pass_bias"), passed.bias ? "1" : "0");
    EXPECT_EQ(row.at("pass_viterbi"), passed.viterbi ? "1" : "0");
    EXPECT_EQ(row.at("bias_nats") == "NA", !passed.msv);
    ++met[ssv ? "ssv" : "msv"];
    met["overflow"] += msv.overflow;
    met["passed"] += passed.viterbi;
    met["failed"] += !passed.msv;
  }
  for (const char* kind : {"ssv", "msv", "overflow", "passed", "failed"}) EXPECT_GT(met[kind], 0) << kind;
}

TEST_F(ProfileHmmExec, SequencesWithoutResiduesHaveNoScoresAndPassNothing) {
  const std::vector<Row> rows = exec(request());
  const Row& none = rows[200];
  ASSERT_EQ(none.at("sequence"), "none");
  for (const auto& [column, text] : none) {
    if (column == "model" || column == "sequence" || column == "length") continue;
    EXPECT_EQ(text, column.starts_with("pass_") ? "0" : "NA") << column;
  }
}

TEST_F(ProfileHmmExec, ReportsHowManyPassAsHmmsearchDoes) {
  exec(request());
  ThreadPool pool(2);
  for (const Model& model : models_) {
    const PassCounts counts = oracle_passes(model, make_profile(model), sequences_, pool);
    EXPECT_THAT(report_, HasSubstr(fmt::format("{}  ({} nodes)", model.name, model.length)));
    for (const auto& [filter, passed] :
         {std::pair{"MSV", counts.msv}, std::pair{"bias", counts.bias}, std::pair{"Vit", counts.viterbi}})
      EXPECT_THAT(report_, HasSubstr(fmt::format("{:<33}{:>11}  (", fmt::format("Passed {} filter:", filter),
                                                 passed)));
  }
  expect_text(report_);
}

TEST_F(ProfileHmmExec, TakesOneModelAndSoManySequencesWhereTold) {
  const auto rows = exec(request({{"model", std::int64_t{2}}, {"sequence_count", std::int64_t{5}}}));
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[0].at("model"), models_[1].name);
  expect_text(error(request({{"model", std::int64_t{3}}})));
}

TEST_F(ProfileHmmExec, AModelThatNoVariantScoresAsHmmerDoesIsScoredByTheOracle) {
  std::ofstream models(folder_.path() / "models.hmm");
  write_model(models, testing::wrapped_model());
  models.close();
  ASSERT_TRUE(delete_bound_is_low(make_profile(read_models(folder_.path() / "models.hmm").at(0))));
  const std::vector<Row> rows = exec(request());
  EXPECT_EQ(rows.size(), sequences_.count());
  expect_text(report_);
  EXPECT_EQ(exec(passing_request()), passing_rows(rows));
  EXPECT_EQ(scored_[Filter::viterbi], 0u);
}

TEST_F(ProfileHmmExec, PassingWritesTheRowsThatPassMsvAndReportsTheSameNumbers) {
  std::ofstream fasta(folder_.path() / "sequences.fasta", std::ios::app);
  write_fasta(fasta, random_sequences(models_[0], {.count = 1000, .homologs = 0.05, .longest = 500}, 2));
  fasta.close();
  const std::vector<Row> all = exec(request());
  const std::string report = report_;
  const std::vector<Row> expected = passing_rows(all), rows = exec(passing_request());
  EXPECT_EQ(rows, expected);
  EXPECT_EQ(report_, report);
  std::map<std::string, int> met;
  for (const Row& row : rows) {
    ++met[row.at("model")];
    ++met[row.at("pass_bias") == "0" ? "biased" : "unbiased"];
    ++met[row.at("decided_by")];
  }
  for (const Model& model : models_) EXPECT_GT(met[model.name], 0) << model.name;
  for (const char* kind : {"biased", "unbiased", "ssv", "msv"}) EXPECT_GT(met[kind], 0) << kind;
  EXPECT_LT(rows.size(), all.size());
}

TEST_F(ProfileHmmExec, PassingScoresByEachFilterWhatPassesTheOneBefore) {
  const std::vector<Row> rows = exec(passing_request());
  const auto unbiased =
      std::ranges::count_if(rows, [](const Row& row) { return row.at("pass_bias") == "1"; });
  EXPECT_EQ(scored_[Filter::ssv], 2 * sequences_.count());
  EXPECT_GE(scored_[Filter::msv], rows.size());
  EXPECT_LT(scored_[Filter::msv], scored_[Filter::ssv]);
  EXPECT_EQ(scored_[Filter::viterbi], static_cast<u64>(unbiased));
}

TEST_F(ProfileHmmExec, PassingWithNothingThatPassesWritesNoRows) {
  std::ofstream fasta(folder_.path() / "sequences.fasta");
  fasta << ">short\nGP\n>none\n";
  fasta.close();
  EXPECT_EQ(exec(passing_request()).size(), 0u);
  EXPECT_EQ(scored_[Filter::viterbi], 0u);
  expect_text(report_);
  const std::string report = report_;
  EXPECT_EQ(exec(request()).size(), 4u);
  EXPECT_EQ(report_, report);
}

TEST_F(ProfileHmmExec, AnEmptyFileOfSequencesIsAUsersErrorWithPassingToo) {
  std::ofstream(folder_.path() / "sequences.fasta").close();
  const std::string as_ever = error(request());
  expect_text(as_ever);
  EXPECT_EQ(error(passing_request()), as_ever);
}

TEST_F(ProfileHmmExec, RefusesAxesThatItDoesNotHonour) {
  for (const char* axis : {"filter", "model_length", "homologs", "nothing"})
    expect_text(error(request({{axis, std::int64_t{1}}})));
}

TEST_F(ProfileHmmExec, NamesAFileThatIsMissingOrWouldBeOverwritten) {
  ExecRequest without = request();
  without.data.erase("models");
  expect_text(error(without));
  ExecRequest overwriting = request();
  overwriting.outputs["out"] = folder_.path() / "." / "models.hmm";
  expect_text(error(overwriting));
  EXPECT_GT(fs::file_size(folder_.path() / "models.hmm"), 0u);
  ExecRequest nowhere = request();
  nowhere.outputs.clear();
  expect_text(error(nowhere));
  nowhere.outputs["out"] = folder_.path() / "no" / "folder";
  EXPECT_THROW(exec(nowhere), ResourceError);
}

TEST_F(ProfileHmmExec, LeavesTheDataAloneWhateverItsOtherNames) {
  fs::create_hard_link(folder_.path() / "models.hmm", folder_.path() / "link.tsv");
  ExecRequest linked = request();
  linked.outputs["out"] = folder_.path() / "link.tsv";
  expect_text(error(linked));
  EXPECT_GT(fs::file_size(folder_.path() / "models.hmm"), 0u);
  for (const char* name : {"volume.psq", "volume.pin", "volume.phr"}) {
    ExecRequest beside = request();
    beside.data["sequences"] = folder_.path() / "volume.psq";
    beside.outputs["out"] = folder_.write(name, "some");
    expect_text(error(beside));
    EXPECT_EQ(read_file(folder_.path() / name), "some");
  }
}

TEST_F(ProfileHmmExec, AFullDiskIsAnErrorAfterTheFirstModel) {
  ExecRequest full = request();
  full.outputs["out"] = "/dev/full";
  EXPECT_THROW(exec(full), ResourceError);
}

}  // namespace
}  // namespace gpuseq::profile_hmm
