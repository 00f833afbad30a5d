#include <array>

#include "kernels/fm_index/data/bwt.hpp"
#include "kernels/fm_index/library/index_file.hpp"
#include "kernels/fm_index/psi_walk.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/system/random.hpp"
#include "tests/fuzz/section_files.hpp"

// Index files of exported libraries: refused with a message, or every search ends and reads nothing outside
// the index. An input is the number of a layout, then changes of a sound file, each a
// place in 16 bits and a number added to the byte there; or, with a number behind the
// layouts, a whole file. Checksums are right, so that the checks behind them are reached.

using namespace gpuseq;
using namespace fm_index;

namespace {

constexpr std::array<Layout, 6> kLayouts{{{.k = 2, .d = 64},
                                          {.kind = LayoutKind::alternate, .k = 2, .d = 64},
                                          {.kind = LayoutKind::one_hot, .k = 1, .d = 224},
                                          {.kind = LayoutKind::psi, .k = 3},
                                          {.kind = LayoutKind::psi_lines, .k = 3, .line_bytes = 16},
                                          {.kind = LayoutKind::psi_lines, .k = 2, .line_bytes = 32}}};
constexpr u32 kPrefixSymbols = 2, kQueryBases = 13;
constexpr fuzz::SectionFileShape kShape{.fields = 32, .sections = 3};

ThreadPool& pool() {
  static ThreadPool threads(1, false);
  return threads;
}

std::string sound_file(const Layout& layout) {
  Random random(5);
  std::vector<u8> text(300);
  for (u8& base : text) base = static_cast<u8>(random.below(4));
  Bwt bwt = bwt_of(text, sort_by_divsufsort(text), pool());
  derive_columns(bwt, layout.k, pool());
  const std::filesystem::path path = fuzz::folder().path() / "sound";
  write_index(path, build_index(bwt, layout, kPrefixSymbols, 1));
  return read_file(path);
}

/// An index in memory of just its size, which sanitizers watch.
struct Copy {
  explicit Copy(const IndexFile& file)
      : entries(file.entries().begin(), file.entries().end()),
        prefix(file.prefix().begin(), file.prefix().end()) {
    index.layout = file.layout();
    index.view = file.view();
    index.view.entries = reinterpret_cast<const u8*>(entries.data());
    index.view.prefix = prefix.data();
  }
  std::vector<std::byte> entries, prefix;
  Index index;
};

void search(const IndexFile& file) {
  const Copy copy(file);
  Random random(7);
  for (int i = 0; i < 60; ++i) {
    const std::array<u32, 4> packed{static_cast<u32>(random())};
    const u32 bases = static_cast<u32>(random.below(kQueryBases + 1));
    const Interval<u64> found = copy.index.layout.psi() ? PsiWalker(copy.index).search(packed.data(), bases)
                                                        : Walker(copy.index).search(packed.data(), bases);
    fuzz::require(found.l <= file.view().rows && found.h <= file.view().rows, "a row behind the last");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::array<std::string, kLayouts.size()> sound = [] {
    std::array<std::string, kLayouts.size()> files;
    for (std::size_t i = 0; i < files.size(); ++i) {
      files[i] = sound_file(kLayouts[i]);
      fuzz::require(fuzz::sealed_sections(files[i], kShape) == files[i], "the format has changed");
    }
    return files;
  }();
  if (size == 0) return 0;
  const std::size_t which = data[0] % kLayouts.size();
  const std::string_view rest = fuzz::text_of(data + 1, size - 1);
  const std::string content =
      data[0] < kLayouts.size() ? fuzz::changed_sections(sound[which], kShape, rest) : std::string(rest);
  const std::filesystem::path path = fuzz::folder().write("index", fuzz::sealed_sections(content, kShape));
  fuzz::accepts(path.string(), [&] {
    const IndexFile file(path, kLayouts[which], kPrefixSymbols);
    file.check_content(pool());
    search(file);
  });
  return 0;
}
