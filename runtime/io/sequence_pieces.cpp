#include "runtime/io/sequence_pieces.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "runtime/contract/errors.hpp"

namespace gpuseq {
namespace {

constexpr u64 kWindowBytes = u64{64} << 10;

/// The first character that is not a blank or a line end; nullopt if there is none.
std::optional<char> first_of(std::string_view text) {
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  return at == std::string_view::npos ? std::nullopt : std::optional(text[at]);
}

bool begins_records(char marker) {
  return marker == '>' || marker == '@';
}

struct Found {
  bool record;     // whether a record begins at `at`; else none begins before, and the
                   // search continues at `at`
  std::size_t at;  // at least 1
};

/// @param from  at least 1: the letter before it shows whether a line begins there
Found find_record(std::string_view text, std::size_t from, char marker) {
  for (std::size_t line = text.find('\n', from - 1); line != std::string_view::npos;
       line = text.find('\n', line)) {
    ++line;
    if (line >= text.size()) break;
    if (text[line] != marker) continue;
    if (marker != '@') return {true, line};
    std::size_t plus = text.find('\n', line);
    if (plus != std::string_view::npos) plus = text.find('\n', plus + 1);
    if (plus == std::string_view::npos || plus + 1 >= text.size()) return {false, line};
    if (text[plus + 1] == '+') return {true, line};
  }
  return {false, std::max(from, text.size())};
}

}  // namespace

SequencePieces::SequencePieces(const std::filesystem::path& path, u64 piece_bytes)
    : path_(path), piece_bytes_(std::max<u64>(piece_bytes, 1)), memory_("reading " + path.string()) {
  source_.emplace(path);
  if (source_->is_gzip() || !is_file_to_open_again(path)) return;
  FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!file || fstat(file.get(), &status) != 0) return;  // then it is read as a stream
  file_ = std::move(file);
  source_.reset();
  file_bytes_ = static_cast<u64>(status.st_size);
  std::array<char, kByteOrderMark.size()> start{};
  if (file_.read_all_at(0, start.data(), start.size()) &&
      kByteOrderMark == std::string_view(start.data(), start.size()))
    at_ = start.size();
}

void SequencePieces::read_at(u64 offset, char* to, u64 bytes) const {
  if (!file_.read_all_at(offset, to, bytes))
    throw UsageError(
        fmt::format("cannot read {}: it has fewer bytes than before, or reading fails", path_.string()));
}

std::optional<SequencePiece> SequencePieces::next() {
  return file_ ? next_plain() : next_stream();
}

std::optional<SequencePiece> SequencePieces::next_plain() {
  if (at_ >= file_bytes_ && number_ > 0) return std::nullopt;
  std::string window;
  for (u64 from = at_; !marker_ && from < file_bytes_;) {
    window.resize(std::min(kWindowBytes, file_bytes_ - from));
    read_at(from, window.data(), window.size());
    marker_ = first_of(window);
    from += window.size();
  }
  const u64 end = end_in_file();
  SequencePiece piece{.number = number_++, .offset = at_, .size = end - at_, .bytes = {}};
  at_ = end;
  return piece;
}

u64 SequencePieces::end_in_file() {
  constexpr u64 kStepBytes = u64{1} << 30;
  std::string window;
  u64 bytes = kWindowBytes, required = kStepBytes;
  u64 end = at_ + piece_bytes_;
  if (end < file_bytes_ && !begins_records(marker())) return end;  // the parser reports the error
  while (end < file_bytes_) {
    if (end - at_ > required) {
      require_host_memory(end - at_, "reading " + path_.string());
      required += kStepBytes;
    }
    window.resize(std::min(bytes, file_bytes_ - end + 1));
    read_at(end - 1, window.data(), window.size());
    const Found record = find_record(window, 1, marker());
    end += record.at - 1;
    if (record.record) return end;
    if (end - record.at + window.size() == file_bytes_) break;
    bytes = record.at == 1 ? 2 * bytes : kWindowBytes;  // the record is longer than the window
  }
  return file_bytes_;
}

/// Reads until `bytes` bytes after `held_from_` are available, or the source ends.
void SequencePieces::hold(u64 bytes) {
  while (!ended_ && held_.size() - held_from_ < bytes) {
    try {
      const std::string_view more = source_->next();
      ended_ = more.empty();
      memory_.append(held_, more);
    } catch (const UsageError&) {
      damage_ = std::current_exception();
      ended_ = true;
    }
  }
}

u64 SequencePieces::end_in_stream() {
  hold(piece_bytes_ + 1);
  for (u64 end = piece_bytes_; end < held().size();) {
    if (!marker_) marker_ = first_of(held());
    if (!marker_ || !begins_records(*marker_)) return end;  // the parser reports the error
    const Found record = find_record(held(), end, *marker_);
    end = record.at;
    if (record.record) return end;
    if (ended_) break;
    hold(end == held().size() ? end + 1 : 2 * held().size());  // the start of this record is searched again
  }
  if (!marker_) marker_ = first_of(held());
  return held().size();
}

std::optional<SequencePiece> SequencePieces::next_stream() {
  hold(1);
  if (held().empty() && damage_ == nullptr && number_ > 0) return std::nullopt;
  const u64 end = end_in_stream();
  SequencePiece piece{.number = number_++, .offset = at_, .size = end, .bytes = {}};
  memory_.append(piece.bytes, held().substr(0, end));
  held_from_ += end;
  at_ += end;
  if (2 * held_from_ >= held_.size()) {  // each byte is moved once, on average
    held_.erase(0, held_from_);
    held_from_ = 0;
  }
  if (ended_ && held().empty()) piece.damage = std::exchange(damage_, nullptr);
  return piece;
}

void SequencePieces::load(SequencePiece& piece) const {
  if (!piece.bytes.empty() || !file_) return;
  memory_.make_room(piece.bytes, piece.size);
  piece.bytes.resize(piece.size);
  read_at(piece.offset, piece.bytes.data(), piece.size);
}

}  // namespace gpuseq
