#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

#include "runtime/text/printable.hpp"

namespace gpuseq {

/// Text for say() that has line breaks, tabs and colours of our own. Names in it were made printable where
/// they were put in.
struct Lines {
  std::string_view text;
};

/// An argument as say() prints it: a text becomes one line without control characters.
template <typename T>
decltype(auto) said(const T& value) {
  if constexpr (std::is_same_v<T, Lines>)
    return printable(value.text, Keep::lines_and_colours);
  else if constexpr (std::is_convertible_v<const T&, std::string_view>)
    return printable(std::string_view(value));
  else
    return (value);
}

/// Prints to standard output or standard error, for people. Texts of files, names and arguments cannot act
/// there: no control character, line break or command of a log reader leaves this function, but for those in
/// `format` and Lines. A stream that takes no more (closed, a full disk, a reader that went away) is no
/// exception, for what is measured must not be lost with it: the stream remembers the failure, and the
/// program ends by telling of it.
template <typename... T>
void say(std::FILE* to, fmt::format_string<decltype(said(std::declval<const T&>()))...> format,
         const T&... args) {
  const std::string text = without_commands(fmt::format(format, said(args)...));
  std::fwrite(text.data(), 1, text.size(), to);
}

template <typename... T>
void say(fmt::format_string<decltype(said(std::declval<const T&>()))...> format, const T&... args) {
  say(stdout, format, args...);
}

}  // namespace gpuseq
