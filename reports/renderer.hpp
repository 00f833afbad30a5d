#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/contract/device.hpp"

/// The plot renderer: the vl-convert-python package of a Python interpreter, run as a process of its own.
namespace gpuseq::reports {

/// How to get it, for messages and the page.
inline constexpr std::string_view kHowToGetRenderer =
    "python3 -m venv .venv && .venv/bin/pip install vl-convert-python==1.9.0.post1 fonttools==4.68.0";

/// The Vega, Vega-Lite and Vega-Embed scripts as one text for a <script> element, or why they cannot be had.
Maybe<std::string> vega_scripts(const std::filesystem::path& python);

/// A Vega-Lite specification as text, and the file that its picture goes to.
struct Rendering {
  std::string spec;
  std::filesystem::path target;
};

struct Rendered {
  std::vector<std::string> remarks;              // on pictures that are higher than asked for
  std::map<std::size_t, std::string> not_drawn;  // number of a rendering -> why it has no picture
};

/// Renders to "svg", "png" or "pdf", as wide as a specification's usermeta.width_points says, and no higher
/// than its height_points, where that can be. A specification that the renderer fails on costs its own
/// picture only.
/// @throws ResourceError with what the interpreter said if the renderer itself does not work
Rendered render_files(const std::filesystem::path& python, std::string_view format,
                      const std::vector<Rendering>& renderings);

}  // namespace gpuseq::reports
