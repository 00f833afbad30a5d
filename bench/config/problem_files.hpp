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

/// Whether an axis of a problem is this name, of a data entry.
bool is_named(const Point& problem, const std::string& name);

/// The words in the problems of a document's families: names of data entries, and other values.
std::set<std::string> named_words(const nlohmann::json& document);

/// The member of an archive that a data entry names, as a file.
/// @param scratch  takes what is unpacked where nothing is cached; is made when it is needed
std::filesystem::path unpacked(const DataFile& entry, const SuiteConfig& config,
                               std::unique_ptr<ScratchFolder>& scratch);

/// "the data as it is now (/data/r.fa, /data/q.fa)", for messages: with the files that a problem names, if
/// any.
std::string data_as_it_is(const Point& problem, const SuiteConfig& config);

/// Files of the data entries. Of archives only what the problem names is unpacked.
/// @param scratch  takes what is unpacked where nothing is cached; is made when it is needed
std::map<std::string, std::filesystem::path> files_for(const Point& problem, const SuiteConfig& config,
                                                       std::unique_ptr<ScratchFolder>& scratch);

/// The content of a data entry's files: with a .psq or a .bed file those that belong to it, of an archive the
/// member.
struct DataContent {
  std::uint64_t bytes = 0;  // decompressed
  std::string hash;         // of the decompressed bytes, 16 hexadecimal digits
  std::string stamp;  // inode, size and times of the files: as long as it is the same, so is the content
};

/// By the name of the data entry.
using DataContents = std::map<std::string, DataContent>;

/// Reads the files of the data entries that problems of the config name.
/// @throws UsageError naming a file that cannot be read
DataContents data_contents(const SuiteConfig& config);

/// `data` of run.json, and back. @throws nlohmann::json::exception for anything else
nlohmann::ordered_json data_json(const DataContents& contents, const SuiteConfig& config);
DataContents data_from_json(const nlohmann::json& data);

/// A line for each data entry whose files hold something else now: the file, its size and hash before and
/// now.
std::vector<std::string> changed_data(const SuiteConfig& config, const DataContents& before,
                                      const DataContents& now);

/// The data of a run while it lasts: files are read again only where their stamps say that they were written
/// to.
class DataWatch {
 public:
  /// @param begun  as the run began; empty: nothing is known, and nothing is refused
  DataWatch(const SuiteConfig& config, DataContents begun) : config_(&config), begun_(std::move(begun)) {}

  /// @throws UsageError naming a file that a problem reads and that changed since the run began
  void check(const Point& problem);

 private:
  const SuiteConfig* config_;
  DataContents begun_;
};

}  // namespace gpuseq::bench
