#include "runtime/cuda/cubin_cache.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>

#include "runtime/io/hash.hpp"
#include "runtime/io/private_file.hpp"

namespace gpuseq::cuda {
namespace {

// A file: the header, then the four parts in the order of `lengths`. Little-endian, like every CUDA host.
constexpr std::array<char, 8> kMagic{'g', 'p', 'u', 's', 'e', 'q', 'c', 'b'};
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kParts = 4;  // key, resources as JSON, log, cubin

struct Header {
  std::array<char, 8> magic = kMagic;
  std::uint32_t version = kVersion;
  std::uint32_t parts = kParts;
  std::array<std::uint64_t, kParts> lengths{};
  std::uint64_t checksum = 0;  // checksum of the lengths and the parts
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

/// Limits of all kernels on all devices: 255 registers per thread, 512 KiB of local memory, 1
/// MiB of shared memory.
bool possible(const Resources& resources) {
  const auto within = [](int value, int most) { return value >= 0 && value <= most; };
  return within(resources.registers_per_thread, 255) && within(resources.spill_bytes, 1 << 24) &&
         within(resources.local_bytes, 1 << 19) && within(resources.shared_bytes, 1 << 20);
}

/// Whether an ELF file's section and segment tables are inside it.
bool is_whole_elf(std::string_view cubin) {
  Elf64_Ehdr header;
  if (cubin.size() < sizeof header) return false;
  std::memcpy(&header, cubin.data(), sizeof header);
  const auto within = [&](std::uint64_t begin, std::uint64_t bytes) {
    return begin <= cubin.size() && bytes <= cubin.size() - begin;
  };
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_machine != EM_CUDA || header.e_shnum == 0 || header.e_shentsize != sizeof(Elf64_Shdr) ||
      (header.e_phnum != 0 && header.e_phentsize != sizeof(Elf64_Phdr)) ||
      !within(header.e_shoff, std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr)) ||
      !within(header.e_phoff, std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr)))
    return false;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, cubin.data() + header.e_shoff + i * sizeof section, sizeof section);
    if (section.sh_type != SHT_NOBITS && !within(section.sh_offset, section.sh_size)) return false;
  }
  return true;
}

/// The parts of a file's content, or nullopt if the file is incomplete.
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

std::optional<Compiled> CubinCache::find(std::string_view key, std::string& refusal) const {
  if (folder_.empty()) return std::nullopt;
  const std::optional<std::string> content = read_private_file(file_of(key), refusal);
  if (!content) return std::nullopt;
  const auto parts = split(*content);
  if (!parts) return std::nullopt;
  const auto& [stored_key, resources, log, cubin] = *parts;
  if (stored_key != key || !is_whole_elf(cubin)) return std::nullopt;
  try {
    Compiled compiled{.cubin = std::string(cubin),
                      .resources = resources_from_text(resources),
                      .log = std::string(log),
                      .cache_problem = {}};
    compiled.resources.from_cache = true;
    return possible(compiled.resources) ? std::optional(std::move(compiled)) : std::nullopt;
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
  return write_private_file(file_of(key), std::array<std::string_view, 1>{body});
}

}  // namespace gpuseq::cuda
