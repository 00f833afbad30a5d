#pragma once

#include "kernels/papara/data/alignment_rows.hpp"
#include "runtime/io/byte_source.hpp"

namespace gpuseq::papara {

/// Reads a PHYLIP file after its header. The file does not name its form, so every form is tried: a name ends
/// at a blank (relaxed), after ten columns (strict), or at two blanks or a tab (PAML); the rows are
/// sequential, interleaved, or interleaved with their names in every block. The header may have I
/// (interleaved) or S (sequential) after its two numbers.
/// @throws AlignmentFailure with every tried form if none fits, or if two forms give different rows
ReferenceAlignment read_phylip(Alphabet alphabet, const TextLine& header, LineReader& lines);

}  // namespace gpuseq::papara
