#include <algorithm>
#include <fstream>

#include "runtime/io/sequence_reader.hpp"
#include "runtime/system/random.hpp"
#include "tests/example_family/family.hpp"

namespace gpuseq::base_counts {

CountProblem::CountProblem(const ProblemSpec& spec) : cache_dir(spec.cache_dir) {
  if (const std::string& name = spec.point.word("sequence"); name == "random") {
    bases.resize(static_cast<std::size_t>(spec.point.integer("bases")));
    std::ranges::generate(bases, [random = Random(spec.seed)]() mutable { return "ACGT"[random.below(4)]; });
  } else {
    for (const Sequence& record : read_sequences(spec.files.at(name))) bases += record.sequence;
  }
  for (const char base : {'C', 'G', 'c', 'g'})  // the oracle
    expected += static_cast<std::uint64_t>(std::ranges::count(bases, base));
}

std::map<std::string, std::filesystem::path> CountProblem::write_files(
    const std::filesystem::path& to) const {
  std::ofstream(to / "sequence.fa") << ">sequence\n" << bases << '\n';
  return {{"sequence", to / "sequence.fa"}};
}

}  // namespace gpuseq::base_counts
