#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/cuda/device/host_device.cuh"
#include "runtime/io/byte_source.hpp"

namespace gpuseq::profile_hmm {

/// The non-empty lines of a model file, split into words. '#' at the start of a word begins a comment. A
/// missing or unexpected word is a UsageError with the file and the line.
class ModelWords {
 public:
  explicit ModelWords(const std::filesystem::path& path) : path_(path.string()), lines_(path) {}

  /// The next line with a word on it; false at the end.
  bool next_line();
  void expect_line(std::string_view what);
  std::size_t number_of_line() const { return lines_.number(); }
  /// Counts the memory of the data that is kept.
  GrowingMemory& memory() { return lines_.memory(); }

  /// The next word of the line, valid until the next line.
  std::optional<std::string_view> word();
  std::string_view expect_word(std::string_view what);
  /// Takes the next word if it is `expected`; returns whether it is.
  bool take_word(std::string_view expected);
  void expect_rest(std::string_view tag) const;
  double number(std::string_view what);
  double positive_number(std::string_view what);
  /// A whole number of at least 1.
  i64 count(std::string_view what, i64 most);
  bool yes_or_no(std::string_view what);
  /// exp(-x) of the next word x, or 0 for '*', in HMMER's precision.
  /// @param i, n  it is number i, from 0, of n `what`
  float probability(std::size_t i, std::size_t n, std::string_view what);

  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::string path_;
  LineReader lines_;
  std::string line_;
  std::size_t at_ = 0;
};

/// A file's text for a message: printable letters, limited in length.
std::string shown(std::string_view text);
/// Whether texts are equal except for upper and lower case.
bool same_letters(std::string_view a, std::string_view b);

}  // namespace gpuseq::profile_hmm
