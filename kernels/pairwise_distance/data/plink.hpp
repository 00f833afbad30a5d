#pragma once

#include <array>

#include "runtime/cuda/device/host_device.cuh"

// PLINK's binary genotype table (.bed), version 1, SNP by SNP: three magic bytes, then for every SNP two bits
// per sample, the first sample lowest, padded to whole bytes. Source:
// https://www.cog-genomics.org/plink/1.9/formats#bed

namespace gpuseq::pairwise_distance {

inline constexpr std::array<u8, 3> kBedMagic{0x6c, 0x1b, 0x01};
inline constexpr u64 kBedGenotypesOfByte = 4;
inline constexpr u8 kBedMissing = 1;
/// The two bits for 0, 1 and 2 copies of allele A1.
inline constexpr std::array<u8, 3> kBedOfCopies{3, 2, 0};

constexpr u64 bed_snp_bytes(u64 samples) {
  return (samples + kBedGenotypesOfByte - 1) / kBedGenotypesOfByte;
}

}  // namespace gpuseq::pairwise_distance
