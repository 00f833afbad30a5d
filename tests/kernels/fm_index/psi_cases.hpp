#pragma once

#include <string>
#include <vector>

#include "kernels/fm_index/data/psi.hpp"
#include "kernels/fm_index/data/queries.hpp"
#include "tests/kernels/fm_index/brute_force.hpp"

namespace gpuseq::fm_index::testing {

inline std::string repeated(const std::string& unit, std::size_t bases) {
  std::string text;
  while (text.size() < bases) text += unit;
  return text.substr(0, bases);
}

/// Texts shorter than a word, of one letter, periodic, with long runs, and random.
inline std::vector<std::string> psi_texts() {
  std::vector<std::string> texts{"A", "C", "T", "AAAA", "TTTT", "ACG", "TA", "CAAACATAT", "GATTACA"};
  for (const char* unit : {"A", "T", "AC", "TA", "ACGT", "CAAAA"})
    for (const std::size_t bases : {17, 64, 150}) texts.push_back(repeated(unit, bases));
  texts.push_back(repeated("A", 90) + "C" + repeated("A", 80));
  texts.push_back(repeated("T", 70) + random_letters(100, 3) + repeated("A", 70));
  for (const std::size_t bases : {5, 16, 63, 300, 1000}) texts.push_back(random_letters(bases, bases));
  return texts;
}

/// Queries of 0 ... 40 and of up to 131 bases: pieces of the text, its start and end, some with one base
/// changed, repeats, and random ones.
inline std::vector<std::string> psi_queries(const std::string& text) {
  std::vector<std::string> queries;
  Random random(11);
  std::vector<std::size_t> lengths;
  for (std::size_t m = 0; m <= 40; ++m) lengths.push_back(m);
  for (const std::size_t m : {63, 64, 65, 100, 128, 131}) lengths.push_back(m);
  for (const std::size_t m : lengths) {
    queries.push_back(random_letters(m, random()));
    for (const char* unit : {"A", "T", "AC"}) queries.push_back(repeated(unit, m));
    if (m > text.size()) continue;
    queries.push_back(text.substr(0, m));
    queries.push_back(text.substr(text.size() - m));
    for (int i = 0; i < 2; ++i) queries.push_back(text.substr(random.below(text.size() - m + 1), m));
    if (m == 0) continue;
    queries.push_back(queries.back());
    queries.back()[random.below(m)] = 'G';
    queries.push_back(text.substr(text.size() - m + 1) + "A");  // as the end, with a base where `$` is
  }
  return queries;
}

/// Queries packed as a search reads them, with nothing behind the last, and their intervals.
struct PsiCase {
  std::string text;
  std::vector<std::string> queries;
  std::vector<u32> packed_words, begin, bases;
  std::vector<Interval<u64>> expected;

  explicit PsiCase(std::string of) : text(std::move(of)), queries(psi_queries(text)) {
    const BruteForce oracle(text);
    for (const std::string& query : queries) {
      begin.push_back(static_cast<u32>(packed_words.size() / 4));
      bases.push_back(static_cast<u32>(query.size()));
      const std::vector<u32> words = packed(query);
      packed_words.insert(packed_words.end(), words.begin(), words.end());
      expected.push_back(oracle.interval(query));
    }
    packed_words.shrink_to_fit();
  }
  QueryView view() const {
    return {packed_words.data(), begin.data(), bases.data(), static_cast<u32>(begin.size())};
  }
};

inline Layout psi_layout(u32 k, u32 line_bytes) {
  return {
      .kind = line_bytes == 0 ? LayoutKind::psi : LayoutKind::psi_lines, .k = k, .line_bytes = line_bytes};
}

}  // namespace gpuseq::fm_index::testing
