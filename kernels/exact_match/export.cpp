#include "kernels/exact_match/export.hpp"

#include <fmt/format.h>

namespace gpuseq::exact_match {
namespace {

constexpr std::string_view kLibraryFolder = "kernels/exact_match/library";

std::string in_library(std::string_view file) {
  return fmt::format("{}/{}", kLibraryFolder, file);
}

std::string point_text(std::string_view point, std::string_view node_order, const WordLetters& letters) {
  return fmt::format(
      "#pragma once\n\n"
      "#include <string_view>\n\n"
      "#include \"kernels/exact_match/data/word_tables.hpp\"\n\n"
      "namespace gpuseq::exact_match {{\n\n"
      "inline constexpr std::string_view kExportedPoint = \"{}\";\n\n"
      "inline constexpr NodeOrder kExportedNodeOrder = NodeOrder::{};\n"
      "inline constexpr WordLetters kExportedLetters{{.prefix = {}, .filter = {}}};\n\n"
      "}}  // namespace gpuseq::exact_match\n",
      point, node_order, letters.prefix, letters.filter);
}

std::string cpu_point_text(u32 in_flight) {
  return fmt::format(
      "#pragma once\n\n"
      "#include \"runtime/cuda/device/host_device.cuh\"\n\n"
      "namespace gpuseq::exact_match {{\n\n"
      "inline constexpr u32 kExportedInFlight = {};\n\n"
      "}}  // namespace gpuseq::exact_match\n",
      in_flight);
}

}  // namespace

ExportedLibrary exported_library(std::string_view point, std::string_view node_order,
                                 const WordLetters& letters) {
  return {.name = "gpuseq_exact_match",
          .folder = std::string(kLibraryFolder),
          .sources = {in_library("api.cpp"), "kernels/exact_match/data/node_order.cpp",
                      "kernels/common/library/usable_cpus.cpp"},
          .written = {{in_library("point.hpp"), point_text(point, node_order, letters)}}};
}

ExportedLibrary exported_for_cpu(std::string_view point, std::string_view node_order,
                                 const WordLetters& letters, u32 in_flight) {
  ExportedLibrary library = exported_library(point, node_order, letters);
  library.sources.insert(library.sources.end(),
                         {in_library("cpu_engine.cpp"), "kernels/exact_match/cpu/tree.cpp"});
  library.written[in_library("cpu_point.hpp")] = cpu_point_text(in_flight);
  return library;
}

}  // namespace gpuseq::exact_match
