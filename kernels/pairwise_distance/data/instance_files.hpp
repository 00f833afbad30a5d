#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "kernels/pairwise_distance/data/instances.hpp"
#include "runtime/io/byte_source.hpp"

namespace gpuseq::pairwise_distance {

/// Instances of a file, and whether their codes are numbers: differences of letters mean nothing.
struct ReadInstances {
  Instances instances;
  bool numeric = true;
  std::string_view format;  // "PLINK .bed", "FASTA", "CSV"
};

enum class Choice { automatic, yes, no };

/// How a file is read.
struct Reading {
  bool real = false;  // values are real numbers instead of codes
  bool pairs_at_once =
      true;  // what the host's memory does not hold all distances of is refused while it is read
  Choice header = Choice::automatic;  // of CSV: the first row is one
  Choice names = Choice::automatic;   // of CSV: the first column has them
};

/// Lines with '#' that a file may have; more are refused, as the file may have no end.
inline constexpr u64 kMostComments = 10'000'000;
[[noreturn]] void refuse_comments(const std::filesystem::path& path, std::size_t line);

/// What a file holds, from its begin on; opened here.
NextBytes bytes_of(const std::filesystem::path& path);

/// Reads instances from a file of any of the three formats, gzip or plain: PLINK's where the content begins
/// with its magic bytes or the name ends in .bed, FASTA where it begins with '>', CSV or TSV else. A pipe is
/// read once. Real values are those of CSV or TSV only.
/// @throws UsageError with the file, the line or the byte, and what is allowed; DoesNotFit
ReadInstances read_instances(const std::filesystem::path& path, const Reading& how = {});

/// A row for each instance: numbers from 0 to 255, or single symbols, which get codes in the order of their
/// bytes; or finite real values. The README says which fields separate, are missing, are a header or names.
/// @throws UsageError as read_instances() does, and where a first row may be a header or an instance, or a
///   first column names or values, and `how` does not say which
ReadInstances read_csv(const std::filesystem::path& path, NextBytes bytes, const Reading& how);

/// Sequences of one length: each column is an attribute, each letter a symbol, upper and lower case alike,
/// with codes in alphabetical order. '-', '.' and '?' are missing, so is X, and N unless the file has letters
/// that are amino acids only. Ambiguous letters are symbols of their own.
/// @throws UsageError as read_instances() does
ReadInstances read_fasta(const std::filesystem::path& path, NextBytes bytes, const Reading& how);

/// PLINK's binary genotypes: instances are the samples of the .fam file, attributes the SNPs of the .bim
/// file, codes copies of allele A1. Samples are named by their IID, or by FID_IID if two have the same.
/// @throws UsageError as read_instances() does
ReadInstances read_plink(const std::filesystem::path& bed, NextBytes bytes, const Reading& how);

/// Files that are read with one of instances: .bim and .fam beside a .bed. A pipe, which can be read once
/// only, is a .bed by its name alone.
std::vector<std::filesystem::path> files_beside(const std::filesystem::path& path);

/// Comma-separated values: a header ("name" and the attributes' numbers), then a name and the codes or real
/// values of each instance; NA is missing. @throws ResourceError if it cannot be written
void write_csv(const std::filesystem::path& path, const Instances& instances);

/// PLINK's binary genotypes, codes as copies of allele A1, with .bim and .fam beside it; blanks in names
/// become underscores. For an alphabet of up to 3 symbols.
/// @throws ResourceError if a file cannot be written
void write_plink(const std::filesystem::path& bed, const Instances& instances);

/// PLINK's .fam of so many samples, named from 1. @throws as write_csv()
void write_numbered_samples(const std::filesystem::path& fam, u64 count);

}  // namespace gpuseq::pairwise_distance
