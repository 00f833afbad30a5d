#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gpuseq::bench {

using TextRows = std::vector<std::vector<std::string>>;

/// Rows of a text_table() that would be wider than `width`, with the cells of some columns broken into lines
/// behind commas and spaces until the table fits, or none of these columns can be narrower: a row becomes as
/// many as its highest cell has lines. @param wrapping  indices of those columns
TextRows wrapped_rows(const TextRows& rows, const std::vector<std::size_t>& wrapping, std::size_t width);

/// A text broken between words into lines of at most `width` characters, those behind the first indented; so
/// is the first one, by its caller.
std::string wrapped_text(const std::string& text, std::size_t width, std::size_t indent);

}  // namespace gpuseq::bench
