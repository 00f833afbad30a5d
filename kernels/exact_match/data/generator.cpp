#include "kernels/exact_match/data/generator.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/contract/errors.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::exact_match {
namespace {

constexpr u64 kShortestRepeat = 50, kLongestRepeat = 2000;
constexpr u64 kRepeatBasesPerChange = 100;

char random_base(Random& random) {
  return "ACGT"[random() >> 62];
}

/// Overwrites pieces by copies of others, every second one reverse-complemented, until `wanted`
/// letters are copied.
void put_repeats(std::string& letters, u64 wanted, Random& random) {
  for (u64 done = 0; done < wanted && letters.size() > 1;) {
    const u64 length =
        std::min<u64>(kShortestRepeat + random.below(kLongestRepeat - kShortestRepeat), letters.size() / 2);
    const u64 from = random.below(letters.size() - length + 1);
    const u64 to = random.below(letters.size() - length + 1);
    std::string piece = letters.substr(from, length);
    if (random.below(2) == 1) {
      std::reverse(piece.begin(), piece.end());
      for (char& letter : piece) letter = "TGCA"[base_code(letter, 0)];
    }
    for (u64 i = 0; i < length / kRepeatBasesPerChange; ++i)
      piece[random.below(length)] = random_base(random);
    letters.replace(to, length, piece);
    done += std::max<u64>(length, 1);
  }
}

}  // namespace

Reference random_reference(const RandomReference& wanted) {
  if (wanted.bases + wanted.sequences + 1 > kMostTextLetters)
    throw UsageError(fmt::format("reference_bases: found {}, allowed: fewer than {}", wanted.bases,
                                 kMostTextLetters - wanted.sequences));
  Random random(wanted.seed);
  std::string letters(wanted.bases, 'A');
  for (char& letter : letters) letter = random_base(random);
  put_repeats(letters, wanted.bases / 100 * wanted.repeat_percent, random);
  Reference reference = empty_reference();
  reference.text.reserve(wanted.bases + wanted.sequences + 1);
  for (u64 i = 0; i < wanted.sequences; ++i) {
    const u64 begin = wanted.bases * i / wanted.sequences;
    const u64 end = wanted.bases * (i + 1) / wanted.sequences;
    append(reference, fmt::format("random{}", i + 1), std::string_view(letters).substr(begin, end - begin));
  }
  return reference;
}

Queries simulate_reads(const Reference& reference, const SimulatedReads& wanted) {
  std::vector<u64> places{0};  // for each sequence, the number of start positions in all sequences before it
  for (u32 i = 0; i < reference.count(); ++i)
    places.push_back(places.back() +
                     (reference.length(i) < wanted.bases ? 0 : reference.length(i) - wanted.bases + 1));
  if (places.back() == 0)
    throw UsageError(
        fmt::format("query_bases: found {}, but no sequence of the reference is as long", wanted.bases));
  Queries queries = empty_queries();
  queries.letters.reserve(wanted.count * (wanted.bases + 1) + 1);
  std::vector<u8> reverse(wanted.bases);
  for (u64 i = 0; i < wanted.count; ++i) {
    Random random(wanted.seed, i);
    const u64 place = random.below(places.back());
    const auto sequence = std::upper_bound(places.begin(), places.end(), place) - places.begin() - 1;
    const u64 at = reference.begin[static_cast<std::size_t>(sequence)] + place -
                   places[static_cast<std::size_t>(sequence)];
    std::span<const u8> codes = std::span(reference.text).subspan(at, wanted.bases);
    if (wanted.both_strands && random.below(2) == 1) {
      reverse_complement(codes, reverse);
      codes = reverse;
    }
    std::string letters = letters_of(codes);
    for (char& letter : letters)
      if (random.below(1000) < wanted.errors_per_1000)
        letter = "ACGT"[(base_code(letter, 0) + 1 + random.below(3)) % 4];
    append(queries, fmt::format("read{}", i + 1), letters);
  }
  return queries;
}

}  // namespace gpuseq::exact_match
