#include "kernels/fm_index/data/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/contract/errors.hpp"
#include "runtime/io/sequence_reader.hpp"
#include "runtime/system/host_memory.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::fm_index {

namespace {

/// Appends the bases of a record, until the text has `most`.
void append_bases(Reference& result, const std::string& sequence, u64 most, GrowingMemory& memory) {
  const u64 before = result.text.size();
  const u64 wanted = std::min<u64>(most - before, sequence.size());
  memory.make_room(result.text, wanted);
  result.text.resize(before + wanted);
  u8* const text = result.text.data();
  u64 base = before;
  bool joined = false;  // to the base before it in the record
  // A record has no more bases than letters, so that the last wanted one is the last letter or the last base.
  for (u64 at = 0; at < sequence.size() && base < before + wanted; ++at) {
    const u8 code = kBaseCodes[static_cast<u8>(sequence[at])];
    if (code > 3) {
      ++result.left_out;
      joined = false;
      continue;
    }
    if (!joined) {
      memory.make_room(result.fragments, 1);
      result.fragments.push_back({base, result.records - 1, at});
      joined = true;
    }
    text[base++] = code;
  }
  result.text.resize(base);
}

}  // namespace

Reference read_reference(const std::filesystem::path& path, u64 bases) {
  SequenceReadOptions options;
  options.skip_empty_sequences = true;
  SequenceReader reader(path, options);
  Reference result;
  const u64 most = bases == 0 ? std::numeric_limits<u64>::max() : bases;
  for (Sequence record; result.text.size() < most && reader.next(record);) {
    ++result.records;
    reader.memory().make_room(result.names, 1);
    reader.memory().take(record.name.size());
    result.names.push_back(record.name);
    append_bases(result, record.sequence, most, reader.memory());
  }
  result.empty_records = reader.empty_records();
  if (result.text.empty())
    throw UsageError(fmt::format("{}: the reference has no base A, C, G or T", path.string()));
  if (result.text.size() < bases)
    throw UsageError(fmt::format("reference_bases: found {}, but {} has {} bases (0 takes all)", bases,
                                 path.string(), result.text.size()));
  return result;
}

Reference random_reference(u64 bases, u64 seed, ThreadPool& pool) {
  constexpr std::size_t kGrain = std::size_t{1} << 20;
  Reference result{.text = std::vector<u8>(bases),
                   .records = 1,
                   .left_out = 0,
                   .names = {"reference"},
                   .fragments = {{0, 0, 0}}};
  pool.parallel_for(bases, kGrain, [&](std::size_t begin, std::size_t end) {
    Random random(seed, begin);
    u64 bits = 0;
    for (std::size_t i = begin; i < end; ++i, bits >>= 2) {
      if ((i - begin) % 32 == 0) bits = random();
      result.text[i] = bits & 3;
    }
  });
  return result;
}

double Strains::most_words(u64 rows, u32 letters) const {
  const double mutated = 1 - std::pow(1 - mutations_per_1000 / 1000.0, letters);
  const auto strains = static_cast<double>(count);
  return static_cast<double>(rows) / strains * (1 + (strains - 1) * mutated);
}

void add_strains(Reference& reference, const Strains& strains, u64 seed, ThreadPool& pool) {
  if (strains.count <= 1) return;
  const u64 bases = reference.text.size(), further = (strains.count - 1) * bases;
  const std::size_t records = reference.names.size(), fragments = reference.fragments.size();
  require_host_memory(strains.count * (bases + fragments * sizeof(Fragment)),
                      fmt::format("{} strains of {} bases", strains.count, bases));
  reference.text.resize(bases + further);
  constexpr std::size_t kGrain = std::size_t{1} << 20;
  pool.parallel_for(further, kGrain, [&](std::size_t begin, std::size_t end) {
    Random random(seed, begin);
    for (std::size_t i = begin; i < end; ++i) {
      const u8 base = reference.text[i % bases];
      const bool mutated = random.below(1000) < strains.mutations_per_1000;
      reference.text[bases + i] = mutated ? (base + 1 + random.below(3)) & 3 : base;
    }
  });
  for (u64 strain = 1; strain < strains.count; ++strain) {
    for (std::size_t record = 0; record < records; ++record)
      reference.names.push_back(fmt::format("{}_strain{}", reference.names[record], strain + 1));
    for (std::size_t i = 0; i < fragments; ++i) {
      Fragment fragment = reference.fragments[i];
      fragment.text_begin += strain * bases;
      fragment.record += strain * records;
      reference.fragments.push_back(fragment);
    }
  }
  reference.records *= strains.count;
  reference.left_out *= strains.count;
}

}  // namespace gpuseq::fm_index
