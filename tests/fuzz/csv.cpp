#include "kernels/pairwise_distance/data/instance_files.hpp"
#include "tests/fuzz/fuzz_input.hpp"
#include "tests/fuzz/fuzz_instances.hpp"

// Instances as CSV, TSV or aligned FASTA, distinguished by content, and
// CSV or TSV of real values. Written as CSV, they read as the same.

using namespace gpuseq;

namespace {

void read_and_write(const std::filesystem::path& file, const pairwise_distance::Reading& how) {
  pairwise_distance::ReadInstances read;
  if (!fuzz::accepts("table.", [&] { read = pairwise_distance::read_instances(file, how); })) return;
  fuzz::check(read.instances);
  const auto copy = fuzz::folder().path() / "written.csv";
  pairwise_distance::write_csv(copy, read.instances);
  const auto again = pairwise_distance::read_instances(copy, how).instances;
  fuzz::require_same(again, read.instances);
  fuzz::require(again.names == read.instances.names, "written, it has other names");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = fuzz::folder().write("table.csv", fuzz::text_of(data, size));
  read_and_write(file, {});
  read_and_write(file, {.real = true});
  return 0;
}
