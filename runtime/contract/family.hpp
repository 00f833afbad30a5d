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
  Point problem = {};                                    // axes of the problem, other than its data
  Point options = {};                                    // of the family's exec_options(), completed
  std::map<std::string, std::filesystem::path> data;     // role -> file ("reference", "queries")
  std::map<std::string, std::filesystem::path> outputs;  // "out" -> file; further roles by family
  std::filesystem::path cache_dir;
  std::uint64_t seed = 1;
};

/// A problem with its kernels; probes have the same shape.
class Family {
 public:
  virtual ~Family() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view summary() const = 0;
  /// Axes of the problem (sizes, sources of data, seeds of shape), as SearchSpace of the problem.
  virtual const SearchSpace& problem_space() const = 0;
  virtual const std::vector<Variant>& variants() const = 0;
  /// A point of the problem that every variant solves in a moment and that needs no files: what tests take.
  virtual Point small_problem() const { return {}; }
  /// Loads or generates the input, builds or reads what all variants share.
  /// @throws UsageError for malformed files (file, record, line)
  virtual std::unique_ptr<Problem> load(const ProblemSpec& spec) const = 0;
  /// How its problems grow, where a config leaves their size to the program; nullptr: they do not.
  virtual const Growth* growth() const { return nullptr; }
  /// What a problem costs beside the launches of its variants; nullopt: not known.
  virtual std::optional<ProblemCost> problem_cost(const StateOutline&) const { return std::nullopt; }
  /// nullptr: answers of other programs are only checked against the oracle.
  virtual Compare comparison() const { return nullptr; }
  /// Roles that exec() takes in data, and "out", with a line of meaning each.
  virtual std::vector<std::pair<std::string, std::string>> exec_roles() const { return {}; }
  /// Roles of outputs beside "out", with a line of meaning each; the command line has an option for each.
  virtual std::vector<std::pair<std::string, std::string>> exec_outputs() const { return {}; }
  /// Options of exec() that are no axis, such as the form of what it writes; the command line has an option
  /// for each, by its name with hyphens (min_length: --min-length 20). One whose values are no and yes, in
  /// this order, is a flag (--both-strands).
  virtual const SearchSpace& exec_options() const;
  /// The variant that exec() takes where none is named; empty: one must be named.
  virtual std::string_view exec_variant() const { return ""; }
  /// @returns what it did, for a line on stderr
  virtual ExecReport exec(const ExecRequest& request, Device& device) const;

  /// @throws UsageError naming the variants there are
  const Variant& variant(std::string_view name) const;
};

}  // namespace gpuseq
