#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <string>

#include "kernels/pairwise_distance/data/instance_files.hpp"
#include "kernels/pairwise_distance/data/plink.hpp"
#include "runtime/io/atomic_file.hpp"

namespace gpuseq::pairwise_distance {
namespace {

/// Opens a file, calls `write` and reports failures.
template <typename Write>
void write_file(const std::filesystem::path& path, Write write) {
  std::ofstream file(path, std::ios::binary);
  if (!file) throw_unwritable(path, errno);
  write(file);
  file.close();
  if (!file) throw_unwritable(path, errno);
}

std::string quoted(const std::string& name) {
  if (name.find_first_of("\",;#\t\n ") == std::string::npos) return name;
  std::string text = "\"";
  for (const char letter : name) text += letter == '"' ? "\"\"" : std::string(1, letter);
  return text + '"';
}

/// A name as a blank-separated field: without blanks and control characters, which would split it or turn the
/// file's first bytes into those of gzip, and without a leading #, which would make the line a comment.
std::string as_field(std::string name) {
  std::ranges::replace_if(
      name, [](unsigned char letter) { return letter <= ' ' || letter == 0x7f; }, '_');
  if (name.starts_with('#')) name.front() = '_';
  return name.empty() ? "_" : name;
}

void write_bed(std::ostream& out, const Instances& instances) {
  out.write(reinterpret_cast<const char*>(kBedMagic.data()), kBedMagic.size());
  constexpr u64 kSnpsAtOnce = 64;  // a cache line of every sample
  const u64 bytes = bed_snp_bytes(instances.count);
  for (u64 first = 0; first < instances.attributes; first += kSnpsAtOnce) {
    const u64 snps = std::min(kSnpsAtOnce, instances.attributes - first);
    std::string block(snps * bytes, '\0');
    for (u64 i = 0; i < instances.count; ++i)
      for (u64 k = 0; k < snps; ++k) {
        const u8 genotype = instances.is_missing(i, first + k)
                                ? kBedMissing
                                : kBedOfCopies[instances.codes[i * instances.attributes + first + k]];
        char& byte = block[k * bytes + i / kBedGenotypesOfByte];
        byte = static_cast<char>(byte | genotype << (2 * (i % kBedGenotypesOfByte)));
      }
    out << block;
  }
}

}  // namespace

void write_csv(const std::filesystem::path& path, const Instances& instances) {
  write_file(path, [&](std::ostream& out) {
    std::string line = "name";
    for (u64 k = 0; k < instances.attributes; ++k) fmt::format_to(std::back_inserter(line), ",{}", k + 1);
    out << line << '\n';
    for (u64 i = 0; i < instances.count; ++i) {
      line = quoted(instances.names[i]);
      for (u64 k = 0; k < instances.attributes; ++k)
        if (instances.is_missing(i, k))
          line += ",NA";
        else if (instances.is_real())
          fmt::format_to(std::back_inserter(line), ",{}", instances.real_row(i)[k]);
        else
          fmt::format_to(std::back_inserter(line), ",{}", instances.codes[i * instances.attributes + k]);
      out << line << '\n';
    }
  });
}

void write_plink(const std::filesystem::path& bed, const Instances& instances) {
  const auto beside = [&](const char* extension) {
    return std::filesystem::path(bed).replace_extension(extension);
  };
  write_file(bed, [&](std::ostream& out) { write_bed(out, instances); });
  write_file(beside(".bim"), [&](std::ostream& out) {
    for (u64 k = 0; k < instances.attributes; ++k) out << fmt::format("1\ts{0}\t0\t{0}\tA\tG\n", k + 1);
  });
  write_file(beside(".fam"), [&](std::ostream& out) {
    for (const std::string& name : instances.names) out << fmt::format("{0} {0} 0 0 0 -9\n", as_field(name));
  });
}

void write_numbered_samples(const std::filesystem::path& fam, u64 count) {
  write_file(fam, [&](std::ostream& out) {
    for (u64 i = 1; i <= count; ++i) out << fmt::format("{0} {0} 0 0 0 -9\n", i);
  });
}

}  // namespace gpuseq::pairwise_distance
