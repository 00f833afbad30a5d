#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>

#include "probes/instruction_operations.hpp"

// The CUDA operations, one per row. Pipes are those of sm_80 to sm_90; pairs show differences
// between architectures.

namespace gpuseq::probes {
namespace {

using Values = CudaOperation::Values;

constexpr const char* kAlu = "alu";
constexpr const char* kFma = "fma";
constexpr const char* kAluOrFma = "alu or fma";  // the compiler splits such operations over both
constexpr const char* kShared = "shared memory";
constexpr const char* kSpecial = "special function";
constexpr const char* kTensor = "tensor";
// 64 x 256 sums in 128 threads; the number of products per statement limits compile time.
constexpr u32 kWordsOfFourWarps = 128, kProductsAtOnce = 16;
constexpr const char* kSeveral = "several";  // instructions for more than one pipe

/// Applies kOf to every field of the three words, with fields of type T.
template <typename T, auto kOf>
u32 fields(const Values& v) {
  constexpr int kBits = 8 * sizeof(T);
  constexpr u32 kMask = static_cast<u32>((u64{1} << kBits) - 1);
  u32 result = 0;
  for (int at = 0; at < 32; at += kBits) {
    const auto field = [at](u32 word) { return static_cast<i64>(static_cast<T>(word >> at)); };
    result |= (static_cast<u32>(kOf(field(v.x), field(v.y), field(v.z))) & kMask) << at;
  }
  return result;
}

constexpr auto kAdd = [](i64 x, i64 y, i64) { return x + y; };
constexpr auto kMin = [](i64 x, i64 y, i64) { return std::min(x, y); };
constexpr auto kMax = [](i64 x, i64 y, i64) { return std::max(x, y); };
constexpr auto kMin3 = [](i64 x, i64 y, i64 z) { return std::min({x, y, z}); };
constexpr auto kAddMin = [](i64 x, i64 y, i64 z) { return std::min(x + y, z); };
constexpr auto kAddMinRelu = [](i64 x, i64 y, i64 z) { return std::max(std::min(x + y, z), i64{0}); };
constexpr auto kAddToByte = [](i64 x, i64 y, i64) { return std::min(x + y, i64{0xFF}); };
constexpr auto kAddToWord = [](i64 x, i64 y, i64) { return std::min(x + y, i64{0xFFFF}); };
constexpr auto kAddToSigned = [](i64 x, i64 y, i64) { return std::clamp(x + y, i64{-32768}, i64{32767}); };
constexpr auto kMultiplyAdd = [](i64 x, i64 y, i64 z) { return x * y + z; };
constexpr auto kMajority = [](i64 x, i64 y, i64 z) { return (x & y) | (x & z) | (y & z); };
constexpr auto kFunnel = [](i64 x, i64 y, i64 z) {
  return static_cast<i64>((static_cast<u64>(y) << 32 | static_cast<u64>(x)) << (z & 31) >> 32);
};
constexpr auto kSelect = [](i64 x, i64 y, i64 z) { return x < y ? x : z; };

/// The half-precision number as an integer from 1 to 2047, for which no sum here is rounded.
constexpr i64 integer_of_half(i64 half) {
  return (1024 + half % 1024) >> (10 - (half / 1024 - 15));
}
constexpr i64 half_of_integer(i64 value) {
  const auto exponent = static_cast<i64>(std::bit_width(static_cast<u64>(value))) - 1;
  return (exponent + 15) * 1024 + (value << (10 - exponent)) % 1024;
}
/// Both x + z and x * z + z for z = 1.
constexpr auto kHalfPlusOne = [](i64 x, i64, i64) { return half_of_integer(integer_of_half(x) + 1); };
u32 float_plus_one(const Values& v) {
  return std::bit_cast<u32>(std::bit_cast<float>(v.x) + std::bit_cast<float>(v.z));
}

u32 permuted_bytes(const Values& v) {
  const u64 bytes = v.x | static_cast<u64>(v.y) << 32;
  u32 result = 0;
  for (u32 i = 0; i < 4; ++i) result |= static_cast<u32>(bytes >> (v.z >> 4 * i & 7) * 8 & 0xFF) << 8 * i;
  return result;
}

u32 dot_product(const Values& v) {
  u32 sum = v.z;
  for (int at = 0; at < 32; at += 8)
    sum += static_cast<u32>(static_cast<signed char>(v.x >> at) * static_cast<signed char>(v.y >> at));
  return sum;
}

u32 sum_of_differences(const Values& v) {
  i64 sum = 0;
  for (int at = 0; at < 32; at += 8) sum += std::abs(i64{v.x >> at & 0xFF} - i64{v.y >> at & 0xFF});
  return static_cast<u32>(sum);
}

u32 set_bits(const Values& v) {
  return popcount32(v.x);
}
u32 of_partner(const Values& v) {
  return v.partner;
}
u32 loaded(const Values& v) {
  return next_place(v.x);
}
/// The amount that a product over `length` numbers of value 1 adds to each sum.
template <u32 length>
u32 plus_length(const Values& v) {
  return v.x + length;
}

/// A PTX instruction that changes x (%0) and reads the named operands (%1, %2).
std::string ptx(const std::string& instruction, const std::string& operands) {
  return "[&] { asm(\"" + instruction + "\" : \"+r\"(x) : " + operands + "); return x; }()";
}

std::vector<CudaOperation> integer_operations() {
  return {
      {{"viaddmin_s16x2", kAlu},
       "__viaddmin_s16x2(x, y, z)",
       {"VIADDMNMX.S16x2"},
       fields<std::int16_t, kAddMin>},
      {{"viaddmin_s16x2_relu", kAlu},
       "__viaddmin_s16x2_relu(x, y, z)",
       {"VIADDMNMX.S16x2.RELU"},
       fields<std::int16_t, kAddMinRelu>},
      {{"viaddmin_s32", kAlu}, "__viaddmin_s32(x, y, z)", {"VIADDMNMX"}, fields<i32, kAddMin>},
      {{"vimin3_s16x2", kAlu}, "__vimin3_s16x2(x, y, z)", {"VIMNMX3.S16x2"}, fields<std::int16_t, kMin3>},
      {{"vimin3_s32", kAlu}, "__vimin3_s32(x, y, z)", {"VIMNMX3"}, fields<i32, kMin3>},
      {{"min_s16x2", kAlu}, "__vmins2(x, y)", {"VIMNMX.S16x2"}, fields<std::int16_t, kMin>},
      {{"min_s32", kAlu}, "min(i32(x), i32(y))", {"VIMNMX"}, fields<i32, kMin>},
      {{"max_s32", kAlu}, "max(i32(x), i32(y))", {"VIMNMX"}, fields<i32, kMax>},
      {{"add_s16x2", kFma}, "__vadd2(x, y)", {"VIADD.16x2"}, fields<u16, kAdd>},
      {{"add_s32", kAluOrFma, true}, "x + y", {"IADD3", "IMAD.IADD"}, fields<u32, kAdd>},
      {{"imad", kFma}, "x * y + z", {"IMAD"}, fields<u32, kMultiplyAdd>},
      {{"dp4a", kFma}, "__dp4a(i32(x), i32(y), i32(z))", {"IDP.4A.S8.S8"}, dot_product},
      {{"prmt", kAlu}, "__byte_perm(x, y, z)", {"PRMT"}, permuted_bytes},
      {{"lop3", kAlu},
       ptx("lop3.b32 %0, %0, %1, %2, 0xE8;", "\"r\"(y), \"r\"(z)"),
       {"LOP3.LUT"},
       fields<u32, kMajority>},
      {{"shf", kAlu}, "__funnelshift_l(x, y, z)", {"SHF.L.W.U32.HI"}, fields<u32, kFunnel>},
      {{"sad_u8x4", kAlu}, "__vsadu4(x, y)", {"VABSDIFF4.U8.ACC"}, sum_of_differences},
      {{"popc", kSpecial}, "__popc(x)", {"POPC"}, set_bits},
      {{"select_s32", kSeveral},
       "i32(x) < i32(y) ? x : z",
       {"ISETP.GE.AND", "SEL"},
       fields<i32, kSelect>,
       Operands::words,
       8,
       2},
      {{"add_sat_s16x2", kSeveral},
       "__vaddss2(x, y)",
       {"VIADD.16x2", "LOP3.LUT", "PRMT"},
       fields<std::int16_t, kAddToSigned>,
       Operands::words,
       8,
       6},
      {{"add_sat_u16x2", kSeveral},
       "__vaddus2(x, y)",
       {"VIADD.16x2", "LOP3.LUT", "PRMT"},
       fields<u16, kAddToWord>,
       Operands::words,
       8,
       4},
      {{"add_sat_u8x4", kSeveral},
       "__vaddus4(x, y)",
       {"IMAD.IADD", "IADD3", "VIADD", "LOP3.LUT", "PRMT"},
       fields<u8, kAddToByte>,
       Operands::words,
       8,
       6},
      {{"max_u8x4", kSeveral},
       "__vmaxu4(x, y)",
       {"IMAD.IADD", "IADD3", "VIADD", "LOP3.LUT", "PRMT", "SHF.R.U32.HI"},
       fields<u8, kMax>,
       Operands::words,
       8,
       6},
  };
}

std::vector<CudaOperation> floating_point_operations() {
  const std::string z = "\"r\"(z)";
  return {
      {{"min_f16x2", kAlu}, "minimum_f16x2(x, y)", {"HMNMX2"}, fields<u16, kMin>},
      {{"add_f16x2", kFma},
       ptx("add.f16x2 %0, %0, %1;", z),
       {"HADD2", "HFMA2.MMA"},
       fields<u16, kHalfPlusOne>,
       Operands::halves},
      {{"fma_f16x2", kFma},
       ptx("fma.rn.f16x2 %0, %0, %1, %1;", z),
       {"HFMA2"},
       fields<u16, kHalfPlusOne>,
       Operands::halves},
      {{"min_f32", kAlu}, ptx("min.f32 %0, %0, %1;", "\"r\"(y)"), {"FMNMX"}, fields<u32, kMin>},
      {{"add_f32", kFma}, ptx("add.f32 %0, %0, %1;", z), {"FADD"}, float_plus_one, Operands::floats},
      {{"fma_f32", kFma}, ptx("fma.rn.f32 %0, %0, %1, %1;", z), {"FFMA"}, float_plus_one, Operands::floats},
  };
}

std::vector<CudaOperation> operations_between_lanes() {
  return {
      {{"shuffle", kShared}, "__shfl_xor_sync(~0u, x, 1)", {"SHFL.BFLY"}, of_partner},
      {{"load_shared_32", kShared}, "load_shared<32>(x)", {"LDS"}, loaded, Operands::addresses_32},
      {{"load_shared_64", kShared}, "load_shared<64>(x)", {"LDS.64"}, loaded, Operands::addresses_64},
      {{"load_shared_128", kShared}, "load_shared<128>(x)", {"LDS.128"}, loaded, Operands::addresses_128, 4},
  };
}

/// Products of four warps, matrices in shared memory, all added to the same sums. @param shape
/// of the instruction
std::string products_of_four_warps(const std::string& shape) {
  std::string registers, sums, products;
  for (u32 n = 0; n < kWordsOfFourWarps; ++n) {
    registers += fmt::format("{}%{}", n == 0 ? "" : ", ", n);
    sums += fmt::format("{}\"+r\"(x[{}])", n == 0 ? "" : ", ", n);
  }
  for (u32 n = 0; n < kProductsAtOnce; ++n)
    products += fmt::format("wgmma.mma_async.sync.aligned.{} {{{}}}, %{}, %{}, 1;\\n", shape, registers,
                            kWordsOfFourWarps + 1, kWordsOfFourWarps);
  return fmt::format("asm volatile(\"{}\" : {} : \"l\"(z), \"l\"(rows_behind(z)))", products, sums);
}

CudaOperation of_warp(std::string name, Operands operands, std::string instruction,
                      u32 (*expected)(const Values&), u32 products, const std::string& multiply) {
  return {.operation = {std::move(name), kTensor},
          .code = multiply + "(x, static_cast<u32>(z))",
          .on_sm90 = {std::move(instruction)},
          .expected = expected,
          .operands = operands,
          .chains = 4,
          .least_architecture = 80,
          .of = CudaOperation::Of::warp,
          .words = 4,
          .products = products};
}

CudaOperation of_four_warps(std::string name, Operands operands, std::string instruction,
                            u32 (*expected)(const Values&), u32 products, const std::string& shape) {
  return {.operation = {std::move(name), kTensor},
          .code = products_of_four_warps(shape),
          .on_sm90 = {std::move(instruction)},
          .expected = expected,
          .operands = operands,
          .chains = 1,
          .least_architecture = 90,
          .own_architecture = "sm_90a",
          .of = CudaOperation::Of::four_warps,
          .words = kWordsOfFourWarps,
          .at_once = kProductsAtOnce,
          .products = products};
}

std::vector<CudaOperation> operations_of_tensor_cores() {
  return {
      of_warp("mma_b1", Operands::sums_b1, "BMMA.168256.AND.POPC", plus_length<256>, 256, "multiply_bits"),
      of_warp("mma_s8", Operands::sums_s8, "IMMA.16832.S8.S8", plus_length<32>, 32, "multiply_bytes"),
      of_four_warps("wgmma_b1", Operands::sums_b1, "BGMMA.64x256x256.AND.POPC", plus_length<256>, 256,
                    "m64n256k256.s32.b1.b1.and.popc"),
      of_four_warps("wgmma_s8", Operands::sums_s8, "IGMMA.64x256x32.S8.S8", plus_length<32>, 32,
                    "m64n256k32.s32.s8.s8"),
  };
}

}  // namespace

const std::vector<CudaOperation>& cuda_operations() {
  static const std::vector<CudaOperation> all = [] {
    std::vector<CudaOperation> rows = integer_operations();
    for (auto more : {floating_point_operations(), operations_between_lanes(), operations_of_tensor_cores()})
      rows.insert(rows.end(), more.begin(), more.end());
    return rows;
  }();
  return all;
}

}  // namespace gpuseq::probes
