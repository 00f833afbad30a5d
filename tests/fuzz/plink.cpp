#include "kernels/pairwise_distance/data/instance_files.hpp"
#include "tests/fuzz/fuzz_input.hpp"
#include "tests/fuzz/fuzz_instances.hpp"

// PLINK's genotypes: .bed, .bim and .fam, one after the other in the input. Written, they read as the same.

using namespace gpuseq;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parts = fuzz::parts_of(fuzz::text_of(data, size), 3);
  const auto bed = fuzz::folder().write("samples.bed", parts[0]);
  fuzz::folder().write("samples.bim", parts[1]);
  fuzz::folder().write("samples.fam", parts[2]);
  pairwise_distance::ReadInstances read;
  if (!fuzz::accepts("samples.", [&] { read = pairwise_distance::read_instances(bed); })) return 0;
  fuzz::check(read.instances);
  const auto copy = fuzz::folder().path() / "written.bed";
  pairwise_distance::write_plink(copy, read.instances);
  fuzz::require_same(pairwise_distance::read_instances(copy).instances, read.instances);
  return 0;
}
