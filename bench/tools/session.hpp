#pragma once

#include <optional>

#include "bench/config/tool.hpp"
#include "bench/tools/prepare.hpp"
#include "bench/tools/problem.hpp"
#include "runtime/contract/family.hpp"
#include "runtime/system/child_process.hpp"

namespace gpuseq::bench {

/// One tool on one problem: launch() runs the program from start to exit.
class ToolSession final : public Session {
 public:
  /// Runs the prepare commands unless the cache has their output.
  /// @param timeout_s  limit of a command, which is then killed
  /// @throws ResourceError if the program is not installed or the problem is not available as files;
  /// ChildFailed
  /// @param device_id  value of {device}
  /// @param compare  function of the problem's family, for answers that may differ
  ToolSession(const Tool& tool, ToolProblem& problem, const Point& point, const std::string& device_id,
              double timeout_s, Compare compare);

  /// The work only: traffic and instructions of external tools are not counted.
  Cost cost() const override;
  void launch() override;
  Verification verify() override;
  /// "startup": time of the program's minimal command; "own": time that the program prints of each launch, if
  /// it does; "prepare": times of its prepare commands, when they ran.
  std::map<std::string, std::vector<double>> side_samples_s() override;
  nlohmann::json facts() const override;
  std::vector<std::string> notes() const override;

 private:
  ChildUse run(const Arguments& arguments, const std::string& name, double timeout_s) const;
  std::filesystem::path answers_file() const;
  Verification checked(const Answers& answers);
  std::string program_name() const;

  const Tool& tool_;
  ToolProblem& problem_;
  double timeout_s_;
  Compare compare_;
  std::string version_;
  ToolInput input_;
  Prepared prepared_;
  Arguments command_;
  std::filesystem::path folder_;  // working folder
  std::vector<double> startup_s_, own_s_;
  ChildUse use_;  // of the last launch
  std::string unchecked_;
  Answers few_answers_;  // the answers, if there are few
  std::optional<Agreement> agreement_;
};

}  // namespace gpuseq::bench
