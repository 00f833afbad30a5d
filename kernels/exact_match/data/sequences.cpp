#include "kernels/exact_match/data/sequences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <ostream>

#include "runtime/contract/errors.hpp"

namespace gpuseq::exact_match {
namespace {

template <u8 other>
constexpr std::array<u8, 256> make_codes() {
  std::array<u8, 256> codes{};
  for (int letter = 0; letter < 256; ++letter)
    codes[static_cast<std::size_t>(letter)] = base_code(static_cast<char>(letter), other);
  return codes;
}

constexpr std::array<u8, 256> kTextCodes = make_codes<kSeparator>();
constexpr std::array<u8, 256> kQueryCodes = make_codes<kNoBase>();

void append_codes(std::vector<u8>& to, std::string_view letters, const std::array<u8, 256>& codes) {
  const std::size_t start = to.size();
  to.resize(start + letters.size());
  std::transform(letters.begin(), letters.end(), to.begin() + static_cast<std::ptrdiff_t>(start),
                 [&](char letter) { return codes[static_cast<u8>(letter)]; });
}

/// Accounts for the memory of a record that is about to be appended.
template <typename Sequences>
void hold(GrowingMemory& memory, Sequences& sequences, std::vector<u8>& letters, const Sequence& record) {
  memory.make_room(letters, record.sequence.size() + 1);
  memory.make_room_in_each(sequences.names, sequences.begin);
  memory.take(record.name.size());
}

void write_record(std::ostream& out, const std::string& name, std::span<const u8> codes) {
  out << '>' << name << '\n' << letters_of(codes) << '\n';
}

}  // namespace

u32 Reference::sequence_at(u32 position) const {
  return static_cast<u32>(std::upper_bound(begin.begin(), begin.end(), position) - begin.begin() - 1);
}

Reference empty_reference() {
  return {.names = {}, .text = {kSeparator}, .begin = {1}, .others = 0};
}

void append(Reference& reference, std::string_view name, std::string_view letters) {
  if (reference.text.size() + letters.size() + 1 > kMostTextLetters)
    throw UsageError(fmt::format("the reference has more than {} letters, which is all that positions hold",
                                 kMostTextLetters));
  const auto start = static_cast<std::ptrdiff_t>(reference.text.size());
  append_codes(reference.text, letters, kTextCodes);
  reference.others +=
      static_cast<u64>(std::count(reference.text.begin() + start, reference.text.end(), kSeparator));
  reference.text.push_back(kSeparator);
  reference.names.emplace_back(name);
  reference.begin.push_back(static_cast<u32>(reference.text.size()));
}

Reference read_reference(const std::filesystem::path& path) {
  SequenceReadOptions options;
  options.skip_empty_sequences = true;
  SequenceReader reader(path, options);
  Reference reference = empty_reference();
  for (Sequence record; reader.next(record);) {
    hold(reader.memory(), reference, reference.text, record);
    try {
      append(reference, record.name, record.sequence);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}: record {} ({}), line {}: {}", path.string(), reference.count() + 1,
                                   record.name, record.line, error.what()));
    }
  }
  reference.empty_records = reader.empty_records();
  if (reference.letters() == reference.others)
    throw UsageError(fmt::format("{}: the reference has no base A, C, G or T", path.string()));
  return reference;
}

u64 Queries::count_empty() const {
  u64 empty = 0;
  for (u64 query = 0; query < count(); ++query) empty += length(query) == 0 ? 1 : 0;
  return empty;
}

Queries empty_queries() {
  return {.names = {}, .letters = {kNoBase}, .begin = {1}, .longest = 0};
}

void append(Queries& queries, std::string_view name, std::string_view letters) {
  append_codes(queries.letters, letters, kQueryCodes);
  queries.letters.push_back(kNoBase);
  queries.names.emplace_back(name);
  queries.begin.push_back(queries.letters.size());
  queries.longest = std::max<u64>(queries.longest, letters.size());
}

QueryReader::QueryReader(const std::filesystem::path& path) : QueryReader(path, SequenceReader(path)) {}

QueryReader::QueryReader(const std::filesystem::path& path, SequenceReader reader)
    : path_(path), reader_(std::move(reader)) {}

Queries QueryReader::next(u64 letters, u64 count) {
  constexpr u64 kMostQueryLetters = (u64{1} << 32) - 1;  // positions within a query have 32 bits
  Queries queries = empty_queries();
  while (queries.letters.size() <= letters && (count == 0 || queries.count() < count)) {
    if (!reader_.next(record_)) break;
    if (record_.sequence.size() >= kMostQueryLetters)
      throw UsageError(fmt::format("{}: record {} ({}), line {}: {} letters; allowed: fewer than {}",
                                   path_.string(), position().records, record_.name, record_.line,
                                   record_.sequence.size(), kMostQueryLetters));
    hold(reader_.memory(), queries, queries.letters, record_);
    append(queries, record_.name, record_.sequence);
  }
  return queries;
}

Queries read_queries(const std::filesystem::path& path, u64 count) {
  Queries queries = QueryReader(path).next(std::numeric_limits<u64>::max(), count);
  if (queries.count() < count)
    throw UsageError(fmt::format("query_count: found {}, but {} has {} queries (0 takes all)", count,
                                 path.string(), queries.count()));
  return queries;
}

void reverse_complement(std::span<const u8> from, std::span<u8> to) {
  std::transform(from.rbegin(), from.rend(), to.begin(),
                 [](u8 code) { return code < 4 ? static_cast<u8>(3 - code) : code; });
}

std::string letters_of(std::span<const u8> codes) {
  std::string letters(codes.size(), 'N');
  std::transform(codes.begin(), codes.end(), letters.begin(), [](u8 code) { return "ACGTNN"[code]; });
  return letters;
}

void write_fasta(std::ostream& out, const Reference& reference) {
  for (u32 i = 0; i < reference.count(); ++i)
    write_record(out, reference.names[i],
                 std::span(reference.text).subspan(reference.begin[i], reference.length(i)));
}

void write_fasta(std::ostream& out, const Queries& queries) {
  for (u64 i = 0; i < queries.count(); ++i) write_record(out, queries.names[i], queries.codes(i));
}

}  // namespace gpuseq::exact_match
