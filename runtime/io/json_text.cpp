#include "runtime/io/json_text.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <set>
#include <vector>

#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/text/printable.hpp"

namespace gpuseq {
namespace {

using nlohmann::json;

std::string place(std::string_view text, std::size_t byte, const std::string& name) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n');
  const std::size_t column = before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1;
  return fmt::format("{}:{}:{}", name, line, column);
}

/// Position at which text is nested one level deeper than allowed. Brackets in strings do not count.
std::optional<std::size_t> byte_too_deep(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\') ++i;
    if (c == '"') in_string = !in_string;
    if (in_string) continue;
    if ((c == '[' || c == '{') && ++depth > kMostNesting) return i;
    if (c == ']' || c == '}') --depth;
  }
  return std::nullopt;
}

/// Finds information that the library lacks: the first duplicate key of an object, which it accepts silently,
/// and the position where it stopped, which its exception for a number lacks.
class Scan : public nlohmann::json_sax<json> {
 public:
  explicit Scan(std::string_view text) { json::sax_parse(text, this); }

  const std::string& doubled_key() const { return doubled_key_; }  // empty: none
  std::size_t stopped_at() const { return stopped_at_; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override {
    open_.emplace_back();
    return true;
  }
  bool key(string_t& key) override {
    if (!open_.back().insert(key).second && doubled_key_.empty()) doubled_key_ = key;
    return true;
  }
  bool end_object() override {
    open_.pop_back();
    return true;
  }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string& token, const json::exception&) override {
    stopped_at_ = position - std::min(position, token.size());
    return false;
  }

 private:
  std::vector<std::set<std::string>> open_;
  std::string doubled_key_;
  std::size_t stopped_at_ = 0;
};

[[noreturn]] void throw_number_out_of_range(std::string_view text, const std::string& name) {
  const std::size_t stop = Scan(text).stopped_at();
  const std::string_view left = text.substr(std::min(stop, text.size()));
  const std::size_t start = std::min(left.find_first_of("-0123456789"), left.size());
  const std::string_view number = left.substr(start, left.substr(start).find_first_not_of("+-.0123456789eE"));
  throw UsageError(fmt::format("{}: found {}; allowed: numbers up to 1.8e308",
                               place(text, stop + start, name), number.substr(0, 40)));
}

}  // namespace

bool nests_too_deep(std::string_view text) {
  return byte_too_deep(text).has_value();
}

std::string reason_of(const json::exception& error) {
  std::string_view what = error.what();
  if (const std::size_t end = what.find("] "); end != std::string_view::npos) what.remove_prefix(end + 2);
  if (what.starts_with("parse error"))
    if (const std::size_t colon = what.find(": "); colon != std::string_view::npos)
      what.remove_prefix(colon + 2);
  return std::string(what);
}

json parse_json(std::string_view as_written, const std::string& name, Texts texts) {
  std::string buffer;
  const std::string_view text = texts == Texts::printable ? printable_json(as_written, buffer) : as_written;
  if (const auto byte = byte_too_deep(text))
    throw UsageError(fmt::format("{}: nested more than {} deep", place(text, *byte, name), kMostNesting));
  json document;
  try {
    document = json::parse(text);  // without a callback, which searches a list at each object
  } catch (const json::parse_error& error) {
    const std::size_t byte = error.byte == 0 ? 0 : error.byte - 1;
    throw UsageError(fmt::format("{}: {}", place(text, byte, name), reason_of(error)));
  } catch (const json::out_of_range&) {
    throw_number_out_of_range(text, name);
  }
  if (const std::string doubled = Scan(text).doubled_key(); !doubled.empty())
    throw UsageError(fmt::format("{}: the key \"{}\" is given twice in one object", name, doubled));
  return document;
}

json read_json(const std::filesystem::path& path, Texts texts) {
  const std::string name = path.string();
  const auto refuse = [&](const std::string& why) {
    throw UsageError(fmt::format("cannot read {}: {}", name, why));
  };
  const FileDescriptor file = open_regular_file(path);
  struct stat status {};
  if (fstat(file.get(), &status) != 0) refuse(std::strerror(errno));
  const std::string too_long = fmt::format("it has more than {} MiB", kMostJsonBytes >> 20);
  if (static_cast<std::size_t>(status.st_size) > kMostJsonBytes) refuse(too_long);
  std::string text;
  std::array<char, 1 << 16> buffer;
  while (true) {  // reads to the end, as files of /proc report no size
    const ssize_t got = read(file.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(std::strerror(errno));
    if (got == 0) return parse_json(text, name, texts);
    text.append(buffer.data(), static_cast<std::size_t>(got));
    if (text.size() > kMostJsonBytes) refuse(too_long);
  }
}

}  // namespace gpuseq
