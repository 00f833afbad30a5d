#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/cuda/device/host_device.cuh"
#include "tests/runtime/temporary_folder.hpp"

// Volumes of BLAST databases of version 4, byte by byte.

namespace gpuseq::profile_hmm::testing {

/// The element of ASN.1 BER with a length of its own, or one that its end marks.
inline std::string ber(u8 tag, const std::string& content, bool definite = true) {
  const std::string begin(1, static_cast<char>(tag));
  if (!definite) return begin + '\x80' + content + std::string(2, '\0');
  if (content.size() < 0x80) return begin + static_cast<char>(content.size()) + content;
  std::string length(2, '\0');
  length[0] = static_cast<char>(content.size() >> 8);
  length[1] = static_cast<char>(content.size() & 0xff);
  return begin + '\x82' + length + content;
}

/// A header whose sequence has an identifier (empty: an ordinal number as makeblastdb gives) and a title.
inline std::string blast_header(const std::string& title, const std::string& identifier = "",
                                bool definite = false) {
  const auto in = [definite](u8 tag, const std::string& content) { return ber(tag, content, definite); };
  const std::string ordinal =
      in(0xaa, in(0x30, in(0xa0, ber(0x1a, "BL_ORD_ID")) + in(0xa1, in(0xa0, ber(0x02, "\x07")))));
  const std::string line = (title.empty() ? "" : in(0xa0, ber(0x1a, title))) +
                           in(0xa1, in(0x30, identifier.empty() ? ordinal : identifier)) +
                           in(0xa2, ber(0x02, std::string(1, 0)));
  return in(0x30, in(0x30, line));
}

inline std::string big_endian(u32 value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xff);
  return bytes;
}

/// The three files of a volume: .phr and .psq have the data of each sequence.
struct BlastFiles {
  std::string pin, phr, psq;

  BlastFiles(const std::vector<std::string>& headers, const std::vector<std::string>& residues,
             u32 version = 4, u32 type = 1) {
    std::string header_places, residue_places;
    psq = std::string(1, '\0');
    u32 longest = 0;
    for (std::size_t i = 0; i < headers.size(); ++i) {
      header_places += big_endian(static_cast<u32>(phr.size()));
      residue_places += big_endian(static_cast<u32>(psq.size()));
      phr += headers[i];
      psq += residues[i] + '\0';
      longest = std::max(longest, static_cast<u32>(residues[i].size()));
    }
    header_places += big_endian(static_cast<u32>(phr.size()));
    residue_places += big_endian(static_cast<u32>(psq.size()));
    pin = big_endian(version) + big_endian(type) + big_endian(5) + "title" + big_endian(4) + "time" +
          big_endian(static_cast<u32>(headers.size())) + std::string(8, '\0') + big_endian(longest) +
          header_places + residue_places;
  }

  /// The path of the .psq file.
  std::filesystem::path write(const TemporaryFolder& folder) const {
    folder.write("volume.pin", pin);
    folder.write("volume.phr", phr);
    return folder.write("volume.psq", psq);
  }
};

}  // namespace gpuseq::profile_hmm::testing
