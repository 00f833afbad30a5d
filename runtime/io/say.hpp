#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

#include "runtime/text/printable.hpp"

namespace gpuseq {

/// Text for say() with intended line breaks, tabs and colours. Names in it were made printable before.
struct Lines {
  std::string_view text;
};

/// The form of an argument in say(): a text becomes one line without control characters.
template <typename T>
decltype(auto) said(const T& value) {
  if constexpr (std::is_same_v<T, Lines>)
    return printable(value.text, Keep::lines_and_colours);
  else if constexpr (std::is_convertible_v<const T&, std::string_view>)
    return printable(std::string_view(value));
  else
    return (value);
}

/// Prints to standard output or standard error. Texts of files, names and arguments are harmless: control
/// characters, line breaks and commands of log readers only come from `format` and Lines. A failing stream
/// (closed, a full disk, a reader that has exited) is not an exception, because measurements must not be
/// lost: the stream remembers the failure, and the program reports it at its end.
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
