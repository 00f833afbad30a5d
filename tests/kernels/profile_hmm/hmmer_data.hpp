#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/profile_hmm/data/amino_acids.hpp"
#include "runtime/io/byte_source.hpp"
#include "runtime/system/random.hpp"

// Models and sequences that HMMER and we are compared on.

namespace gpuseq::profile_hmm::testing {

namespace fs = std::filesystem;

inline const fs::path kExamples = "/usr/share/doc/hmmer/examples";
inline const fs::path kProteins = "/usr/share/doc/mmseqs2/example-data/QUERY.fasta.gz";

inline std::vector<fs::path> example_files(const std::vector<std::string>& endings) {
  std::vector<fs::path> files;
  for (const char* folder : {"tutorial", "testsuite"})
    if (fs::exists(kExamples / folder))
      for (const auto& entry : fs::directory_iterator(kExamples / folder))
        for (const std::string& ending : endings)
          if (entry.path().string().ends_with(ending)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Files of hmmer-examples that hold models of amino acids; empty where the package is not installed.
inline std::vector<fs::path> example_models() {
  std::vector<fs::path> models;
  for (const fs::path& path : example_files({".hmm", ".hmm.gz"})) {
    LineReader lines(path);
    for (std::string line; lines.next(line);)
      if (line.starts_with("ALPH") && line.find("amino") != std::string::npos) {
        models.push_back(path);
        break;
      }
  }
  return models;
}

/// Sequences of the alignments that come with the models: homologs of them.
inline std::vector<std::string> example_homologs(std::size_t most_of_each) {
  std::vector<std::string> homologs;
  for (const fs::path& path : example_files({".sto", ".sto.gz"})) {
    std::map<std::string, std::string> rows;
    LineReader lines(path);
    for (std::string line; lines.next(line);) {
      std::istringstream words(line);
      std::string name, row;
      if (line.starts_with('#') || line.starts_with("//") || !(words >> name >> row)) continue;
      for (const char letter : row)
        if (std::isalpha(static_cast<unsigned char>(letter))) rows[name] += letter;
    }
    std::size_t taken = 0;
    for (const auto& [name, row] : rows)
      if (taken++ < most_of_each) homologs.push_back(row);
  }
  return homologs;
}

/// The first sequences of a FASTA file, so many residues in all.
inline std::vector<std::string> first_proteins(const fs::path& path, std::size_t residues) {
  std::vector<std::string> proteins;
  if (!fs::exists(path)) return proteins;
  LineReader lines(path);
  std::size_t taken = 0;
  for (std::string line; lines.next(line);) {
    if (line.starts_with('>')) {
      if (taken > residues) break;
      proteins.emplace_back();
    } else if (!proteins.empty()) {
      proteins.back() += line;
      taken += line.size();
    }
  }
  return proteins;
}

/// Amino acids, uniform.
inline std::string random_protein(std::size_t length, Random& random) {
  std::string protein(length, 'A');
  for (char& letter : protein) letter = kResidueLetters[random.below(kAminoAcids)];
  return protein;
}

/// Sequences that no real file has: no residue, one, the most, letters that are no amino acid, repeats.
inline std::vector<std::string> odd_sequences() {
  Random random(7);
  std::vector<std::string> odd{
      "", "A", "w", "X", "*", "~", "_", "ACDEFGHIKLMNPQRSTVWY_BJZOUX*~", "acdefghiklmnpqrstvwybjzoux"};
  for (const char letter : std::string("XBZJOU*_~LW")) odd.emplace_back(300, letter);
  std::string mixed = random_protein(2000, random);
  for (std::size_t i = 0; i < mixed.size(); i += 1 + random.below(20))
    mixed[i] = "BJZOUX*_~"[random.below(9)];
  odd.push_back(mixed);
  for (const std::size_t length : {2u, 3u, 5u, 17u, 100u, 5000u})
    odd.push_back(random_protein(length, random));
  odd.push_back(random_protein(100'000, random));
  return odd;
}

/// Homologs in a row: several domains, which leads through J and, at last, to overflows.
inline std::vector<std::string> repeated(const std::vector<std::string>& homologs) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < homologs.size(); i += 7) {
    std::string row;
    for (std::size_t times = 0; times < 2 + i % 3; ++times) row += homologs[i];
    result.push_back(row);
  }
  return result;
}

inline std::string as_fasta(const std::vector<std::string>& sequences) {
  std::string text;
  for (std::size_t i = 0; i < sequences.size(); ++i)
    text += ">s" + std::to_string(i) + "\n" + sequences[i] + "\n";
  return text;
}

}  // namespace gpuseq::profile_hmm::testing
