#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "kernels/pairwise_distance/data/instances.hpp"
#include "runtime/io/byte_source.hpp"

namespace gpuseq::pairwise_distance {

/// Instances of a file, and whether their codes are numbers: differences of letters have no meaning.
struct ReadInstances {
  Instances instances;
  bool numeric = true;
  std::string_view format;  // "PLINK .bed", "FASTA", "CSV"
};

enum class Choice { automatic, yes, no };

/// Options for reading a file.
struct Reading {
  bool real = false;          // values are real numbers instead of codes
  bool pairs_at_once = true;  // rejects a file while it is read if all its distances exceed the host's memory
  Choice header = Choice::automatic;  // CSV: whether the first row is a header
  Choice names = Choice::automatic;   // CSV: whether the first column has names
};

/// Most lines with '#' of a file; more are rejected, as the file may be endless.
inline constexpr u64 kMostComments = 10'000'000;
[[noreturn]] void refuse_comments(const std::filesystem::path& path, std::size_t line);

/// Opens a file; returns its bytes from the begin on.
NextBytes bytes_of(const std::filesystem::path& path);

/// Reads instances from a file of one of three formats, gzip or plain: PLINK if the content begins with its
/// magic bytes or the name ends in .bed, FASTA if it begins with '>', otherwise CSV or TSV. A pipe is read
/// once. Only CSV and TSV have real values.
/// @throws UsageError with the file, the line or the byte, and the allowed values; DoesNotFit
ReadInstances read_instances(const std::filesystem::path& path, const Reading& how = {});

/// One row per instance: numbers from 0 to 255, or single symbols, which get codes in the order of their
/// bytes; or finite real values. The README defines separators, missing values, headers and names.
/// @throws UsageError like read_instances(), and if a first row may be a header or an instance, or a first
/// column names or values, and `how` does not decide it
ReadInstances read_csv(const std::filesystem::path& path, NextBytes bytes, const Reading& how);

/// Sequences of one length: each column is an attribute, each letter a symbol, without regard to case, with
/// codes in alphabetical order. '-', '.' and '?' are missing, and X, and N unless the file has letters that
/// are amino acids only. Ambiguous letters are separate symbols.
/// @throws UsageError like read_instances()
ReadInstances read_fasta(const std::filesystem::path& path, NextBytes bytes, const Reading& how);

/// PLINK's binary genotypes: instances are the samples of the .fam file, attributes the SNPs of the
/// .bim file, codes the number of copies of allele A1. Samples are named by their IID, or by FID_IID if
/// IIDs are not unique.
/// @throws UsageError like read_instances()
ReadInstances read_plink(const std::filesystem::path& bed, NextBytes bytes, const Reading& how);

/// Files that belong to a file of instances: .bim and .fam in the same folder as a .bed. A pipe, which can be
/// read only once, counts as .bed by its name alone.
std::vector<std::filesystem::path> files_beside(const std::filesystem::path& path);

/// Comma-separated values: a header ("name" and the attributes' numbers), then the name and the codes or real
/// values of each instance; NA is missing. @throws ResourceError if it cannot be written
void write_csv(const std::filesystem::path& path, const Instances& instances);

/// PLINK's binary genotypes, codes as copies of allele A1, with .bim and .fam in the same folder; blanks in
/// names become underscores. For an alphabet of up to 3 symbols.
/// @throws ResourceError if a file cannot be written
void write_plink(const std::filesystem::path& bed, const Instances& instances);

/// PLINK's .fam for `count` samples, named from 1. @throws like write_csv()
void write_numbered_samples(const std::filesystem::path& fam, u64 count);

}  // namespace gpuseq::pairwise_distance
