#pragma once

#include <filesystem>
#include <memory>

#include "bench/config/tool.hpp"
#include "bench/tools/input.hpp"
#include "runtime/contract/family.hpp"
#include "runtime/folders/scratch_folder.hpp"

namespace gpuseq::bench {

/// A family's problem, and the files that its tools read.
class ToolProblem final : public Problem {
 public:
  ToolProblem(std::unique_ptr<Problem> inner, ProblemSpec spec);
  std::string hash() const override { return inner_->hash(); }
  bool synthetic() const override { return inner_->synthetic(); }
  std::string label(const Point& problem) const override { return inner_->label(problem); }
  nlohmann::json describe() const override { return inner_->describe(); }
  std::map<std::string, std::filesystem::path> write_files(
      const std::filesystem::path& folder) const override {
    return inner_->write_files(folder);
  }
  Verification check(const Answers& answers) const override { return inner_->check(answers); }

  Problem& inner() { return *inner_; }
  const ProblemSpec& spec() const { return spec_; }
  /// The problem's files, written on first use. @throws ResourceError if they cannot be written
  const Files& files();
  /// A folder for the tools' output. @throws ResourceError
  const std::filesystem::path& folder();

 private:
  std::unique_ptr<Problem> inner_;
  ProblemSpec spec_;
  std::unique_ptr<ScratchFolder> scratch_;
  std::optional<Files> files_;
};

/// A problem that only tools solve. Gzip files are unpacked, as not all tools can read them.
/// @throws UsageError if a file is missing or damaged
std::unique_ptr<Problem> load_tool_problem(const ToolProblemSpec& family, const ProblemSpec& spec);

}  // namespace gpuseq::bench
