#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/contract/agreement.hpp"
#include "runtime/contract/cost.hpp"
#include "runtime/contract/exec_report.hpp"
#include "runtime/contract/growth.hpp"
#include "runtime/contract/variant.hpp"

namespace gpuseq {

/// `exec`: run one variant at one point and write its answers.
struct ExecRequest {
  std::string variant;
  Point point;                                           // completed
  Point problem = {};                                    // axes of the problem without its data
  Point options = {};                                    // point of the family's exec_options(), completed
  std::map<std::string, std::filesystem::path> data;     // role -> file ("reference", "queries")
  std::map<std::string, std::filesystem::path> outputs;  // "out" -> file; further roles by family
  std::filesystem::path cache_dir;
  std::uint64_t seed = 1;
};

/// A problem with its kernels; probes have the same form.
class Family {
 public:
  virtual ~Family() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view summary() const = 0;
  /// Axes of the problem (sizes, sources of data, seeds).
  virtual const SearchSpace& problem_space() const = 0;
  virtual const std::vector<Variant>& variants() const = 0;
  /// A point of the problem for tests: fast for every variant, without files.
  virtual Point small_problem() const { return {}; }
  /// Loads or generates the input, and builds or reads the data that all variants share.
  /// @throws UsageError for malformed files (file, record, line)
  virtual std::unique_ptr<Problem> load(const ProblemSpec& spec) const = 0;
  /// Growth of the problems if a config leaves their size to the program; nullptr: fixed sizes.
  virtual const Growth* growth() const { return nullptr; }
  /// The cost of a problem besides the launches of its variants; nullopt: unknown.
  virtual std::optional<ProblemCost> problem_cost(const StateOutline&) const { return std::nullopt; }
  /// nullptr: answers of other programs are only checked against the oracle.
  virtual Compare comparison() const { return nullptr; }
  /// Roles of exec()'s data, and "out", each with a one-line description.
  virtual std::vector<std::pair<std::string, std::string>> exec_roles() const { return {}; }
  /// Roles of outputs besides "out", each with a one-line description and a command-line option.
  virtual std::vector<std::pair<std::string, std::string>> exec_outputs() const { return {}; }
  /// Options of exec() other than axes, such as output formats. Each has a command-line option, its name
  /// with hyphens (min_length: --min-length 20). An option with the values no and yes, in this order, is a
  /// flag (--both-strands).
  virtual const SearchSpace& exec_options() const;
  /// The default variant of exec(); empty: the user must name one.
  virtual std::string_view exec_variant() const { return ""; }
  /// @returns the report for stderr
  virtual ExecReport exec(const ExecRequest& request, Device& device) const;

  /// @throws UsageError with the existing variants
  const Variant& variant(std::string_view name) const;
};

}  // namespace gpuseq
