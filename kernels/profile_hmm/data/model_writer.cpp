#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "kernels/profile_hmm/data/model.hpp"
#include "kernels/profile_hmm/data/null_model.hpp"

namespace gpuseq::profile_hmm {
namespace {

/// The negative logarithm with HMMER's five decimals, or with as many as are needed to read
/// the same number back.
std::string probability_text(float probability) {
  if (probability == 0) return "*";
  const double minus_log = std::abs(std::log(static_cast<double>(probability)));
  std::string text;
  for (const int decimals : {5, 7, 9, 12}) {
    text = fmt::format("{:.{}f}", minus_log, decimals);
    if (std::exp(static_cast<float>(-std::stod(text))) == probability) break;
  }
  return text;
}

template <typename Values>
void append_line(std::string& out, std::string_view begin, const Values& values, std::string_view end = "") {
  out += fmt::format("{:>7} ", begin);
  for (const float value : values) out += fmt::format(" {:>8}", probability_text(value));
  out += end;
  out += '\n';
}

std::string insert_line() {
  std::string line = "        ";
  for (const float value : kBackground) line += fmt::format(" {:>8.5f}", -std::log(value));
  return line + '\n';
}

/// The most likely amino acid, in lower case if below one half, as in hmmbuild.
char consensus(const std::array<float, kAminoAcids>& match) {
  const auto best = std::max_element(match.begin(), match.end());
  const char letter = kResidueLetters[static_cast<std::size_t>(best - match.begin())];
  return *best >= 0.5f ? letter : static_cast<char>(letter - 'A' + 'a');
}

std::string header(const Model& model) {
  std::string text = fmt::format("HMMER3/f [gpuseq-bench]\nNAME  {}\n", model.name);
  if (!model.accession.empty()) text += fmt::format("ACC   {}\n", model.accession);
  text +=
      fmt::format("LENG  {}\nALPH  amino\nRF    no\nMM    no\nCONS  yes\nCS    no\nMAP   no\n", model.length);
  const auto add = [&](std::string_view name, const Gumbel& gumbel) {
    text += fmt::format("STATS LOCAL {:<8} {:>8} {:>8}\n", name, gumbel.mu, gumbel.lambda);
  };
  add("MSV", model.msv);
  add("VITERBI", model.viterbi);
  add("FORWARD", model.forward);
  text += "HMM     ";
  for (u32 i = 0; i < kAminoAcids; ++i) text += fmt::format("     {}   ", kResidueLetters[i]);
  text += "\n        ";
  for (const std::string_view name : {"m->m", "m->i", "m->d", "i->m", "i->i", "d->m", "d->d"})
    text += fmt::format(" {:>8}", name);
  return text + '\n';
}

}  // namespace

void write_model(std::ostream& out, const Model& model) {
  const std::string inserts = insert_line();
  std::string text = header(model);
  append_line(text, "COMPO", model.composition);
  for (u32 node = 0; node <= model.length; ++node) {
    if (node > 0)
      append_line(text, std::to_string(node), model.match[node],
                  fmt::format("      - {} - - -", consensus(model.match[node])));
    text += inserts;
    append_line(text, "", model.transitions[node]);
    if (text.size() <= 1 << 20) continue;
    out << text;
    text.clear();
  }
  out << text << "//\n";
}

}  // namespace gpuseq::profile_hmm
