#include "bench/config/problem_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <iterator>

#include "runtime/contract/errors.hpp"
#include "runtime/io/archive_member.hpp"
#include "runtime/io/byte_source.hpp"
#include "runtime/io/data_file.hpp"
#include "runtime/io/hash.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

/// The files of a data entry that a family reads. An archive counts as one file.
std::vector<fs::path> files_of(const DataFile& entry) {
  std::vector<fs::path> files{entry.path};
  if (!entry.member.empty()) return files;
  std::ranges::copy(companions_of(entry.path), std::back_inserter(files));
  return files;
}

std::string stamp_of(const DataFile& entry) {
  std::string stamp;
  for (const fs::path& file : files_of(entry)) {
    struct stat about {};
    if (stat(file.c_str(), &about) != 0) throw UsageError(fmt::format("cannot read {}", file.string()));
    stamp += fmt::format("{}{}:{} {} {}.{:09} {}.{:09}", stamp.empty() ? "" : ", ", about.st_dev,
                         about.st_ino, about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec,
                         about.st_ctim.tv_sec, about.st_ctim.tv_nsec);
  }
  return stamp;
}

DataContent content_of(const DataFile& entry, const SuiteConfig& config) {
  std::unique_ptr<ScratchFolder> scratch;
  DataContent content{.bytes = 0, .hash = {}, .stamp = stamp_of(entry)};
  Hash hash;
  std::vector<fs::path> files = files_of(entry);
  if (!entry.member.empty()) files = {unpacked(entry, config, scratch)};
  for (const fs::path& file : files) {
    std::uint64_t bytes = 0;
    ByteSource source(file);
    for (std::string_view some = source.next(); !some.empty(); some = source.next()) {
      hash.update(some);
      bytes += some.size();
    }
    hash.update(fmt::format("\n{}\n", bytes));  // so that bytes moved between files change the hash
    content.bytes += bytes;
  }
  content.hash = hash.hex16();
  return content;
}

std::string changed_text(const DataFile& entry, const std::string& name, const DataContent& before,
                         const DataContent& now) {
  const std::string member = entry.member.empty() ? "" : ", member " + entry.member;
  std::vector<std::string> beside;
  for (const fs::path& file : files_of(entry))
    if (file != entry.path) beside.push_back(file.filename().string());
  return fmt::format(
      "{}{}{} (data entry \"{}\"): the run began with {} bytes of hash {}, now there are {} of hash {}",
      entry.path.string(), member, beside.empty() ? "" : fmt::format(" with {}", fmt::join(beside, ", ")),
      name, before.bytes, before.hash, now.bytes, now.hash);
}

}  // namespace

bool is_named(const Point& problem, const std::string& name) {
  return std::ranges::any_of(problem.values(),
                             [&](const auto& axis) { return axis.second == AxisValue(name); });
}

std::set<std::string> named_words(const json& document) {
  std::set<std::string> words;
  if (!document.is_object() || !document.contains("families")) return words;
  for (const auto& [family, given] : document["families"].items())
    for (const json& problem : given.is_object() ? given.value("problems", json::array()) : json::array())
      for (const auto& [axis, value] : problem.items())
        for (const json& one : value.is_array() ? value : json::array({value}))
          if (one.is_string()) words.insert(one.get<std::string>());
  return words;
}

std::string data_as_it_is(const Point& problem, const SuiteConfig& config) {
  std::vector<std::string> files;
  for (const auto& [name, file] : config.data)
    if (is_named(problem, name)) files.push_back(file.path.string());
  return "the data as it is now" + (files.empty() ? "" : fmt::format(" ({})", fmt::join(files, ", ")));
}

std::filesystem::path unpacked(const DataFile& entry, const SuiteConfig& config,
                               std::unique_ptr<ScratchFolder>& scratch) {
  if (config.cache_dir.empty() && !scratch)
    scratch = std::make_unique<ScratchFolder>(std::filesystem::path());
  return archive_member(entry.path, entry.member, scratch ? scratch->path() : config.cache_dir);
}

std::map<std::string, std::filesystem::path> files_for(const Point& problem, const SuiteConfig& config,
                                                       std::unique_ptr<ScratchFolder>& scratch) {
  std::map<std::string, std::filesystem::path> files;
  for (const auto& [name, file] : config.data)
    files[name] =
        file.member.empty() || !is_named(problem, name) ? file.path : unpacked(file, config, scratch);
  return files;
}

DataContents data_contents(const SuiteConfig& config) {
  DataContents contents;
  const std::set<std::string> named = named_words(config.document);
  for (const auto& [name, entry] : config.data)
    if (named.contains(name)) contents.emplace(name, content_of(entry, config));
  return contents;
}

ordered_json data_json(const DataContents& contents, const SuiteConfig& config) {
  ordered_json data = ordered_json::object();
  for (const auto& [name, content] : contents)
    data[name] = {{"path", config.data.at(name).path.string()},
                  {"bytes", content.bytes},
                  {"hash", content.hash},
                  {"stamp", content.stamp}};
  return data;
}

DataContents data_from_json(const json& data) {
  DataContents contents;
  for (const auto& [name, content] : data.items())
    contents[name] = {.bytes = content.at("bytes").get<std::uint64_t>(),
                      .hash = content.at("hash").get<std::string>(),
                      .stamp = content.value("stamp", "")};
  return contents;
}

std::vector<std::string> changed_data(const SuiteConfig& config, const DataContents& before,
                                      const DataContents& now) {
  std::vector<std::string> changed;
  for (const auto& [name, content] : now) {
    const auto begun = before.find(name);
    if (begun != before.end() && begun->second.hash != content.hash)
      changed.push_back(changed_text(config.data.at(name), name, begun->second, content));
  }
  return changed;
}

void DataWatch::check(const Point& problem) {
  for (auto& [name, begun] : begun_) {
    const auto entry = config_->data.find(name);
    if (entry == config_->data.end() || !is_named(problem, name)) continue;
    if (stamp_of(entry->second) == begun.stamp) continue;
    const DataContent now = content_of(entry->second, *config_);
    if (now.hash != begun.hash) throw UsageError(changed_text(entry->second, name, begun, now));
    begun.stamp = now.stamp;
  }
}

}  // namespace gpuseq::bench
