#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "runtime/contract/point.hpp"

namespace gpuseq::bench {

using Files = std::map<std::string, std::filesystem::path>;  // role -> file

/// Input of a tool's commands and of its work. A count is
///   a number, an axis,
///   fasta_residues(role), fasta_records(role), fasta_shortest(role)  (letters, records, the shortest record)
///   hmm_states(role)   (the lengths of all profiles of a HMMER3 file)
///   lines(role)
///   pairs(count)       (n (n - 1) / 2)
class ToolInput {
 public:
  /// @param files   must outlive this object, and may not change
  /// @param folder  for files derived from others
  ToolInput(const Files& files, Point axes, std::filesystem::path folder)
      : files_(files), axes_(std::move(axes)), folder_(std::move(folder)) {}

  /// The value of a placeholder: an axis (for threads = 0 the number of CPUs), a role, the name of another
  /// place, first_record(role) (a file with the first record of a FASTA file) or a count.
  /// @throws UsageError naming the allowed ones; ResourceError if a file cannot be written
  std::string value(const std::string& name) const;
  /// @throws UsageError naming the allowed ones, or for a malformed file
  double count(std::string_view expression) const;

  /// @param name  checkout, device, out, prepared, program or work
  void set_place(const std::string& name, const std::filesystem::path& path) { places_[name] = path; }
  const Files& files() const { return files_; }
  const Point& axes() const { return axes_; }

 private:
  const std::filesystem::path& file(std::string_view role) const;
  std::string first_record(const std::string& role) const;

  const Files& files_;
  Point axes_;
  std::filesystem::path folder_;
  Files places_;                                               // by name
  mutable std::map<std::string, double, std::less<>> counts_;  // of files, which are read once
};

}  // namespace gpuseq::bench
