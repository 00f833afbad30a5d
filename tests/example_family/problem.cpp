#include "tests/example_family/problem.hpp"

#include <fmt/format.h>

#include <fstream>

#include "runtime/contract/axes.hpp"
#include "runtime/io/hash.hpp"
#include "runtime/io/number_text.hpp"
#include "runtime/io/sequence_reader.hpp"
#include "runtime/system/random.hpp"
#include "tests/example_family/oracle.hpp"

namespace gpuseq::base_counts {
namespace {

constexpr std::string_view kLetters = "ACGT";

std::vector<std::uint8_t> random_bases(std::int64_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::uint8_t> bases(static_cast<std::size_t>(count));
  for (std::uint8_t& base : bases) base = static_cast<std::uint8_t>(random.below(4));
  return bases;
}

std::vector<std::uint8_t> bases_of(const std::filesystem::path& file) {
  std::vector<std::uint8_t> bases;
  for (const Sequence& record : read_sequences(file))
    for (const char letter : record.sequence)
      if (const auto base = kLetters.find(static_cast<char>(letter & ~0x20)); base != kLetters.npos)
        bases.push_back(static_cast<std::uint8_t>(base));
  return bases;
}

}  // namespace

CountProblem::CountProblem(std::vector<std::uint8_t> bases, std::filesystem::path cache_dir)
    : bases_(std::move(bases)), cache_dir_(std::move(cache_dir)), expected_(oracle_counts(bases_)) {}

std::string CountProblem::hash() const {
  return Hash().update(bases()).hex16();
}

std::string CountProblem::label(const Point& problem) const {
  return fmt::format("{}, {}", data_name(problem, "sequence"),
                     with_decimal_prefix(static_cast<double>(bases_.size()), "bases"));
}

nlohmann::json CountProblem::describe() const {
  return {{"bases", bases_.size()}};
}

std::map<std::string, std::filesystem::path> CountProblem::write_files(
    const std::filesystem::path& folder) const {
  std::string text = ">sequence\n";
  for (const std::uint8_t base : bases_) text += kLetters[base];
  std::ofstream(folder / "sequence.fa") << text << '\n';
  return {{"sequence", folder / "sequence.fa"}};
}

const SearchSpace& problem_space() {
  static const SearchSpace space(
      {open_word_axis("sequence", {std::string("random")}, "a data name (FASTA, FASTQ); random: seeded bases",
                      "random, or the name of a data entry"),
       about("sequence",
             open_integer_axis("bases", 1, std::int64_t{1} << 32, 1'000'000, "of a random sequence"))});
  return space;
}

std::unique_ptr<CountProblem> load_problem(const ProblemSpec& spec) {
  const std::string& name = spec.point.word("sequence");
  return std::make_unique<CountProblem>(
      name == "random" ? random_bases(spec.point.integer("bases"), spec.seed) : bases_of(spec.files.at(name)),
      spec.cache_dir);
}

Work CountSession::work() const {
  return {static_cast<double>(problem_.bases().size()), "bases"};
}

Verification CountSession::verify() {
  const Counts found = counts();
  for (std::size_t base = 0; base < 4; ++base)
    if (found[base] != problem_.expected()[base])
      return {
          false, base + 1,
          fmt::format("{}: expected {}, found {}", kLetters[base], problem_.expected()[base], found[base])};
  return {true, found.size(), ""};
}

}  // namespace gpuseq::base_counts
