#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "runtime/io/file_descriptor.hpp"

// Files that are trusted because no other user can have created or changed them, such as caches. A checksum
// only detects damage.

namespace gpuseq {

/// Creates a folder and its missing parents, of mode 0700.
/// @returns why it cannot be used, with the path and the remedy; empty: it belongs to the caller (or is the
/// caller's symbolic link to such a folder), and neither its group nor others may write to it
std::string make_private_folder(const std::filesystem::path& folder);
/// Like make_private_folder(), but creates nothing and accepts a missing folder.
std::string why_not_private(const std::filesystem::path& folder);

/// Opens for reading. Does not block, and does not follow a symbolic link as the last component.
/// @param refusal  receives the reason, with the path, if an existing file cannot be used: the file or its
/// folder does not belong to the caller or is writable by group or others; or it is not a regular file
/// @returns no descriptor for a missing or a rejected file
FileDescriptor open_private_file(const std::filesystem::path& path, std::string& refusal);
/// The whole content of such a file.
std::optional<std::string> read_private_file(const std::filesystem::path& path, std::string& refusal);

/// Writes a whole file of mode 0600, and creates its folder if necessary: readers see the old content or the
/// new. Not flushed: after a power loss it may have to be computed again.
/// @returns why it could not be written, with the path; empty on success
std::string write_private_file(const std::filesystem::path& path, std::span<const std::string_view> parts);

}  // namespace gpuseq
