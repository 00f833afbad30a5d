#include "runtime/cuda/kernel_resources.hpp"

#include <elf.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace gpuseq::cuda {
namespace {

/// The number directly before `phrase` in `line`: 24 in "Used 24 registers".
std::optional<int> number_before(std::string_view line, std::string_view phrase) {
  const std::size_t end = line.find(phrase);
  if (end == std::string_view::npos) return std::nullopt;
  std::size_t begin = end;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  int value = 0;
  const auto [stop, error] = std::from_chars(line.data() + begin, line.data() + end, value);
  if (error != std::errc{} || stop != line.data() + end) return std::nullopt;
  return value;
}

/// The word after `phrase`, in quotes or at the end of the line: the name of a function.
std::optional<std::string_view> name_after(std::string_view line, std::string_view phrase) {
  const std::size_t begin = line.find(phrase);
  if (begin == std::string_view::npos) return std::nullopt;
  line.remove_prefix(begin + phrase.size());
  if (line.starts_with('\'')) line.remove_prefix(1);
  return line.substr(0, line.find_first_of("' \r"));
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    lines.push_back(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(lines.back().size() + 1, text.size()));
  }
  return lines;
}

constexpr std::string_view kEntry = "Compiling entry function ";
constexpr std::string_view kProperties = "Function properties for ";

int spill_bytes(std::string_view log, std::string_view entry) {
  const std::vector<std::string_view> lines = lines_of(log);
  std::vector<std::string_view> other_entries;
  for (const std::string_view line : lines)
    if (const auto name = name_after(line, kEntry); name && *name != entry) other_entries.push_back(*name);
  int bytes = 0;
  bool counted = false;  // spills follow the function whose properties are listed
  for (const std::string_view line : lines) {
    if (const auto name = name_after(line, kProperties))
      counted = std::find(other_entries.begin(), other_entries.end(), *name) == other_entries.end();
    if (!counted) continue;
    bytes += number_before(line, " bytes spill stores").value_or(0);
    bytes += number_before(line, " bytes spill loads").value_or(0);
  }
  return bytes;
}

/// The sections of a cubin, a 64-bit ELF file. Parts beyond its end are empty.
class Sections {
 public:
  explicit Sections(std::string_view file) : file_(file) {
    const auto header = at<Elf64_Ehdr>(0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return;
    for (std::uint64_t i = 0; i < header->e_shnum; ++i)
      if (const auto section = at<Elf64_Shdr>(header->e_shoff + i * sizeof(Elf64_Shdr)))
        sections_.push_back(*section);
    if (header->e_shstrndx < sections_.size()) names_ = bytes(sections_[header->e_shstrndx]);
  }

  const Elf64_Shdr* find(std::string_view name) const {
    for (const Elf64_Shdr& section : sections_)
      if (text(names_, section.sh_name) == name) return &section;
    return nullptr;
  }
  std::string_view bytes(const Elf64_Shdr& section) const {
    if (section.sh_type == SHT_NOBITS || section.sh_offset > file_.size()) return {};
    return file_.substr(section.sh_offset, section.sh_size);
  }
  /// The index of a name in the symbol table.
  std::optional<std::uint32_t> symbol(std::string_view name) const {
    const Elf64_Shdr* table = find(".symtab");
    if (table == nullptr || table->sh_link >= sections_.size()) return std::nullopt;
    const std::string_view names = bytes(sections_[table->sh_link]), symbols = bytes(*table);
    for (std::uint32_t i = 0; (i + 1) * sizeof(Elf64_Sym) <= symbols.size(); ++i) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, symbols.data() + i * sizeof(symbol), sizeof(symbol));
      if (text(names, symbol.st_name) == name) return i;
    }
    return std::nullopt;
  }

 private:
  template <typename T>
  std::optional<T> at(std::uint64_t offset) const {
    T value;
    if (offset > file_.size() || file_.size() - offset < sizeof(T)) return std::nullopt;
    std::memcpy(&value, file_.data() + offset, sizeof(T));
    return value;
  }
  static std::string_view text(std::string_view table, std::uint64_t begin) {
    if (begin >= table.size()) return {};
    return table.substr(begin, table.find('\0', begin) - begin);
  }

  std::string_view file_, names_;
  std::vector<Elf64_Shdr> sections_;
};

/// Attributes of ".nv.info": one byte each for the format and the attribute; format 4 has a 16-bit size and
/// that many bytes, here the function's symbol and a number (cuobjdump -elf names them EIATTR_...).
constexpr unsigned char kSized = 0x04, kMinStackSize = 0x12, kRegisterCount = 0x2f;

/// From sm_90 on the driver reserves this much of a block's shared memory, and the cubin adds
/// it to the kernel's.
constexpr int kReservedShared = 1024;

std::uint32_t word_at(std::string_view bytes, std::size_t offset) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + offset, sizeof(word));
  return word;
}

Resources of_cubin(const Sections& cubin, std::string_view entry) {
  Resources found;
  const Elf64_Shdr* info = cubin.find(".nv.info");
  const std::optional<std::uint32_t> symbol = cubin.symbol(entry);
  if (info == nullptr || !symbol) return found;
  for (std::string_view left = cubin.bytes(*info); left.size() >= 4;) {
    const auto format = static_cast<unsigned char>(left[0]), attribute = static_cast<unsigned char>(left[1]);
    const std::size_t size = format == kSized ? word_at(left, 0) >> 16 : 0;
    if (left.size() < 4 + size) break;
    if (size >= 8 && word_at(left, 4) == *symbol) {
      const auto number = static_cast<int>(word_at(left, 8));
      if (attribute == kRegisterCount) found.registers_per_thread = number;
      if (attribute == kMinStackSize) found.local_bytes = number;
    }
    left.remove_prefix(4 + size);
  }
  if (const Elf64_Shdr* shared = cubin.find(".nv.shared." + std::string(entry)))
    found.shared_bytes = static_cast<int>(shared->sh_size);
  if (cubin.find(".nv.shared.reserved.0") != nullptr && found.shared_bytes >= kReservedShared)
    found.shared_bytes -= kReservedShared;
  return found;
}

}  // namespace

Resources kernel_resources(std::string_view cubin, std::string_view log, std::string_view entry) {
  Resources found = of_cubin(Sections(cubin), entry);
  if (found.registers_per_thread > 0) found.spill_bytes = spill_bytes(log, entry);
  return found;
}

}  // namespace gpuseq::cuda
