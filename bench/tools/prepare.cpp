#include "bench/tools/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "bench/config/json_file.hpp"
#include "bench/config/tool_expression.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/folders/scratch_folder.hpp"
#include "runtime/io/byte_source.hpp"
#include "runtime/io/hash.hpp"
#include "runtime/io/private_file.hpp"
#include "runtime/system/child_process.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kMarker = "gpuseq-prepared.json";  // written last: without it the folder is incomplete

std::string content_hash(const fs::path& path) {
  Hash hash;
  ByteSource source(path);
  for (std::string_view bytes = source.next(); !bytes.empty(); bytes = source.next()) hash.update(bytes);
  return hash.hex16();
}

/// Hash of all inputs of the commands: their text, with file contents instead of file names.
std::string key_of(const Tool& tool, const std::string& version, const ToolInput& input) {
  json key = {{"version", version}, {"commands", tool.prepare}};
  for (const Arguments& command : tool.prepare)
    for (const std::string& argument : command)
      for (const std::string& name : placeholders(argument)) {
        // The version identifies the program. Outputs do not depend on the GPU, or the program checks that
        // itself.
        if (name == "prepared" || name == "program" || name == "checkout" || name == "device") continue;
        const bool file = input.files().contains(name) || name.starts_with("first_record(");
        key["values"][name] = file ? content_hash(input.value(name)) : input.value(name);
      }
  return hash_json(key);
}

std::vector<double> run_all(const Tool& tool, const ToolInput& input, const fs::path& folder,
                            const fs::path& scratch, double timeout_s) {
  std::vector<double> seconds;
  for (const Arguments& command : tool.prepare) {
    const double left_s = timeout_s - std::accumulate(seconds.begin(), seconds.end(), 0.0);
    seconds.push_back(run_child({.arguments = expanded(command, input),
                                 .out = scratch / "prepare.out",
                                 .err = scratch / "prepare.err",
                                 .folder = folder,
                                 .timeout_s = std::max(left_s, 1e-3)})
                          .elapsed_s);
  }
  return seconds;
}

std::optional<Prepared> cached(const fs::path& folder) {
  std::string refusal;
  const auto content = read_private_file(folder / kMarker, refusal);
  if (!content) return std::nullopt;
  try {
    const json marker = parse_json(*content, kMarker);
    return Prepared{folder, marker.at("seconds").get<std::vector<double>>(), true};
  } catch (const std::exception&) {  // damaged: create it again
    return std::nullopt;
  }
}

/// Moves a complete folder to its final place. If another process was faster, its folder is used.
void publish(const fs::path& made, const fs::path& folder) {
  std::error_code error;
  if (!cached(folder)) fs::remove_all(folder, error);
  fs::rename(made, folder, error);
  if (!error) return;
  const std::string reason = error.message();
  if (!cached(folder))
    throw ResourceError(fmt::format("cannot make the folder {}: {}", folder.string(), reason));
}

}  // namespace

Arguments expanded(const Arguments& command, const ToolInput& input) {
  Arguments arguments;
  for (const std::string& argument : command)
    arguments.push_back(expand(argument, [&](const std::string& name) { return input.value(name); }));
  return arguments;
}

fs::path tools_folder(const fs::path& cache_dir) {
  return cache_dir / "tools";
}

Prepared prepare_tool(const Tool& tool, const std::string& version, ToolInput input,
                      const fs::path& cache_dir, const fs::path& scratch, double timeout_s) {
  const fs::path parent = cache_dir.empty() ? scratch : tools_folder(cache_dir);
  const fs::path folder = parent / fmt::format("{}-{}", tool.name, key_of(tool, version, input));
  if (auto found = cached(folder)) return *found;
  const ScratchFolder making(parent);
  const fs::path made = making.path() / "prepared";
  if (const std::string reason = make_private_folder(made); !reason.empty()) throw ResourceError(reason);
  input.set_place("prepared", made);
  const std::vector<double> seconds = run_all(tool, input, made, scratch, timeout_s);
  write_json(made / kMarker, {{"tool", tool.name}, {"version", version}, {"seconds", seconds}});
  // With a group-writable umask the file would be rejected as not private.
  fs::permissions(made / kMarker, fs::perms::group_write | fs::perms::others_write, fs::perm_options::remove);
  publish(made, folder);
  return {folder, seconds, false};
}

}  // namespace gpuseq::bench
