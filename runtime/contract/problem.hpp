#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "runtime/contract/point.hpp"
#include "runtime/contract/work.hpp"

namespace gpuseq {

/// The input for loading a problem.
struct ProblemSpec {
  Point point;                                         // one value per problem axis
  std::map<std::string, std::filesystem::path> files;  // data name -> file, checked to exist
  std::uint64_t seed = 1;
  std::filesystem::path cache_dir;  // may not exist yet
  int threads = 0;                  // for building; 0: all cores
};

/// Answers of another program: a number for each key.
using Answers = std::map<std::string, double>;

/// Loaded or generated input with its oracle's answers; shared by the sessions of every variant.
class Problem {
 public:
  virtual ~Problem() = default;
  /// Hash of the data, 16 hex digits: equal if and only if the input is.
  virtual std::string hash() const = 0;
  /// Whether the input is generated with a structure that real inputs do not have (labelled in
  /// records and plots).
  virtual bool synthetic() const { return false; }
  /// A description that distinguishes it from other problems in plots and tables: "ecoli, 4.94 Mbases,
  /// queries of 100 bases". Empty: the point is sufficient.
  /// @param problem  the point that it was loaded from, completed
  virtual std::string label(const Point& problem) const;
  /// Sizes and build facts: {"reference_bases": ..., "queries": ..., "build_s": ...}
  virtual nlohmann::json describe() const = 0;
  /// The input as files for other programs, by role ("reference", "queries"); generated ones are written to
  /// `folder`. @throws ResourceError if the input is not available as files
  virtual std::map<std::string, std::filesystem::path> write_files(const std::filesystem::path& folder) const;
  /// Compares another program's answers, with the keys of write_files(), with the oracle's. Unchecked answers
  /// pass with 0 checked and the reason.
  virtual Verification check(const Answers& answers) const;
};

/// The data name in a problem's axis, without a folder: "ecoli"; empty if the point lacks the axis.
std::string data_name(const Point& problem, std::string_view axis);

}  // namespace gpuseq
