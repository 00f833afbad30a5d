#pragma once

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/commands/cli.hpp"
#include "bench/config/json_file.hpp"
#include "results/journal.hpp"
#include "results/reading/provenances.hpp"
#include "tests/bench/process.hpp"
#include "tests/bench/toy_registry.hpp"

// The whole program with toys: a test program whose main() is toy_main() becomes gpuseq-bench where
// GPUSEQ_TEST_PROGRAM is set, and so do the workers that it starts.

namespace gpuseq::bench::testing {

inline constexpr const char* kSampling =
    R"("sampling": {"min_samples": 9, "max_samples": 9, "max_seconds": 0.2, "probe_passes": 1})";

/// A config of four states of the toy and three footprints.
inline std::string small_config(const std::string& variants = R"({"steady": {"speed": "all"}})",
                                const std::string& more = "") {
  // However disturbed the machine is, a race of three rounds has three.
  const char* const tune = more.find("\"tune\"") == std::string::npos ? R"(, "tune": {"rounds": 3})" : "";
  return std::string("{\"name\": \"toys\", \"devices\": \"cpu\", ") + kSampling + tune + more + R"(,
    "probes": {"random_access": {"footprint_bytes": {"from": 524288, "to": 2097152}}},
    "families": {"toy": {"problems": [{}], "variants": )" +
         variants + "}}}";
}

inline nlohmann::json run_json(const std::filesystem::path& dir) {
  return read_json(dir / "run.json");
}

inline std::vector<results::Record> records(const std::filesystem::path& dir) {
  return results::Journal::load(dir / "records.jsonl");
}

/// Leaves the first records of a journal, as if the run was killed after them.
inline void keep_records(const std::filesystem::path& journal, std::size_t count) {
  std::vector<results::Record> all = results::Journal::load(journal);
  all.resize(std::min(count, all.size()));
  std::ofstream(journal) << results::lines_of(all);
}

/// How a run of the program ended, and its output.
struct Result {
  int code;
  std::string out, err;
};
inline Result result_of(const Scratch& scratch, const std::string& command,
                        std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), command);
  Program program(scratch, std::move(arguments));
  const int code = program.wait();
  return {code, program.out(), program.err()};
}

inline int run(const Scratch& scratch, std::vector<std::string> arguments) {
  Program program(scratch, std::move(arguments));
  return program.wait();
}

/// @param registry  of the program, where GPUSEQ_TEST_NOT_BUILT names a family that its build leaves out
inline int toy_main(int argc, char** argv, Registry registry = toy_registry()) {
  if (const char* family = std::getenv("GPUSEQ_TEST_NOT_BUILT")) registry.not_built = {family};
  if (std::getenv("GPUSEQ_TEST_PROGRAM") != nullptr) return run_program(argc, argv, registry);
  ::testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}

}  // namespace gpuseq::bench::testing
