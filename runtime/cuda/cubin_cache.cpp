#include "runtime/cuda/cubin_cache.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>

#include "runtime/atomic_file.hpp"
#include "runtime/hash.hpp"

namespace gpuseq::cuda {
namespace {

// A file: the header, then the four parts in the order of `lengths`. Little-endian, as every CUDA host is.
constexpr std::array<char, 8> kMagic{'g', 'p', 'u', 's', 'e', 'q', 'c', 'b'};
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kParts = 4;  // key, resources as JSON, log, cubin

struct Header {
  std::array<char, 8> magic = kMagic;
  std::uint32_t version = kVersion;
  std::uint32_t parts = kParts;
  std::array<std::uint64_t, kParts> lengths{};
  std::uint64_t checksum = 0;  // of the lengths and the parts
};

std::uint64_t checksum(const Header& header, std::string_view parts) {
  return Hash().update(std::span<const std::uint64_t>(header.lengths)).update(parts).value();
}

std::string resources_text(const Resources& resources) {
  return nlohmann::json{{"registers_per_thread", resources.registers_per_thread},
                        {"spill_bytes", resources.spill_bytes},
                        {"local_bytes", resources.local_bytes},
                        {"shared_bytes", resources.shared_bytes},
                        {"compiled_by", resources.compiled_by}}
      .dump();
}

/// @throws nlohmann::json::exception
Resources resources_from_text(std::string_view text) {
  const nlohmann::json json = nlohmann::json::parse(text);
  Resources resources;
  resources.registers_per_thread = json.at("registers_per_thread").get<int>();
  resources.spill_bytes = json.at("spill_bytes").get<int>();
  resources.local_bytes = json.at("local_bytes").get<int>();
  resources.shared_bytes = json.at("shared_bytes").get<int>();
  resources.compiled_by = json.at("compiled_by").get<std::string>();
  return resources;
}

/// The parts of a file's content, or nullopt if it is not whole.
std::optional<std::array<std::string_view, kParts>> split(std::string_view content) {
  Header header;
  if (content.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, content.data(), sizeof header);
  if (header.magic != kMagic || header.version != kVersion || header.parts != kParts) return std::nullopt;
  content.remove_prefix(sizeof header);
  if (checksum(header, content) != header.checksum) return std::nullopt;
  std::array<std::string_view, kParts> parts;
  for (std::size_t i = 0; i < kParts; ++i) {
    if (header.lengths[i] > content.size()) return std::nullopt;
    parts[i] = content.substr(0, header.lengths[i]);
    content.remove_prefix(header.lengths[i]);
  }
  if (!content.empty()) return std::nullopt;
  return parts;
}

}  // namespace

std::filesystem::path CubinCache::file_of(std::string_view key) const {
  return folder_ / (hash_hex16(key) + ".cubin");
}

std::optional<Compiled> CubinCache::find(std::string_view key) const {
  if (folder_.empty()) return std::nullopt;
  std::ifstream in(file_of(key), std::ios::binary);
  if (!in) return std::nullopt;
  const std::string content{std::istreambuf_iterator<char>(in), {}};
  const auto parts = split(content);
  if (!parts) return std::nullopt;
  const auto& [stored_key, resources, log, cubin] = *parts;
  if (stored_key != key) return std::nullopt;
  try {
    Compiled compiled{.cubin = std::string(cubin),
                      .resources = resources_from_text(resources),
                      .log = std::string(log),
                      .cache_problem = {}};
    compiled.resources.from_cache = true;
    return compiled;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

std::string CubinCache::keep(std::string_view key, const Compiled& compiled) const {
  if (folder_.empty()) return {};
  const std::string resources = resources_text(compiled.resources);
  const std::array<std::string_view, kParts> parts{key, resources, compiled.log, compiled.cubin};
  std::string body;
  Header header;
  for (std::size_t i = 0; i < kParts; ++i) {
    header.lengths[i] = parts[i].size();
    body += parts[i];
  }
  header.checksum = checksum(header, body);
  body.insert(0, reinterpret_cast<const char*>(&header), sizeof header);
  try {
    std::filesystem::create_directories(folder_);
    // Losing an entry with the power costs one compilation: no need to wait for the disk.
    write_file_atomically(file_of(key), body, Durability::survives_crash_of_program);
    return {};
  } catch (const std::runtime_error& error) {  // ResourceError, filesystem_error
    return error.what();
  }
}

}  // namespace gpuseq::cuda
