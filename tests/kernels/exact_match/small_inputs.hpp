#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "runtime/system/random.hpp"

namespace gpuseq::exact_match::testing {

/// A reference and queries as FASTA texts, and the lengths that matches are searched with.
struct SmallInput {
  std::string name;
  std::string reference, queries;
  std::vector<unsigned> min_lengths;
};

inline std::string random_letters(Random& random, std::size_t length, const std::string& alphabet) {
  std::string letters(length, 'A');
  for (char& letter : letters) letter = alphabet[random.below(alphabet.size())];
  return letters;
}

inline std::string repeated(const std::string& piece, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += piece;
  return result;
}

/// Letters over several lines, as files have them.
inline std::string folded(const std::string& letters) {
  std::string result;
  for (std::size_t at = 0; at < letters.size(); at += 60) result += letters.substr(at, 60) + "\n";
  return result.empty() ? "\n" : result;
}

inline std::vector<SmallInput> chosen_inputs() {
  const std::string all_a(200, 'A');
  const std::string tandem = repeated("ACG", 70) + "T" + repeated("ACG", 40) + "TT" + repeated("CAACG", 30);
  const std::string islands = "ACGTTGCAAC" + std::string(30, 'N') + "ACGTTGCAACGGT" + "N" + "GGTTACGTTGCA" +
                              "RYSWKMBDHV" + "TTGCAACGG" + std::string(5, 'n') + "acgttgcaacggtta";
  return {
      {"one letter",
       ">r\n" + all_a + "\n",
       ">q\n" + std::string(50, 'A') + "\n>t\nTTTTTTTTTTAAAAATTTTTTTTT\n",
       {1, 2, 5, 20, 50, 51}},
      {"one letter in several sequences",
       ">r\n" + all_a + "\n>s\nAAAAA\n>t\nA\n>u\n" + all_a + "\n",
       ">q\n" + std::string(30, 'A') + "\n>c\nCAAAAAC\n",
       {1, 5, 6, 30}},
      {"tandem repeats",
       ">r x\n" + folded(tandem),
       ">q\n" + repeated("ACG", 12) + "\n>p\n" + repeated("GCA", 20) + "TAAC\n>c\n" + repeated("CAACG", 8) +
           "\n",
       {1, 3, 7, 20, 40}},
      {"runs of N",
       ">r\n" + folded(islands),
       ">q\n" + islands + "\n>n\nNNNNNNNNNN\n>m\nACGTTGCANNGGTTA\n",
       {1, 4, 9, 20}},
      {"empty reads and read ends",
       ">r\nACGTACGTTGACCA\n",
       ">empty\n\n>whole\nACGTACGTTGACCA\n>longer\nTTACGTACGTTGACCATTACGTACGTTGACCAGG\n>e2\n\n>one\nA\n",
       {1, 3, 14, 15, 1000}},
      {"several sequences",
       ">first with "
       "words\nACGTTGCATTACGTACCCGGTTaaccggtttACG\n>second_of_a_longer_name\nATAAAAAAAAAATTTTTTTTGGGACCAG\n"
       ">third\nACGTTGCATTACGTACC\n>s\nG\n",
       ">q1 words\nACGTTGCATNNNNACGTACCCGG\n>q2\nAAACCCGGTTAACCggtttacGRYSWKM\n>q3\nTTTTTTTTTTTTGGG\n>q4\n"
       "TTACGATAAAA\n",
       {1, 2, 6, 9, 17}},
      {"the reference itself and its reverse complement",
       ">r\nACGGTCATTGCAATGACCGTTACGGATTC\n",
       ">f\nACGGTCATTGCAATGACCGTTACGGATTC\n>r\nGAATCCGTAACGGTCATTGCAATGACCGT\n",
       {1, 2, 5, 12, 29}},
  };
}

/// Few letters and short sequences, so that everything repeats; some with N, some of several sequences.
inline SmallInput random_input(unsigned number) {
  Random random(number);
  const std::string alphabet =
      std::vector<std::string>{"AC", "ACGT", "AAAAC", "ACGTN", "acGTAAC"}[number % 5];
  SmallInput input{
      .name = fmt::format("random {}", number), .reference = "", .queries = "", .min_lengths = {}};
  std::string all;
  for (unsigned i = 0, n = 1 + static_cast<unsigned>(random.below(4)); i < n; ++i) {
    std::string letters = random_letters(random, 1 + random.below(150), alphabet);
    if (random.below(2) == 0) letters += letters.substr(random.below(letters.size()));
    input.reference += fmt::format(">ref{}\n{}\n", i, letters);
    all += letters;
  }
  for (unsigned i = 0; i < 6; ++i) {
    std::string letters = random_letters(random, random.below(20), alphabet);
    const std::size_t from = random.below(all.size());
    letters += all.substr(from, random.below(60)) + random_letters(random, random.below(8), alphabet);
    if (random.below(3) == 0) letters += all.substr(random.below(all.size()), 40);
    input.queries += fmt::format(">q{}\n{}\n", i, letters);
  }
  input.min_lengths = {1 + static_cast<unsigned>(random.below(6)),
                       3 + static_cast<unsigned>(random.below(20))};
  return input;
}

}  // namespace gpuseq::exact_match::testing
