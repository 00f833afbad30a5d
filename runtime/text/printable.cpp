#include "runtime/text/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace gpuseq {
namespace {

bool is_plain(char c) {
  return c >= ' ' && c <= '~';
}

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;  // 0: the text does not begin with valid UTF-8
};

/// The first character of a text that is not empty.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  char32_t code = lead & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return overlong || surrogate || code > 0x10ffff ? Character{} : Character{code, bytes};
}

/// Control characters, direction marks, separators, and the two code points that XML forbids.
bool is_unprintable(char32_t code) {
  const auto within = [&](char32_t first, char32_t last) { return code >= first && code <= last; };
  return code < 0x20 || within(0x7f, 0x9f) || code == 0x61c || within(0x200e, 0x200f) ||
         within(0x2028, 0x202e) || within(0x2066, 0x2069) || within(0xfffe, 0xffff);
}

void append_escape(std::string& out, char32_t code) {
  switch (code) {
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(code));
  }
}

constexpr std::size_t kLongestColour = 8;  // without its last letter: "\033[0;31m"

/// The length of the colour sequence at the start of a text, such as "\033[31m"; 0: there is none.
std::size_t colour_at(std::string_view text) {
  if (!text.starts_with("\033[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && end <= kLongestColour && text[end] == 'm' ? end + 1 : 0;
}

/// Whether an escape in JSON text encodes an unprintable character.
bool names_unprintable(std::string_view escape) {
  if (escape.size() < 2) return false;
  if (escape[1] != 'u') return std::string_view("bfnrt").find(escape[1]) != std::string_view::npos;
  unsigned code = 0;
  const std::string_view digits = escape.substr(2, 4);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  return error == std::errc() && digits.size() == 4 && end == digits.data() + 4 && is_unprintable(code);
}

/// The first piece of JSON text: its length, and whether printable_json() changes it. Blanks between values
/// are kept; the parser rejects them in strings.
struct Piece {
  std::size_t bytes;
  bool changes;
};
Piece first_piece(std::string_view text) {
  if (text.front() == '\\') return {std::min<std::size_t>(2, text.size()), names_unprintable(text)};
  const auto [code, bytes] = first_character(text);
  return {std::max<std::size_t>(bytes, 1), bytes > 0 && code >= ' ' && is_unprintable(code)};
}

/// Index of the first visible character of a line; programs skip blanks of all kinds, which are
/// not printable ASCII.
std::size_t first_visible(std::string_view line) {
  std::size_t at = 0;
  while (at < line.size()) {
    if (const std::size_t colour = colour_at(line.substr(at)); colour > 0)
      at += colour;
    else if (line[at] <= ' ' || line[at] > '~')  // char is signed: bytes beyond ASCII are negative
      ++at;
    else
      break;
  }
  return at;
}

/// Whether a text begins with "##vso[", "##teamcity[" or "##[".
bool is_command_at(std::string_view text) {
  const std::size_t end =
      text.starts_with("##")
          ? text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", 2)
          : std::string_view::npos;
  return end != std::string_view::npos && text[end] == '[';
}

void append_without_commands(std::string& out, std::string_view line) {
  const std::size_t visible = first_visible(line);
  if (line.substr(visible).starts_with("::")) {
    out.append(line.substr(0, visible)).append("\\u003a");
    line.remove_prefix(visible + 1);
  }
  for (std::size_t at; (at = line.find("##")) != std::string_view::npos;) {
    out.append(line.substr(0, at + 1));
    const bool command = is_command_at(line.substr(at));
    if (command) out += "\\u0023";
    line.remove_prefix(at + (command ? 2 : 1));
  }
  out.append(line);
}

}  // namespace

std::string printable(std::string_view text, Keep keep) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto plain = static_cast<std::size_t>(std::ranges::find_if_not(text, is_plain) - text.begin());
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) break;
    const auto [code, bytes] = first_character(text);
    const std::size_t colour = keep == Keep::lines_and_colours ? colour_at(text) : 0;
    const bool kept = keep != Keep::one_line && (code == '\n' || code == '\t') && bytes == 1;
    const std::size_t taken = std::max<std::size_t>({bytes, colour, 1});
    if (bytes == 0)
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(text.front()));
    else if (colour > 0 || kept || !is_unprintable(code))
      out.append(text.substr(0, taken));
    else
      append_escape(out, code);
    text.remove_prefix(taken);
  }
  return out;
}

bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, is_plain) || printable(text) == text;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = first_character(text).bytes;
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::string_view printable_json(std::string_view text, std::string& buffer) {
  std::string_view left = text;
  std::size_t kept = 0;  // bytes of `text` already in `buffer`
  buffer.clear();
  while (!left.empty()) {
    if (is_plain(left.front()) && left.front() != '\\') {
      left.remove_prefix(1);
      continue;
    }
    const auto [bytes, changes] = first_piece(left);
    const std::size_t at = text.size() - left.size();
    left.remove_prefix(bytes);
    if (!changes) continue;
    buffer.append(text.substr(kept, at - kept)).append("\\");
    if (text[at] == '\\')
      buffer.append(text.substr(at, bytes));
    else
      append_escape(buffer, first_character(text.substr(at)).code);
    kept = at + bytes;
  }
  if (kept == 0) return text;
  buffer.append(text.substr(kept));
  return buffer;
}

std::string without_commands(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    append_without_commands(out, text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

}  // namespace gpuseq
