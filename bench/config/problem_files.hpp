#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bench/config/config.hpp"
#include "runtime/contract/point.hpp"
#include "runtime/folders/scratch_folder.hpp"

namespace gpuseq::bench {

/// Whether an axis of a problem has this name of a data entry.
bool is_named(const Point& problem, const std::string& name);

/// The words in the problems of a document's families: names of data entries, and other values.
std::set<std::string> named_words(const nlohmann::json& document);

/// The archive member of a data entry, as a file.
/// @param scratch  folder for unpacked files if there is no cache; created on demand
std::filesystem::path unpacked(const DataFile& entry, const SuiteConfig& config,
                               std::unique_ptr<ScratchFolder>& scratch);

/// "the data as it is now (/data/r.fa, /data/q.fa)", for messages: with the problem's files, if any.
std::string data_as_it_is(const Point& problem, const SuiteConfig& config);

/// Files of the data entries. Only the problem's members are unpacked from archives.
/// @param scratch  folder for unpacked files if there is no cache; created on demand
std::map<std::string, std::filesystem::path> files_for(const Point& problem, const SuiteConfig& config,
                                                       std::unique_ptr<ScratchFolder>& scratch);

/// The content of a data entry's files: for a .psq or a .bed file with its companion files, for an archive
/// the member.
struct DataContent {
  std::uint64_t bytes = 0;  // decompressed
  std::string hash;         // of the decompressed bytes, 16 hexadecimal digits
  std::string stamp;        // inode, size and times of the files: if unchanged, so is the content
};

/// By the name of the data entry.
using DataContents = std::map<std::string, DataContent>;

/// Reads the data files of the config's problems.
/// @throws UsageError naming a file that cannot be read
DataContents data_contents(const SuiteConfig& config);

/// `data` of run.json, and its inverse. @throws nlohmann::json::exception for malformed input
nlohmann::ordered_json data_json(const DataContents& contents, const SuiteConfig& config);
DataContents data_from_json(const nlohmann::json& data);

/// A line for each data entry whose files have changed: the file, and its old and new size and hash.
std::vector<std::string> changed_data(const SuiteConfig& config, const DataContents& before,
                                      const DataContents& now);

/// Watches the data of a run: files are read again only if their stamps have changed.
class DataWatch {
 public:
  /// @param begun  contents at the run's begin; empty: unknown, and no file is rejected
  DataWatch(const SuiteConfig& config, DataContents begun) : config_(&config), begun_(std::move(begun)) {}

  /// @throws UsageError naming a file of the problem that changed since the run began
  void check(const Point& problem);

 private:
  const SuiteConfig* config_;
  DataContents begun_;
};

}  // namespace gpuseq::bench
