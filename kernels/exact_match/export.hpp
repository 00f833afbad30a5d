#pragma once

#include <string_view>

#include "kernels/exact_match/data/word_tables.hpp"
#include "runtime/contract/exported_library.hpp"

namespace gpuseq::exact_match {

/// A point's library for CPUs.
/// @param point  in words, for messages: "tree node_order=hybrid,in_flight=8"
ExportedLibrary exported_for_cpu(std::string_view point, std::string_view node_order,
                                 const WordLetters& letters, u32 in_flight);

/// The common part of both kinds of libraries; the caller adds the engine.
ExportedLibrary exported_library(std::string_view point, std::string_view node_order,
                                 const WordLetters& letters);

}  // namespace gpuseq::exact_match
