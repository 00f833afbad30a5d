#include "bench/tools/input.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "bench/config/tool_expression.hpp"
#include "bench/tools/counts.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/io/sequence_reader.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::bench {
namespace fs = std::filesystem;

const fs::path& ToolInput::file(std::string_view role) const {
  const auto found = files_.find(std::string(role));
  if (found != files_.end()) return found->second;
  std::vector<std::string_view> roles;
  for (const auto& [name, path] : files_) roles.push_back(name);
  throw UsageError(fmt::format("the problem has no file \"{}\"; it has: {}", role,
                               roles.empty() ? "none" : fmt::format("{}", fmt::join(roles, ", "))));
}

std::string ToolInput::first_record(const std::string& role) const {
  const auto record = SequenceReader(file(role), any_letters()).next();
  if (!record) throw UsageError(fmt::format("{} has no record", role));
  const fs::path path = folder_ / (role + ".first.fa");
  write_file_atomically(path, fmt::format(">{}\n{}\n", record->name, record->sequence),
                        Durability::survives_crash_of_program);
  return path.string();
}

std::string ToolInput::value(const std::string& name) const {
  if (const auto place = places_.find(name); place != places_.end()) return place->second.string();
  if (const auto found = files_.find(name); found != files_.end()) return found->second.string();
  if (axes_.has(name)) {
    const AxisValue& value = axes_.at(name);
    return name == "threads" && value == AxisValue(std::int64_t{0}) ? std::to_string(available_cpus())
                                                                    : to_string(value);
  }
  const auto call = count_call(name);
  if (call && call->function == "first_record") return first_record(std::string(call->argument));
  if (call) return fmt::format("{:.17g}", count(name));
  std::vector<std::string> known;
  for (const auto& [axis, value] : axes_.values()) known.push_back(axis);
  for (const auto& [role, path] : files_) known.push_back(role);
  for (const auto& [place, path] : places_) known.push_back(place);
  throw UsageError(fmt::format("found the placeholder {{{}}}; allowed: {}, first_record(role) or a count",
                               name, fmt::join(known, ", ")));
}

double ToolInput::count(std::string_view expression) const {
  check_count(expression);
  if (const auto number = count_number(expression)) return *number;
  const auto call = count_call(expression);
  if (!call) return static_cast<double>(axes_.integer(expression));
  if (call->function == "pairs") {
    const double n = count(call->argument);
    return n * (n - 1) / 2;
  }
  const auto known = counts_.find(expression);
  if (known != counts_.end()) return known->second;
  return counts_[std::string(expression)] = file_count(call->function, file(call->argument));
}

}  // namespace gpuseq::bench
