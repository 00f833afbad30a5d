#pragma once

#include <string>
#include <vector>

#include "kernels/exact_match/data/sequences.hpp"
#include "tests/kernels/exact_match/small_inputs.hpp"

namespace gpuseq::exact_match::testing {

/// Records of a reference of which many suffixes are the same up to their ends.
struct RecordsAlike {
  std::string name;
  std::vector<std::string> records;

  Reference reference() const {
    Reference made = empty_reference();
    for (const std::string& letters : records) append(made, "r", letters);
    return made;
  }
};

/// As many records as have about so many letters together.
template <typename Record>
RecordsAlike records_of(std::string name, std::size_t letters, Record record) {
  RecordsAlike made{.name = std::move(name), .records = {}};
  for (std::size_t have = 0; have < letters; have += made.records.back().size() + 1)
    made.records.push_back(record());
  return made;
}

/// Usual files of this kind, each of about so many letters.
inline std::vector<RecordsAlike> records_alike(std::size_t letters) {
  Random random(letters);
  const auto bases = [&](std::size_t count) { return random_letters(random, count, "ACGT"); };
  const std::string adapter = "AGATCGGAAGAG", primer = bases(20), other_primer = bases(22);
  const std::string transcript = bases(std::min<std::size_t>(letters / 8, 2000)), genome = bases(letters / 2);
  std::vector<RecordsAlike> all{
      records_of("reads with an adapter", letters, [&] { return bases(80) + adapter; }),
      records_of(
          "chromosomes with telomeres", letters,
          [&] { return bases(letters / 8) + repeated("TTAGGG", std::min<std::size_t>(50, letters / 60)); }),
      records_of("amplicons", letters, [&] { return primer + bases(60) + other_primer; }),
      records_of("transcripts with poly-A", letters,
                 [&] { return bases(100 + random.below(200)) + std::string(30 + random.below(40), 'A'); }),
      records_of("isoforms with one 3' end", letters, [&] { return bases(30) + transcript; }),
      records_of("fragments of one end", letters,
                 [&] { return transcript.substr(random.below(transcript.size())); }),
      records_of("equal short words", letters, [] { return std::string("ACGTAC"); }),
      records_of("guide RNAs with a PAM", letters, [&] { return bases(20) + "TGG"; }),
      records_of(
          "one letter or none", letters,
          [&] { return random.below(3) == 0 ? std::string() : std::string(1, "ACGT"[random.below(4)]); }),
      records_of("equal records", letters, [&] { return transcript; }),
      records_of(
          "words between runs of N", letters,
          [&] { return bases(3) + std::string(random.below(4), 'N') + "GATTACA" + std::string(2, 'N'); }),
      {.name = "two equal genomes", .records = {genome, genome}},
      {.name = "a genome and its end", .records = {genome, genome.substr(genome.size() / 2), "", genome}},
      {.name = "one letter only", .records = {std::string(letters, 'A')}},
      {.name = "one letter in two records",
       .records = {std::string(letters / 2, 'T'), std::string(letters / 2, 'T')}},
      {.name = "a period", .records = {repeated("ACG", letters / 3)}},
      {.name = "periods that end alike",
       .records = {repeated("ACGTT", letters / 10), repeated("GTT", letters / 6)}},
  };
  return all;
}

}  // namespace gpuseq::exact_match::testing
