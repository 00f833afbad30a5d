#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "runtime/io/file_descriptor.hpp"

namespace gpuseq {

enum class Durability {
  survives_crash_of_program,  // renamed into place
  survives_loss_of_power,     // and flushed to the disk
};

/// Writes a whole file as StagedFile does: readers see the old content or the new, never a part. The folder
/// must exist. A device or a pipe (/dev/stdout) is written to and stays what it is.
/// @throws ResourceError with the path and the reason (full disk, no permission); the old file then stays
void write_file_atomically(const std::filesystem::path& path, std::string_view content,
                           Durability durability = Durability::survives_loss_of_power);
/// The same for parts that follow each other.
void write_file_atomically(const std::filesystem::path& path, std::span<const std::string_view> parts,
                           Durability durability = Durability::survives_loss_of_power);

/// @param error  errno of what failed
[[noreturn]] void throw_unwritable(const std::filesystem::path& path, int error);

/// Opens a file of our own for reading, never a pipe or a device, which may keep its reader waiting or never
/// end.
/// @throws UsageError with the path and the reason if it cannot be opened or is no regular file
FileDescriptor open_regular_file(const std::filesystem::path& path);

/// The whole content of a file.
/// @throws UsageError as open_regular_file(), or if it cannot be read
std::string read_file(const std::filesystem::path& path);

}  // namespace gpuseq
