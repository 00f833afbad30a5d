#include "runtime/io/data_file.hpp"

#include <fmt/format.h>

#include "runtime/contract/errors.hpp"

namespace gpuseq {

const std::filesystem::path& data_file(const ProblemSpec& spec, const std::string& axis,
                                       std::string_view words) {
  const std::string& name = spec.point.word(axis);
  const auto file = spec.files.find(name);
  if (file != spec.files.end()) return file->second;
  std::string names;
  for (const auto& [known, path] : spec.files) names += ", " + known;
  throw UsageError(fmt::format("{}: found \"{}\", allowed: {}{}", axis, name, words, names));
}

std::filesystem::path file_beside(std::filesystem::path file, const char* extension) {
  if (file.extension() == ".gz") file.replace_extension();
  file.replace_extension(extension);
  std::filesystem::path packed = file;
  packed += ".gz";
  std::error_code error;
  return !std::filesystem::exists(file, error) && std::filesystem::exists(packed, error) ? packed : file;
}

std::vector<std::filesystem::path> companions_of(const std::filesystem::path& file) {
  const std::filesystem::path plain = file.extension() == ".gz" ? file.stem() : file;
  if (plain.extension() == ".bed") return {file_beside(file, ".bim"), file_beside(file, ".fam")};
  if (file.extension() != ".psq") return {};
  return {std::filesystem::path(file).replace_extension(".pin"),
          std::filesystem::path(file).replace_extension(".phr")};
}

}  // namespace gpuseq
