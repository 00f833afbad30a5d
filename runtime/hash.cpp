#include "runtime/hash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace gpuseq {

namespace {

constexpr std::uint64_t kPrime1 = 0x9e3779b185ebca87u;
constexpr std::uint64_t kPrime2 = 0xc2b2ae3d27d4eb4fu;
constexpr std::uint64_t kPrime3 = 0x165667b19e3779f9u;
constexpr std::uint64_t kPrime4 = 0x85ebca77c2b2ae63u;
constexpr std::uint64_t kPrime5 = 0x27d4eb2f165667c5u;

static_assert(std::endian::native == std::endian::little, "words are read little-endian");

template <typename T>
T read(const std::byte* bytes) {
  T word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

std::uint64_t round(std::uint64_t lane, std::uint64_t word) {
  return std::rotl(lane + word * kPrime2, 31) * kPrime1;
}

}  // namespace

void Hash::stripe(const std::byte* bytes) {
  for (std::size_t i = 0; i < 4; ++i) lanes_[i] = round(lanes_[i], read<std::uint64_t>(bytes + 8 * i));
}

Hash& Hash::update(std::span<const std::byte> bytes) {
  const std::size_t held = total_bytes_ % rest_.size();
  total_bytes_ += bytes.size();
  if (held > 0) {
    const std::size_t taken = std::min(rest_.size() - held, bytes.size());
    std::copy_n(bytes.data(), taken, rest_.data() + held);
    bytes = bytes.subspan(taken);
    if (held + taken < rest_.size()) return *this;
    stripe(rest_.data());
  }
  for (; bytes.size() >= rest_.size(); bytes = bytes.subspan(rest_.size())) stripe(bytes.data());
  std::copy(bytes.begin(), bytes.end(), rest_.begin());
  return *this;
}

std::uint64_t Hash::value() const {
  std::uint64_t hash = kPrime5;
  if (total_bytes_ >= rest_.size()) {
    hash = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) +
           std::rotl(lanes_[3], 18);
    for (const std::uint64_t lane : lanes_) hash = (hash ^ round(0, lane)) * kPrime1 + kPrime4;
  }
  hash += total_bytes_;
  const std::byte* at = rest_.data();
  const std::byte* end = at + total_bytes_ % rest_.size();
  for (; end - at >= 8; at += 8)
    hash = std::rotl(hash ^ round(0, read<std::uint64_t>(at)), 27) * kPrime1 + kPrime4;
  if (end - at >= 4) {
    hash = std::rotl(hash ^ read<std::uint32_t>(at) * kPrime1, 23) * kPrime2 + kPrime3;
    at += 4;
  }
  for (; at < end; ++at) hash = std::rotl(hash ^ static_cast<std::uint64_t>(*at) * kPrime5, 11) * kPrime1;
  hash = (hash ^ hash >> 33) * kPrime2;
  hash = (hash ^ hash >> 29) * kPrime3;
  return hash ^ hash >> 32;
}

std::string Hash::hex16() const {
  return fmt::format("{:016x}", value());
}

std::string hash_hex16(std::string_view text) {
  return Hash().update(text).hex16();
}

}  // namespace gpuseq
