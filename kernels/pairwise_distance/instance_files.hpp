#pragma once

#include <filesystem>

#include "kernels/pairwise_distance/instances.hpp"

namespace gpuseq::pairwise_distance {

/// Comma-separated values: a header ("name" and the attributes' numbers), then a name and the codes of each
/// instance; NA is missing. @throws ResourceError if it cannot be written
void write_csv(const std::filesystem::path& path, const Instances& instances);

/// PLINK's binary genotypes, codes as copies of allele A1, with .bim and .fam beside it; blanks in names
/// become underscores. For an alphabet of up to 3 symbols.
/// @throws ResourceError if a file cannot be written
void write_plink(const std::filesystem::path& bed, const Instances& instances);

}  // namespace gpuseq::pairwise_distance
