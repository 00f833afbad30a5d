#include <fmt/format.h>

#include <array>

#include "kernels/pairwise_distance/data/instance_files.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/sequence_reader.hpp"

namespace gpuseq::pairwise_distance {
namespace {

constexpr std::string_view kMissingLetters = "-.?";
constexpr std::string_view kAminoAcidsOnly = "EFIJLOPQZ";  // not a nucleotide and not an ambiguous one

using Seen = std::array<bool, 256>;

bool is_missing_letter(char letter, bool proteins) {
  return kMissingLetters.find(letter) != std::string_view::npos || letter == 'X' ||
         (letter == 'N' && !proteins);
}

/// Codes of the letters in a file, in alphabetical order; -1 if missing.
std::array<int, 256> codes_of(const Seen& seen, u32& alphabet) {
  bool proteins = false;
  for (const char letter : kAminoAcidsOnly) proteins = proteins || seen[static_cast<u8>(letter)];
  std::array<int, 256> codes{};
  alphabet = 0;
  for (std::size_t letter = 0; letter < seen.size(); ++letter) {
    if (!seen[letter]) continue;
    const bool missing = is_missing_letter(static_cast<char>(letter), proteins);
    codes[letter] = missing ? -1 : static_cast<int>(alphabet++);
  }
  if (alphabet == 0) alphabet = 1;  // all values are missing
  return codes;
}

/// Replaces letters by codes, and marks missing values.
void encode(Instances& instances, const Seen& seen) {
  const std::array<int, 256> codes = codes_of(seen, instances.alphabet);
  for (u64 i = 0; i < instances.codes.size(); ++i) {
    const int code = codes[instances.codes[i]];
    if (code < 0) {
      if (!instances.has_missing()) instances.missing.resize(instances.codes.size());
      instances.missing[i] = 1;
    }
    instances.codes[i] = static_cast<u8>(code < 0 ? 0 : code);
  }
}

}  // namespace

ReadInstances read_fasta(const std::filesystem::path& path, NextBytes bytes, const Reading& how) {
  SequenceReader reader(path, std::move(bytes),
                        {.alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ*-.?", .ignored = " \t"}, {});
  if (reader.is_fastq())
    throw UsageError(fmt::format("{}: the file is FASTQ, allowed: aligned FASTA", path.string()));
  Instances instances;
  Seen seen{};
  while (const auto record = reader.next()) {
    if (record->sequence.empty())
      throw UsageError(
          fmt::format("{}:{}: record {} ({}): found no letter, allowed: sequences of one length "
                      "(an alignment)",
                      path.string(), record->line, instances.count + 1, record->name));
    if (instances.count == 0) instances.attributes = record->sequence.size();
    if (record->sequence.size() != instances.attributes)
      throw UsageError(
          fmt::format("{}:{}: record {} ({}): found {} letters and gaps, allowed: {}, as the first "
                      "sequence has (an alignment)",
                      path.string(), record->line, instances.count + 1, record->name, record->sequence.size(),
                      instances.attributes));
    reader.memory().make_room(instances.codes, instances.attributes);
    reader.memory().make_room_in_each(instances.names);
    reader.memory().take(record->name.size());
    for (const char letter : record->sequence) {
      const char upper = letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
      instances.codes.push_back(static_cast<u8>(upper));
      seen[static_cast<u8>(upper)] = true;
    }
    ++instances.count;
    if (how.pairs_at_once) require_pairs_fit_so_far(instances);
    instances.names.push_back(record->name.empty() ? std::to_string(instances.count) : record->name);
  }
  if (instances.count == 0) throw UsageError(fmt::format("{}: no sequences", path.string()));
  encode(instances, seen);
  return {.instances = std::move(instances), .numeric = false, .format = "FASTA"};
}

}  // namespace gpuseq::pairwise_distance
