#include "kernels/exact_match/exec/match_writer.hpp"

#include <algorithm>
#include <charconv>

namespace gpuseq::exact_match {
namespace {

constexpr std::size_t kWidth = 8;  // least width of a number

/// Right-justified. fmt and printf take several times as long, and this is most of the cost of printing.
void put_number(std::string& out, u64 number) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  const auto length = static_cast<std::size_t>(end - digits.data());
  if (length < kWidth) out.append(kWidth - length, ' ');
  out.append(digits.data(), length);
}

}  // namespace

MatchWriter::MatchWriter(const Reference& reference, const Search& search, const MatchFormat& format)
    : reference_(reference), strands_(search.strands()), format_(format) {
  if (reference.count() < 2 && !format.four_columns) return;
  std::size_t longest = 0;
  for (const std::string& name : reference.names) longest = std::max(longest, name.size());
  for (const std::string& name : reference.names)
    prefixes_.push_back("  " + name + std::string(longest - name.size() + 2, ' '));
}

void MatchWriter::write_match(std::string& out, const Match& match, std::span<const u8> query,
                              bool reverse) const {
  const u32 sequence = reference_.count() < 2 ? 0 : reference_.sequence_at(match.reference);
  if (!prefixes_.empty()) out += prefixes_[sequence];
  put_number(out, match.reference - reference_.begin[sequence] + 1);
  out += "  ";
  put_number(out, reverse && format_.forward_positions ? query.size() - match.query : u64{match.query} + 1);
  out += "  ";
  put_number(out, match.length);
  out += '\n';
  if (!format_.letters) return;
  for (u64 at = match.query; at < u64{match.query} + match.length; ++at)
    out += reverse ? "tgca"[query[query.size() - 1 - at]] : "acgt"[query[at]];
  out += '\n';
}

void MatchWriter::write(std::string& out, const Queries& queries, const MatchList& list, u64 begin,
                        u64 end) const {
  for (u64 strand = begin; strand < end; ++strand) {
    const u64 query = strand / strands_;
    const bool reverse = strand % strands_ == 1;
    out += "> ";
    out += queries.names[query];
    if (reverse) out += " Reverse";
    if (format_.query_lengths) out += "  Len = " + std::to_string(queries.length(query));
    out += '\n';
    for (const Match& match : list.of(strand)) write_match(out, match, queries.codes(query), reverse);
  }
}

}  // namespace gpuseq::exact_match
