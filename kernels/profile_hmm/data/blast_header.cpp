#include "kernels/profile_hmm/data/blast_header.hpp"

#include <vector>

#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq::profile_hmm {
namespace {

constexpr char kInteger = 0x02, kVisibleString = 0x1a;
constexpr std::size_t kMostNested = 32;

/// Walks through BER elements and calls visit(path, content) for each primitive element; `path` has the tags
/// of the enclosing elements and its own. Lengths may be definite or indefinite.
class BerWalk {
 public:
  explicit BerWalk(std::string_view bytes) : bytes_(bytes) {}

  /// False if the bytes are malformed. Ignores bytes after the first element.
  template <typename Visit>
  bool run(Visit visit) {
    while (leave_ended(), at_ < bytes_.size()) {
      if (at_ > 0 && ends_.empty()) return true;
      if (at_ > limit()) return false;
      if (bytes_.substr(at_).starts_with(std::string_view("\0\0", 2)) && !ends_.empty()) {
        if (ends_.back() != kIndefinite) return false;
        at_ += 2;
        leave();
        continue;
      }
      if (!read_tag()) return false;
      if (is_constructed(path_.back())) {
        if (ends_.size() > kMostNested) return false;
        continue;
      }
      const std::size_t end = ends_.back();
      if (end == kIndefinite) return false;
      visit(std::string_view(path_), bytes_.substr(at_, end - at_));
      at_ = end;
      leave();
    }
    return ends_.empty();
  }

 private:
  static constexpr std::size_t kIndefinite = ~std::size_t{0};
  static bool is_constructed(char tag) { return (tag & 0x20) != 0; }

  void leave() {
    ends_.pop_back();
    path_.pop_back();
  }
  void leave_ended() {
    while (!ends_.empty() && ends_.back() == at_) leave();
  }

  /// Enters an element: puts its tag on the path and computes its end.
  bool read_tag() {
    if (bytes_.size() - at_ < 2) return false;
    path_ += bytes_[at_++];
    std::size_t length = static_cast<u8>(bytes_[at_++]);
    if (length == 0x80) {
      ends_.push_back(kIndefinite);
      return true;
    }
    if (length > 0x80) {
      std::size_t digits = length & 0x7f;
      if (digits > 4 || digits > bytes_.size() - at_) return false;
      for (length = 0; digits > 0; --digits) length = length << 8 | static_cast<u8>(bytes_[at_++]);
    }
    if (at_ > limit() || length > limit() - at_) return false;
    ends_.push_back(at_ + length);
    return true;
  }

  /// The end of the innermost element of definite length.
  std::size_t limit() const {
    for (std::size_t i = ends_.size(); i > 0; --i)
      if (ends_[i - 1] != kIndefinite) return ends_[i - 1];
    return bytes_.size();
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::string path_;
  std::vector<std::size_t> ends_;  // ends of the elements of the path
};

/// Possible names of a sequence, from its first definition line.
struct Names {
  std::string_view name, accession, local, title;
  std::string number;
};

std::string decimal(std::string_view bytes) {
  u64 value = 0;
  for (const char byte : bytes.substr(0, 8)) value = value << 8 | static_cast<u8>(byte);
  return std::to_string(value);
}

/// Sequence identifiers with a name [0] and an accession [1]: GenBank, EMBL, PIR, Swiss-Prot, others, DDBJ,
/// PRF, TPG, TPE, TPD, gpipe, named annotation track.
bool is_text_identifier(u8 tag) {
  return (tag >= 0xa4 && tag <= 0xa7) || tag == 0xa9 || tag == 0xac || tag == 0xad ||
         (tag >= 0xaf && tag <= 0xb3);
}

void take(std::string_view path, std::string_view content, Names& names) {
  const auto set = [content](std::string_view& name) {
    if (name.empty()) name = content;
  };
  const auto tag = [path](std::size_t level) { return static_cast<u8>(path[level]); };
  const char type = path.back();
  const bool is_text = type == kVisibleString;
  if (path.size() < 4 || tag(0) != 0x30 || tag(1) != 0x30) return;
  if (path.size() == 4 && tag(2) == 0xa0 && is_text) set(names.title);
  if (path.size() < 7 || tag(2) != 0xa1 || tag(3) != 0x30) return;
  const u8 kind = tag(4), field = path.size() == 7 ? tag(5) : path.size() == 8 && tag(5) == 0x30 ? tag(6) : 0;
  if (path.size() == 8 && is_text_identifier(kind) && is_text) {
    if (field == 0xa0) set(names.name);
    if (field == 0xa1) set(names.accession);
  }
  if (path.size() == 8 && kind == 0xae && field == 0xa0 && is_text) set(names.local);  // PDB
  if (path.size() == 7 && kind == 0xa0) {
    if (field == 0xa1 && is_text) set(names.local);
    if (field == 0xa0 && type == kInteger && names.number.empty()) names.number = decimal(content);
  }
}

}  // namespace

std::optional<std::string> name_of_blast_header(std::string_view header) {
  Names names;
  const auto visit = [&](std::string_view path, std::string_view content) { take(path, content, names); };
  if (!BerWalk(header).run(visit)) return std::nullopt;
  std::string_view found = names.title.substr(0, names.title.find_first_of(" \t\r\n\v\f"));
  for (const std::string_view name :
       {std::string_view(names.number), names.local, names.accession, names.name})
    if (!name.empty()) found = name;
  std::string name(found);
  for (char& letter : name)
    if (static_cast<u8>(letter) <= 0x20 || letter == 0x7f) letter = '_';
  return name;
}

}  // namespace gpuseq::profile_hmm
