#include "results/journal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <span>

#include "runtime/atomic_file.hpp"
#include "runtime/errors.hpp"

namespace gpuseq::results {

namespace fs = std::filesystem;

namespace {

fs::path marker_path(const fs::path& journal) {
  fs::path marker = journal;
  marker += ".in_flight";
  return marker;
}

}  // namespace

Journal::Journal(fs::path path) : file_(std::move(path), "journal") {}

void Journal::append(const Record& record) {
  const nlohmann::ordered_json line = to_json(record);
  file_.append(std::span(&line, 1));
}

void Journal::mark_in_flight(const std::string& key, const std::string& phase) const {
  const nlohmann::ordered_json marker{{"key", key}, {"phase", phase}};
  write_file_atomically(marker_path(path()),
                        marker.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n",
                        Durability::survives_crash_of_program);
}

void Journal::clear_in_flight() const {
  if (unlink(marker_path(path()).c_str()) != 0 && errno != ENOENT)
    throw ResourceError(
        fmt::format("cannot remove {}: {}", marker_path(path()).string(), std::strerror(errno)));
}

std::optional<InFlight> Journal::in_flight() const {
  std::string content;
  try {
    content = read_file(marker_path(path()));
  } catch (const UsageError&) {
    return std::nullopt;
  }
  const auto marker = nlohmann::json::parse(content, nullptr, /*allow_exceptions=*/false);
  if (!marker.is_object() || !marker.contains("key") || !marker["key"].is_string() ||
      !marker.contains("phase") || !marker["phase"].is_string())
    return std::nullopt;
  return InFlight{marker["key"], marker["phase"]};
}

std::vector<Record> Journal::load(const fs::path& path) {
  std::vector<Record> records;
  read_lines(path, [&](const nlohmann::json& json) { records.push_back(record_from_json(json)); });
  return records;
}

}  // namespace gpuseq::results
