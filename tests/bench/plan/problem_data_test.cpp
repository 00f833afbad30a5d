#include "bench/plan/problem_data.hpp"

#include <gtest/gtest.h>

#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/gzip.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;

class ProblemData : public ::testing::Test {
 protected:
  /// The data of a config with a reference and proteins of these contents.
  ReadData read(const std::string& reference, const std::string& proteins) const {
    const json data{{"reference", {{"path", folder_.write("reference.fa", reference)}}},
                    {"proteins", {{"path", folder_.write("proteins.fa", proteins)}}},
                    {"unused", {{"path", folder_.write("unused.fa", "no FASTA")}}}};
    const json families = json::parse(R"({
      "exact_match": {"problems": [{"reference": "reference", "query_count": 5, "query_bases": 20, "min_length": [5, 9]}],
                      "variants": {"tree": {"in_flight": [1, 2]}}},
      "profile_hmm": {"problems": [{"model_length": 40, "sequences": "proteins", "filter": "ssv"},
                                   {"model_length": 40, "sequence_count": 10}],
                      "variants": {"scalar": {}}}})");
    const SuiteConfig config =
        config_from_json({{"name", "read"}, {"devices", "cpu"}, {"data", data}, {"families", families}},
                         "read.json", folder_.path());
    const std::vector<DeviceInfo> cpu{{.id = "cpu", .kind = DeviceKind::cpu, .free_bytes = 1 << 30}};
    const Registry registry = make_registry();
    return read_data(config, plan(config, registry, cpu));
  }
  TemporaryFolder folder_;
};

const std::string kReference = ">r\nACGTTGCAACGGTACGTTGCAACGACGGTTACGTTGCATTGCAACGG\n";
const std::string kProteins = ">p\nMKVLACDEFGHIKLMNP\n";

TEST_F(ProblemData, IsReadOnceForEachProblemThatNamesIt) {
  const ReadData read_all = read(kReference, kProteins);
  EXPECT_EQ(read_all.problems, 3u);  // of two lengths of matches, and the proteins; random ones name none
  EXPECT_TRUE(read_all.remarks.empty());
}

TEST_F(ProblemData, IsRefusedWhereARunWouldRefuseIt) {
  expect_error_text([&] { read(">r\nACGT\nAC!T\n", kProteins); });
  expect_error_text([&] { read(kReference, ">p\nMK1\n"); });
  const std::string packed = gzip(kReference);
  expect_error_text([&] { read(packed.substr(0, packed.size() / 2), kProteins); });
  expect_error_text([&] { read(">r\nACGT\n", kProteins); });  // no room for a query of 20 bases
}

}  // namespace
}  // namespace gpuseq::bench
