#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/device.hpp"

/// The plot renderer: the vl-convert-python package of a Python interpreter, run as a process of its own.
namespace gpuseq::reports {

/// How to get it, for messages and the page.
inline constexpr std::string_view kHowToGetRenderer =
    "python3 -m venv .venv && .venv/bin/pip install vl-convert-python==1.9.0.post1";

/// The Vega, Vega-Lite and Vega-Embed scripts as one text for a <script> element, or why they cannot be had.
Maybe<std::string> vega_scripts(const std::filesystem::path& python);

/// Renders Vega-Lite files to "svg", "png" or "pdf"; pairs of source and target.
/// @throws ResourceError with what the interpreter said
void render_files(const std::filesystem::path& python, std::string_view format,
                  const std::vector<std::pair<std::filesystem::path, std::filesystem::path>>& files);

}  // namespace gpuseq::reports
