#include "kernels/profile_hmm/exec/score_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/text/printable.hpp"

namespace gpuseq::profile_hmm {
namespace {

constexpr u64 kRowsOfABlock = 1 << 16;  // formatted together, then written
constexpr u64 kRowsOfAPiece = 1 << 10;
constexpr int kKeyColumns = 3, kScoreColumns = 5, kPassColumns = 3;

struct Table {
  const Model& model;
  const Profile& profile;
  const Sequences& sequences;
  const RawScores& raw;
};

void put(std::string& text, const auto& value) {
  fmt::format_to(std::back_inserter(text), "\t{}", value);
}

void put_missing(std::string& text, int fields) {
  for (int i = 0; i < fields; ++i) text += "\tNA";
}

/// A filter's five columns.
void put_score(std::string& text, RawScore raw, const std::optional<FilterScore>& score, float null_nats,
               const Gumbel& gumbel) {
  if (raw == kOverflow)
    put_missing(text, 1);
  else
    put(text, raw);
  if (!score) return put_missing(text, 4);
  const float in_bits = bits(score->nats, null_nats);
  put(text, score->overflow ? 1 : 0);
  put(text, score->nats);
  put(text, in_bits);
  fmt::format_to(std::back_inserter(text), "\t{:.6g}", p_value(gumbel, in_bits));
}

/// All columns between the keys and the passes.
Passage put_scores(std::string& text, const Table& table, u64 i) {
  const auto& [model, profile, sequences, raw] = table;
  const std::span<const u8> codes = sequences.row(i);
  const u32 residues = sequences.length(i);
  const float null_nats = null_score(residues);
  const auto ssv = ssv_score(profile, residues, raw.ssv[i]);
  const FilterScore msv = msv_score(profile, residues, raw.msv[i]);
  const FilterScore viterbi = viterbi_score(profile, residues, raw.viterbi[i]);
  const bool has_bias = passes_f1(model, ssv.value_or(msv), null_nats);
  float bias_nats = 0;
  if (has_bias) bias_nats = raw.bias_nats.empty() ? bias_score(model, codes) : raw.bias_nats[i];
  const Passage passed = passage(model, ssv.value_or(msv), viterbi, null_nats, bias_nats);
  put_score(text, raw.ssv[i], ssv, null_nats, model.msv);
  put_score(text, raw.msv[i], msv, null_nats, model.msv);
  put(text, ssv ? "ssv" : "msv");
  if (raw.viterbi_of_all || passed.bias)
    put_score(text, raw.viterbi[i], viterbi, null_nats, model.viterbi);
  else
    put_missing(text, kScoreColumns);
  put(text, null_nats);
  if (has_bias)
    put(text, bias_nats);
  else
    put_missing(text, 1);
  return passed;
}

Passage put_row(std::string& text, const Table& table, u64 i) {
  fmt::format_to(std::back_inserter(text), "{}\t{}\t{}", table.model.name, table.sequences.names[i],
                 table.sequences.length(i));
  Passage passed;
  if (table.sequences.length(i) == 0)
    put_missing(text, static_cast<int>(score_columns().size()) - kKeyColumns - kPassColumns);
  else
    passed = put_scores(text, table, i);
  for (const bool stage : {passed.msv, passed.bias, passed.viterbi}) put(text, stage ? 1 : 0);
  text += '\n';
  return passed;
}

std::string passed_line(std::string_view filter, u64 passed, u64 of, double threshold) {
  const auto all = static_cast<double>(of);
  return fmt::format("{:<33}{:>11}  ({:.6g}); expected {:.1f} ({:.6g})\n",
                     fmt::format("Passed {} filter:", filter), passed,
                     of == 0 ? 0 : static_cast<double>(passed) / all, threshold * all, threshold);
}

}  // namespace

void PassCounts::add(const Passage& passage) {
  ++sequences;
  msv += passage.msv;
  bias += passage.bias;
  viterbi += passage.viterbi;
}

PassCounts& PassCounts::operator+=(const PassCounts& more) {
  sequences += more.sequences;
  msv += more.msv;
  bias += more.bias;
  viterbi += more.viterbi;
  return *this;
}

const std::vector<std::pair<std::string_view, std::string_view>>& score_columns() {
  static const std::vector<std::pair<std::string_view, std::string_view>> columns{
      {"model", "name of the model"},
      {"sequence", "name of the sequence"},
      {"length", "residues"},
      {"ssv_raw", "largest byte of SSV; NA: overflow"},
      {"ssv_overflow",
       "1: HMMER's SSV filter answers infinity; NA, here and on: it leaves the answer to MSV"},
      {"ssv_nats", "score in nats, the null model not subtracted"},
      {"ssv_bits", "(nats - null_nats) / ln 2"},
      {"ssv_p", "P value of these bits"},
      {"msv_raw", "byte of MSV's J state; NA: overflow"},
      {"msv_overflow", "1: the score is infinity"},
      {"msv_nats", "as for SSV"},
      {"msv_bits", "as for SSV"},
      {"msv_p", "as for SSV"},
      {"decided_by", "ssv or msv: whose score is the answer of HMMER's MSV filter"},
      {"viterbi_raw", "word of Viterbi's C state; NA: overflow"},
      {"viterbi_overflow", "1: the score is infinity"},
      {"viterbi_nats", "as for SSV"},
      {"viterbi_bits", "as for SSV"},
      {"viterbi_p", "as for SSV"},
      {"null_nats", "log probability of the length by the null model"},
      {"bias_nats",
       "null_nats plus the score of the bias filter; NA where hmmsearch does not reach this filter"},
      {"pass_msv", "1: P of the MSV filter <= 0.02 (F1)"},
      {"pass_bias", "1: and with bias_nats for null_nats"},
      {"pass_viterbi", "1: and that P, or P of the Viterbi filter with bias_nats, <= 0.001 (F2)"},
  };
  return columns;
}

void write_score_header(std::ostream& out) {
  const char* separator = "";
  for (const auto& [name, meaning] : score_columns()) out << std::exchange(separator, "\t") << name;
  out << '\n';
}

PassCounts write_scores(std::ostream& out, const Model& model, const Profile& profile,
                        const Sequences& sequences, const RawScores& raw, ThreadPool& pool) {
  const Table table{.model = model, .profile = profile, .sequences = sequences, .raw = raw};
  PassCounts counts;
  for (u64 first = 0; first < sequences.count(); first += kRowsOfABlock) {
    const u64 rows = std::min(kRowsOfABlock, sequences.count() - first);
    std::vector<std::string> texts((rows + kRowsOfAPiece - 1) / kRowsOfAPiece);
    std::vector<PassCounts> passed(texts.size());
    pool.parallel_for(texts.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t piece = begin; piece < end; ++piece)
        for (u64 i = piece * kRowsOfAPiece; i < std::min<u64>(rows, (piece + 1) * kRowsOfAPiece); ++i)
          passed[piece].add(put_row(texts[piece], table, first + i));
    });
    for (const std::string& text : texts) out << text;
    for (const PassCounts& some : passed) counts += some;
  }
  return counts;
}

std::string summary(const Model& model, const Sequences& sequences, const PassCounts& counts) {
  return fmt::format("{:<33}{}  ({} nodes)\n", "Query model:", printable(model.name), model.length) +
         fmt::format("{:<33}{:>11}  ({} residues searched)\n", "Target sequences:", counts.sequences,
                     sequences.residues()) +
         passed_line("MSV", counts.msv, counts.sequences, kF1) +
         passed_line("bias", counts.bias, counts.sequences, kF1) +
         passed_line("Vit", counts.viterbi, counts.sequences, kF2);
}

}  // namespace gpuseq::profile_hmm
