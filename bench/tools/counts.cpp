#include "bench/tools/counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

#include "runtime/contract/errors.hpp"
#include "runtime/io/byte_source.hpp"

namespace gpuseq::bench {
namespace {

using Path = std::filesystem::path;

struct FastaSizes {
  double residues = 0, records = 0, shortest = 0;
};

FastaSizes fasta_sizes(const Path& path) {
  SequenceReader reader(path, any_letters());
  FastaSizes sizes;
  while (const auto record = reader.next()) {
    const auto letters = static_cast<double>(record->sequence.size());
    sizes.shortest = sizes.records == 0 ? letters : std::min(sizes.shortest, letters);
    sizes.residues += letters;
    ++sizes.records;
  }
  return sizes;
}

/// The sum of the LENG lines of a HMMER3 file (HMMER user's guide, "HMMER profile HMM files").
double hmm_states(const Path& path) {
  LineReader lines(path);
  double states = 0;
  for (std::string line; lines.next(line);) {
    if (!line.starts_with("LENG ")) continue;
    const std::string_view text = std::string_view(line).substr(line.find_first_not_of(' ', 5));
    std::uint32_t length = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
    if (error != std::errc() || end != text.data() + text.size() || length == 0)
      throw UsageError(fmt::format("{}:{}: found \"{}\"; allowed: LENG and the number of a profile's states",
                                   path.string(), lines.number(), line));
    states += length;
  }
  if (states == 0) throw UsageError(fmt::format("{}: holds no profile (no line LENG)", path.string()));
  return states;
}

double lines_of(const Path& path) {
  LineReader lines(path);
  double count = 0;
  for (std::string line; lines.next(line);) ++count;
  return count;
}

constexpr std::pair<std::string_view, double (*)(const Path&)> kCounts[] = {
    {"fasta_residues", [](const Path& path) { return fasta_sizes(path).residues; }},
    {"fasta_records", [](const Path& path) { return fasta_sizes(path).records; }},
    {"fasta_shortest", [](const Path& path) { return fasta_sizes(path).shortest; }},
    {"hmm_states", hmm_states},
    {"lines", lines_of},
};

}  // namespace

double file_count(std::string_view name, const Path& path) {
  for (const auto& [known, count] : kCounts)
    if (known == name) return count(path);
  throw UsageError(fmt::format("there is no count of a file named {}", name));
}

SequenceReadOptions any_letters() {
  return {.alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ*-."};
}

}  // namespace gpuseq::bench
