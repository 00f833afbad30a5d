#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "runtime/io/file_descriptor.hpp"

// Files that are believed because no other user can have made or changed them: what lies in caches. A
// checksum tells damage, not who wrote a file.

namespace gpuseq {

/// Makes a folder and those above it that are missing, of mode 0700.
/// @returns why it cannot be used, with the path and the remedy; empty: it is the caller's (or a symbolic
/// link
///   of the caller to such) and neither its group nor others may write to it
std::string make_private_folder(const std::filesystem::path& folder);
/// The same of a folder that may be missing, which is no reason: nothing is made.
std::string why_not_private(const std::filesystem::path& folder);

/// Opens for reading. Waits for nothing, follows no symbolic link in the last place.
/// @param refusal  is set to why, with the path, where there is a file that cannot be used: it, or its
/// folder,
///   is not the caller's or may be written to by its group or others; or it is no regular file
/// @returns no descriptor where there is no file, and where there is one that is refused
FileDescriptor open_private_file(const std::filesystem::path& path, std::string& refusal);
/// The whole content of such a file.
std::optional<std::string> read_private_file(const std::filesystem::path& path, std::string& refusal);

/// Writes a whole file of mode 0600 whose folder is made if need be: readers see the old content or the new.
/// Not flushed: losing it with the power costs what it takes to make it again.
/// @returns why it could not be written, with the path; empty when it was
std::string write_private_file(const std::filesystem::path& path, std::span<const std::string_view> parts);

}  // namespace gpuseq
