#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "runtime/io/file_descriptor.hpp"

namespace gpuseq {

enum class Durability {
  survives_crash_of_program,  // renamed into place
  survives_loss_of_power,     // also flushed to the disk
};

/// Writes a whole file like StagedFile: readers see the old content or the new, never a part. The folder must
/// exist. Devices and pipes (/dev/stdout) are written in place.
/// @throws ResourceError with the path and the reason (full disk, no permission); the old
/// file is then unchanged
void write_file_atomically(const std::filesystem::path& path, std::string_view content,
                           Durability durability = Durability::survives_loss_of_power);
/// Writes the concatenation of parts.
void write_file_atomically(const std::filesystem::path& path, std::span<const std::string_view> parts,
                           Durability durability = Durability::survives_loss_of_power);

/// @param error  errno of the failed call
[[noreturn]] void throw_unwritable(const std::filesystem::path& path, int error);

/// Opens a regular file of this program for reading, not a pipe or a device, which may block or never end.
/// @throws UsageError with the path and the reason if it cannot be opened or is not a regular file
FileDescriptor open_regular_file(const std::filesystem::path& path);

/// The whole content of a file.
/// @throws UsageError like open_regular_file(), or if it cannot be read
std::string read_file(const std::filesystem::path& path);

}  // namespace gpuseq
