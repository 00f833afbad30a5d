#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "kernels/pairwise_distance/data/instance_files.hpp"
#include "kernels/pairwise_distance/data/plink.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/byte_source.hpp"
#include "runtime/io/data_file.hpp"
#include "runtime/system/host_memory.hpp"

namespace gpuseq::pairwise_distance {
namespace {

namespace fs = std::filesystem;

/// The bytes of a file in pieces of requested sizes.
class Pieces {
 public:
  Pieces(const fs::path& path, NextBytes bytes) : path_(path), source_(std::move(bytes)) {}

  /// The next `bytes` bytes, fewer at the end of the file; valid until the next call.
  std::string_view next(u64 bytes) {
    piece_.clear();
    while (piece_.size() < bytes) {
      if (left_.empty()) left_ = source_();
      if (left_.empty()) break;
      const std::string_view part = left_.substr(0, bytes - piece_.size());
      piece_ += part;
      left_.remove_prefix(part.size());
    }
    offset_ += piece_.size();
    return piece_;
  }
  u64 offset() const { return offset_; }
  [[noreturn]] void fail(u64 byte, const std::string& what) const {
    throw UsageError(fmt::format("{}: byte {}: {}", path_.string(), byte, what));
  }

 private:
  fs::path path_;
  NextBytes source_;
  std::string_view left_;
  std::string piece_;
  u64 offset_ = 0;
};

/// Calls take(fields, memory) for the blank-separated fields of every line that is not empty and does not
/// begin with '#', like plink 1.9.
template <typename Take>
void read_table(const fs::path& path, std::size_t fewest, std::string_view allowed, Take take) {
  constexpr std::string_view kBlanks = " \t\r\v\f";
  LineReader lines(path);
  u64 comments = 0;
  std::vector<std::string_view> fields;
  for (std::string line; lines.next(line);) {
    const std::string_view text = line;
    fields.clear();
    for (std::size_t at = text.find_first_not_of(kBlanks); at != std::string_view::npos;) {
      const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
      fields.push_back(text.substr(at, end - at));
      at = text.find_first_not_of(kBlanks, end);
    }
    if (fields.empty()) continue;
    if (fields[0].starts_with('#')) {
      if (++comments > kMostComments) refuse_comments(path, lines.number());
      continue;
    }
    if (fields.size() < fewest)
      throw UsageError(fmt::format("{}:{}: found {} fields, allowed: {}", path.string(), lines.number(),
                                   fields.size(), allowed));
    take(fields, lines.memory());
  }
}

std::vector<std::string> read_samples(const fs::path& fam) {
  std::vector<std::string> individuals, both;
  read_table(fam, 6, "6 (FID, IID, father, mother, sex, phenotype)",
             [&](const auto& fields, GrowingMemory& memory) {
               if (individuals.empty() && fields[0] == "FID" && fields[1] == "IID")
                 throw UsageError(
                     fmt::format("{}: found the header FID IID as a sample, allowed: a header whose "
                                 "line begins with #",
                                 fam.string()));
               memory.make_room_in_each(individuals, both);
               memory.take(fields[0].size() + 2 * fields[1].size());
               individuals.emplace_back(fields[1]);
               both.push_back(fmt::format("{}_{}", fields[0], fields[1]));
             });
  const bool distinct =
      std::set<std::string_view>(individuals.begin(), individuals.end()).size() == individuals.size();
  return distinct ? individuals : both;
}

u64 count_snps(const fs::path& bim) {
  u64 snps = 0;
  read_table(bim, 5, "6 (chromosome, name, centimorgans, position, allele A1, allele A2)",
             [&](const auto&, GrowingMemory&) { ++snps; });
  return snps;
}

void check_magic(Pieces& bed) {
  const std::string_view magic = bed.next(kBedMagic.size());
  for (std::size_t i = 0; i < kBedMagic.size(); ++i) {
    if (i >= magic.size()) bed.fail(i, "the file ends, allowed: 6c 1b 01, then the genotypes of every SNP");
    if (static_cast<u8>(magic[i]) == kBedMagic[i]) continue;
    const bool by_samples = i == 2 && magic[i] == 0;
    bed.fail(i, fmt::format("found {:02x}{}, allowed: {:02x} (PLINK's binary genotypes begin with 6c 1b 01)",
                            static_cast<u8>(magic[i]), by_samples ? ", a file sample after sample" : "",
                            kBedMagic[i]));
  }
}

/// Genotypes of `snps` SNPs from `first` on, bytes as in the file.
void decode(std::string_view block, u64 first, u64 snps, Instances& instances) {
  constexpr std::array<u8, 4> kCopies{2, 0, 1,
                                      0};  // copies of allele A1, indexed by the two bits; 1 is missing
  const u64 bytes = bed_snp_bytes(instances.count);
  for (u64 i = 0; i < instances.count; ++i) {
    const u64 row = i * instances.attributes + first;
    for (u64 k = 0; k < snps; ++k) {
      const auto byte = static_cast<u8>(block[k * bytes + i / kBedGenotypesOfByte]);
      const u32 genotype = byte >> (2 * (i % kBedGenotypesOfByte)) & 3;
      instances.codes[row + k] = kCopies[genotype];
      if (genotype != kBedMissing) continue;
      if (!instances.has_missing()) instances.missing.resize(instances.codes.size());
      instances.missing[row + k] = 1;
    }
  }
}

/// Padding bits of an SNP's last byte must be 0.
void check_padding(const Pieces& bed, std::string_view block, u64 begin, u64 samples) {
  const u64 bytes = bed_snp_bytes(samples), used = samples % kBedGenotypesOfByte;
  if (used == 0) return;
  for (u64 at = bytes - 1; at < block.size(); at += bytes)
    if (const auto byte = static_cast<u8>(block[at]); byte >> (2 * used) != 0)
      bed.fail(
          begin + at,
          fmt::format("found {:02x}, a genotype behind that of the last of {} samples; allowed: a .fam with "
                      "the samples of the .bed, whose unused bits are 0",
                      byte, samples));
}

constexpr std::string_view kMagicStart = "\x6c\x1b";

bool is_plink_name(fs::path path) {
  if (path.extension() == ".gz") path.replace_extension();
  return path.extension() == ".bed";
}

/// The bytes with a removed start put back.
NextBytes put_back(std::string start, NextBytes rest) {
  return [start = std::move(start), rest = std::move(rest), given = false]() mutable -> std::string_view {
    if (given || start.empty()) return rest();
    given = true;
    return start;
  };
}

/// At least `least` bytes, or all.
std::string take_start(const NextBytes& bytes, std::size_t least) {
  std::string start;
  for (std::string_view more; start.size() < least && !(more = bytes()).empty();) start += more;
  return start;
}

}  // namespace

void refuse_comments(const fs::path& path, std::size_t line) {
  throw UsageError(fmt::format("{}:{}: found lines with # and nothing else, allowed: {} of them",
                               path.string(), line, kMostComments));
}

std::vector<fs::path> files_beside(const fs::path& path) {
  const bool is_plink =
      is_plink_name(path) || (is_file_to_open_again(path) &&
                              take_start(bytes_of(path), kMagicStart.size()).starts_with(kMagicStart));
  if (!is_plink) return {};
  return {file_beside(path, ".bim"), file_beside(path, ".fam")};
}

NextBytes bytes_of(const fs::path& path) {
  return [source = std::make_shared<ByteSource>(path)] { return source->next(); };
}

ReadInstances read_plink(const fs::path& path, NextBytes bytes, const Reading& how) {
  Pieces bed(path, std::move(bytes));
  check_magic(bed);
  Instances instances;
  instances.names = read_samples(file_beside(path, ".fam"));
  instances.count = instances.names.size();
  instances.attributes = count_snps(file_beside(path, ".bim"));
  if (instances.count == 0 || instances.attributes == 0)
    throw UsageError(fmt::format("{}: {} samples in .fam, {} SNPs in .bim, allowed: one or more",
                                 path.string(), instances.count, instances.attributes));
  if (how.pairs_at_once) require_pairs_fit(instances);
  require_host_memory(2 * instances.count * instances.attributes, "genotypes");
  instances.codes.resize(instances.count * instances.attributes);
  constexpr u64 kSnpsAtOnce = 64;  // a cache line of every sample
  const u64 snp_bytes = bed_snp_bytes(instances.count);
  const std::string shape = fmt::format("3 + {} SNPs x {} bytes, 2 bits for each of the {} samples",
                                        instances.attributes, snp_bytes, instances.count);
  for (u64 first = 0; first < instances.attributes; first += kSnpsAtOnce) {
    const u64 snps = std::min(kSnpsAtOnce, instances.attributes - first);
    const std::string_view block = bed.next(snps * snp_bytes);
    if (block.size() < snps * snp_bytes) bed.fail(bed.offset(), "the file ends, allowed: " + shape);
    check_padding(bed, block, bed.offset() - block.size(), instances.count);
    decode(block, first, snps, instances);
  }
  const u64 end = bed.offset();
  if (!bed.next(1).empty()) bed.fail(end, "the file goes on, allowed: " + shape);
  return {.instances = std::move(instances), .numeric = true, .format = "PLINK .bed"};
}

ReadInstances read_instances(const fs::path& path, const Reading& how) {
  NextBytes bytes = bytes_of(path);
  const std::string start = take_start(bytes, kMagicStart.size());
  bytes = put_back(start, std::move(bytes));
  const auto refuse_csv_only = [&](std::string_view format) {
    if (how.header != Choice::automatic || how.names != Choice::automatic)
      throw UsageError(
          fmt::format("{} is {}, allowed: header and names of CSV or TSV only", path.string(), format));
    if (how.real)
      throw UsageError(fmt::format("metric euclidean: {} is {}, allowed: CSV or TSV, whose values are real",
                                   path.string(), format));
  };
  if (is_plink_name(path) || start.starts_with(kMagicStart)) {
    refuse_csv_only("PLINK .bed");
    if (is_standard_input(path))
      throw UsageError(fmt::format(
          "{}: found PLINK .bed, which needs its .bim and .fam in the same folder; allowed: a file",
          path.string()));
    return read_plink(path, std::move(bytes), how);
  }
  const std::size_t first = start.find_first_not_of(" \t\r\n");
  const bool is_fasta = first != std::string::npos && start[first] == '>';
  if (!is_fasta) return read_csv(path, std::move(bytes), how);
  refuse_csv_only("FASTA");
  return read_fasta(path, std::move(bytes), how);
}

}  // namespace gpuseq::pairwise_distance
