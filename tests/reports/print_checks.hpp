#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "reports/renderer.hpp"
#include "runtime/io/atomic_file.hpp"
#include "tests/source_dir.hpp"

/// What tests of printed figures need: the renderer's interpreter, and the checks that are scripts.
namespace gpuseq::reports {

inline std::filesystem::path python() {
  const char* given = std::getenv("GPUSEQ_PYTHON");
  return given ? std::filesystem::path(given) : source_dir() / ".venv/bin/python";
}

/// Why plots cannot be rendered here; empty where they can.
inline std::string no_renderer() {
  static const std::string reason = vega_scripts(python()).reason;
  return reason;
}

/// Runs a check of tests/reports, with its options, on the files of `dir` that end in `suffix`; the answer is
/// what it printed.
inline std::string run_check(const std::string& script, const std::filesystem::path& dir,
                             const std::string& suffix) {
  std::string command = python().string() + " " + (source_dir() / "tests/reports").string() + "/" + script;
  for (const auto& file : std::filesystem::directory_iterator(dir))
    if (file.path().string().ends_with(suffix)) command += " '" + file.path().string() + "'";
  const std::filesystem::path log = dir / "check.log";
  const int status = std::system((command + " >'" + log.string() + "' 2>&1").c_str());
  return status == 0 ? "" : read_file(log).substr(0, 2000) + "(failed)";
}

}  // namespace gpuseq::reports
