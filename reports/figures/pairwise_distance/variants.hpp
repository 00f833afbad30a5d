#pragma once

#include "reports/variant_rows.hpp"

namespace gpuseq::reports::pairwise_distance {

/// Rows of this family's variants: panels by size, published values by instances and attributes. What is
/// shown of a record is left to the figure.
VariantRows variant_rows();

}  // namespace gpuseq::reports::pairwise_distance
