#include <elf.h>

#include <cstring>

#include "runtime/cuda/cubin_cache.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/io/hash.hpp"
#include "tests/runtime/planted_files.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::cuda {
namespace {

namespace fs = std::filesystem;

/// The smallest file that has the form of a cubin: a header and one empty section.
std::string small_cubin() {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_machine = EM_CUDA;
  header.e_shoff = sizeof header;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 1;
  const Elf64_Shdr section{};
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) +
         std::string(reinterpret_cast<const char*>(&section), sizeof section);
}

class CubinCacheTest : public ::testing::Test {
 protected:
  Compiled compiled(std::string cubin) const {
    Compiled result{.cubin = std::move(cubin), .resources = {}, .log = "a log", .cache_problem = {}};
    result.resources.registers_per_thread = 40;
    result.resources.compiled_by = "nvrtc";
    return result;
  }
  /// Whether a kept cubin comes back.
  bool kept(const Compiled& given) {
    EXPECT_EQ(cache_.keep("key", given), "");
    const auto found = cache_.find("key", refusal_);
    EXPECT_EQ(refusal_, "");
    return found && found->cubin == given.cubin && found->log == given.log && found->resources.from_cache;
  }

  TemporaryFolder folder_;
  CubinCache cache_{folder_.path() / "cache"};
  std::string refusal_;
};

TEST_F(CubinCacheTest, GivesBackWhatHasTheFormOfACubin) {
  EXPECT_TRUE(kept(compiled(small_cubin())));
  EXPECT_FALSE(kept(compiled("")));
  EXPECT_FALSE(kept(compiled("\177ELF")));
  EXPECT_FALSE(kept(compiled(std::string(1000, 'x'))));
  for (const std::size_t size : {std::size_t{63}, std::size_t{64}, std::size_t{100}})
    EXPECT_FALSE(kept(compiled(small_cubin().substr(0, size)))) << size;
  for (const std::size_t field :
       {offsetof(Elf64_Ehdr, e_machine), offsetof(Elf64_Ehdr, e_shoff) + 7, offsetof(Elf64_Ehdr, e_shentsize),
        offsetof(Elf64_Ehdr, e_shnum) + 1, offsetof(Elf64_Ehdr, e_phnum)}) {
    std::string cubin = small_cubin();
    cubin[field] = '\x7f';
    EXPECT_FALSE(kept(compiled(cubin))) << field;
  }
  std::string cubin = small_cubin();
  cubin[sizeof(Elf64_Ehdr) + offsetof(Elf64_Shdr, sh_size) + 2] = 1;  // a section that goes beyond the end
  EXPECT_FALSE(kept(compiled(cubin)));
}

TEST_F(CubinCacheTest, TakesNoNumbersThatNoKernelHas) {
  for (int Resources::*field : {&Resources::registers_per_thread, &Resources::spill_bytes,
                                &Resources::local_bytes, &Resources::shared_bytes})
    for (const int value : {-1, 1 << 30}) {
      Compiled odd = compiled(small_cubin());
      odd.resources.*field = value;
      EXPECT_FALSE(kept(odd)) << value;
    }
}

TEST_F(CubinCacheTest, ReadsNothingThatAnotherUserMayHavePutThere) {
  gpuseq::testing::expect_refused(
      [&] {
        EXPECT_TRUE(kept(compiled(small_cubin())));
        return cache_.file_of("key");
      },
      [&] {
        std::string refusal;
        EXPECT_FALSE(cache_.find("key", refusal));
        return refusal;
      });
}

TEST_F(CubinCacheTest, SurvivesAnyChangeOfAFileOfItsOwn) {
  ASSERT_TRUE(kept(compiled(small_cubin())));
  const std::string good = read_file(cache_.file_of("key"));
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string damaged = good;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
    folder_.write("cache/" + cache_.file_of("key").filename().string(), damaged);
    EXPECT_FALSE(cache_.find("key", refusal_)) << at;
  }
}

}  // namespace
}  // namespace gpuseq::cuda
