#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace gpuseq::comparison {

/// The text with U+FFFD for what is not UTF-8 (names of files may be anything), or no character at all in
/// XML (U+FFFE, U+FFFF).
inline std::string valid_utf8(std::string_view text) {
  using nlohmann::json;
  std::string valid =
      json::parse(json(std::string(text)).dump(-1, ' ', false, json::error_handler_t::replace))
          .get<std::string>();
  for (const char* no_character : {"\xef\xbf\xbe", "\xef\xbf\xbf"})
    for (std::size_t at = 0; (at = valid.find(no_character, at)) != std::string::npos;)
      valid.replace(at, 3, "\xef\xbf\xbd");
  return valid;
}

}  // namespace gpuseq::comparison
