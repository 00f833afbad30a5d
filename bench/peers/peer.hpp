#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/peers/answers.hpp"
#include "runtime/contract/device.hpp"
#include "runtime/contract/point.hpp"

namespace gpuseq::bench {

using Arguments = std::vector<std::string>;

/// Another program that solves a family's problem as a whole process.
struct Peer {
  std::string name, family, summary;
  std::string package;   // of Debian; may be empty
  std::string built_by;  // what makes the program where no package has it; may be empty
  std::string checkout;  // the variable that names the folder {checkout}; may be empty
  DeviceKind device = DeviceKind::cpu;
  Arguments version;               // prints the version; may be empty
  std::string version_pattern;     // ECMAScript; its first group is the version
  std::vector<Arguments> prepare;  // once for the same input, not timed with the command
  Arguments command;
  Arguments startup;        // the same with as little to do as can be; may be empty
  std::string folder;       // where command and startup run; empty: {work}
  std::string own_seconds;  // pattern in what the command prints: its own time of the work; may be empty
  double own_unit_s = 1;    // of what is found there
  SearchSpace space;
  std::vector<std::string> work_factors;  // see PeerInput::count()
  std::string work_unit;
  std::optional<AnswerFormat> answers;  // nullopt: nothing to check
  bool may_differ = false;              // answers to a like question: how far they agree is told
  std::string answers_from = "{out}";   // where they are: "stdout", or a file
  std::uint64_t most_file_bytes = std::uint64_t{1} << 30;
};

/// A problem that only peers solve: its input are files of the run configuration's data, and parameters.
struct PeerProblemSpec {
  std::string name, summary;
  SearchSpace space;
  std::vector<std::string> data_axes;
};

struct Peers {
  std::vector<Peer> peers;
  std::vector<PeerProblemSpec> families;
};

/// The document of peers that a config names or holds: the name of a file, relative to `folder`, or the
/// document itself. ${VAR} is expanded; programs named by a relative path are taken from the document's
/// folder.
/// @param source  names the config in messages
/// @throws UsageError as peers_from_json() does, or if the file cannot be read
nlohmann::json resolve_peers(nlohmann::json given, const std::filesystem::path& folder,
                             const std::string& source);

/// @param source  names the document in messages
/// @throws UsageError with the JSON pointer, what was found and what is allowed
Peers peers_from_json(const nlohmann::json& document, const std::string& source);

}  // namespace gpuseq::bench
