#include "kernels/fm_index/export.hpp"

#include <fmt/format.h>

#include "kernels/fm_index/data/layout_members.hpp"

namespace gpuseq::fm_index {
namespace {

constexpr std::string_view kFolder = "kernels/fm_index/library";

std::string in_folder(std::string_view file) {
  return fmt::format("{}/{}", kFolder, file);
}

std::string point_text(std::string_view point, const Layout& layout, u32 prefix_symbols) {
  return fmt::format(
      "#pragma once\n\n"
      "#include <string_view>\n\n"
      "#include \"kernels/fm_index/data/layout.cuh\"\n\n"
      "namespace gpuseq::fm_index {{\n\n"
      "inline constexpr std::string_view kExportedPoint = \"{}\";\n\n"
      "/// Of a text that is not wide.\n"
      "inline constexpr Layout kExportedLayout{{{}}};\n"
      "inline constexpr u32 kExportedPrefixSymbols = {};\n\n"
      "}}  // namespace gpuseq::fm_index\n",
      point, text_of(layout), prefix_symbols);
}

std::string cpu_point_text(const CpuSearchText& text) {
  return fmt::format(
      "#pragma once\n\n"
      "#include \"kernels/fm_index/cpu/search.hpp\"\n\n"
      "namespace gpuseq::fm_index {{\n\n"
      "inline SearchJob exported_job() {{\n"
      "  SearchJob job{{}};\n"
      "{}"
      "  return job;\n"
      "}}\n\n"
      "inline DispatchedKernel exported_kernel(const Layout& layout) {{\n"
      "  return {};\n"
      "}}\n\n"
      "}}  // namespace gpuseq::fm_index\n",
      text.job, text.kernel);
}

/// The shapes of a layout, for texts that are wide and that are not.
std::string shapes_text(const Layout& layout) {
  const std::string shape =
      layout.one_hot()
          ? fmt::format("shape.k == {} && shape.one_hot_d == {}", layout.k, layout.d)
          : fmt::format(
                "shape.k == {} && shape.alternate == {} && shape.one_chunk == {} && shape.one_hot_d == 0",
                layout.k, layout.alternate(), layout.d == 64);
  return fmt::format(
      "#pragma once\n\n"
      "#include \"kernels/fm_index/cpu/kernel_table.hpp\"\n\n"
      "namespace gpuseq::fm_index {{\n\n"
      "/// Which shapes kernels are compiled for.\n"
      "constexpr bool is_compiled(const KernelShape& shape) {{\n"
      "  return {};\n"
      "}}\n\n"
      "}}  // namespace gpuseq::fm_index\n",
      shape);
}

}  // namespace

ExportedLibrary exported_library(std::string_view point, const Layout& layout, u32 prefix_symbols) {
  return {.name = "gpuseq_fm_index",
          .folder = std::string(kFolder),
          .sources = {in_folder("api.cpp"), "kernels/common/library/usable_cpus.cpp"},
          .written = {{in_folder("point.hpp"), point_text(point, layout, prefix_symbols)}}};
}

ExportedLibrary exported_for_cpu(std::string_view point, const Layout& layout, u32 prefix_symbols,
                                 const CpuSearchText& text) {
  ExportedLibrary library = exported_library(point, layout, prefix_symbols);
  library.sources.push_back(in_folder("cpu_engine.cpp"));
  library.sources.emplace_back(text.source);
  library.written[in_folder("cpu_point.hpp")] = cpu_point_text(text);
  if (!layout.psi()) library.written["kernels/fm_index/cpu/compiled_shapes.hpp"] = shapes_text(layout);
  return library;
}

}  // namespace gpuseq::fm_index
