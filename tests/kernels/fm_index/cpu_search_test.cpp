#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "kernels/fm_index/cpu/compiled_shapes.hpp"
#include "kernels/fm_index/cpu/dispatch.hpp"
#include "kernels/fm_index/cpu/search.hpp"
#include "kernels/fm_index/data/bwt.hpp"
#include "kernels/fm_index/data/index.hpp"
#include "kernels/fm_index/data/layout_members.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::fm_index {
namespace {

using Text = std::vector<u8>;

Text random_text(u32 bases, u32 symbols, u64 seed) {
  std::mt19937_64 random(seed);
  Text text(bases);
  for (u8& base : text) base = static_cast<u8>(random() % symbols);
  return text;
}

/// Counts suffixes, `$` alone included, by comparing each with the query.
Interval<u64> brute_force(const Text& text, const Text& query) {
  Interval<u64> interval{0, 0};
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const auto suffix = text.begin() + static_cast<std::ptrdiff_t>(i);
    const std::size_t length = std::min(query.size(), text.size() - i);
    const auto end = suffix + static_cast<std::ptrdiff_t>(length);
    const bool smaller = std::lexicographical_compare(suffix, end, query.begin(), query.end());
    interval.l += smaller ? 1 : 0;
    interval.h += !smaller && length == query.size() && std::equal(suffix, end, query.begin()) ? 1 : 0;
  }
  interval.h += interval.l;
  return interval;
}

/// Queries of all lengths to 40 and around whole windows and 16-byte units, occurring,
/// random and mixed; the last ones are empty, so that nothing follows them in memory.
std::vector<Text> queries_for(const Text& text) {
  std::mt19937_64 random(5);
  std::vector<u32> lengths;
  for (u32 length = 0; length <= 40; ++length) lengths.push_back(length);
  for (u32 length : {57, 58, 59, 63, 64, 65, 100, 128, 131}) lengths.push_back(length);
  std::vector<Text> queries;
  for (u32 length : lengths) {
    queries.push_back(random_text(length, 4, random()));
    if (length > text.size()) continue;
    const auto from = text.begin() + static_cast<std::ptrdiff_t>(random() % (text.size() - length + 1));
    queries.emplace_back(from, from + length);
    Text changed = queries.back();
    if (length > 0) changed[random() % length] ^= 1;
    queries.push_back(changed);
    queries.emplace_back(text.begin(), text.begin() + length);  // searches that meet `$`
    queries.emplace_back(text.end() - length, text.end());
  }
  std::shuffle(queries.begin(), queries.end(), random);
  queries.resize(queries.size() + 2);
  return queries;
}

struct Packed {
  std::vector<u32> words, begin, bases;
  QueryView view() const {
    return {words.data(), begin.data(), bases.data(), static_cast<u32>(begin.size())};
  }
};

Packed pack(const std::vector<Text>& queries) {
  Packed packed;
  for (const Text& query : queries) {
    packed.begin.push_back(static_cast<u32>(packed.words.size() / 4));
    packed.bases.push_back(static_cast<u32>(query.size()));
    const std::size_t at = packed.words.size();
    packed.words.resize(at + (query.size() + 63) / 64 * 4);
    for (std::size_t i = 0; i < query.size(); ++i)
      packed.words[at + i / 16] |= u32{query[query.size() - 1 - i]} << (i % 16 * 2);
  }
  packed.words.shrink_to_fit();  // reads past the end are then seen by the address sanitizer
  return packed;
}

struct Case {
  Text text;
  std::vector<Text> queries = queries_for(text);
  Packed packed = pack(queries);
  std::vector<Interval<u64>> expected;
  Bwt bwt;

  explicit Case(Text from) : text(std::move(from)) {
    for (const Text& query : queries) expected.push_back(brute_force(text, query));
    ThreadPool pool(1);
    bwt = bwt_of(text, sort_by_divsufsort(text), pool);
    derive_columns(bwt, kMaxK, 1);
  }
};

struct Settings {
  u32 in_flight;
  bool to_l1;
};

std::string describe(const Layout& layout, u32 prefix_symbols, const std::string& target, Settings settings) {
  return text_of(layout) + " prefix=" + std::to_string(prefix_symbols) + " target=" + target +
         " in flight=" + std::to_string(settings.in_flight) + (settings.to_l1 ? " L1" : " L2");
}

template <typename Position>
std::vector<Interval<u64>> run(const Case& problem, const Index& index, SearchKernel search,
                               Settings settings, u32 begin, u32 end) {
  std::vector<Interval<Position>> found(problem.queries.size(), {7, 7});
  search({index.view, index.layout, problem.packed.view(), found.data(), begin, end, settings.in_flight,
          settings.to_l1});
  std::vector<Interval<u64>> answers;
  for (const auto& interval : found) answers.push_back({interval.l, interval.h});
  return answers;
}

/// Searches all queries and compares with brute force.
void expect_exact(const Case& problem, const Index& index, u32 prefix_symbols, const DispatchedKernel& kernel,
                  Settings settings) {
  const u32 count = static_cast<u32>(problem.queries.size());
  const auto found = index.layout.wide ? run<u64>(problem, index, kernel.search, settings, 0, count)
                                       : run<u32>(problem, index, kernel.search, settings, 0, count);
  for (u32 q = 0; q < count; ++q) {
    ASSERT_TRUE(found[q].l == problem.expected[q].l && found[q].h == problem.expected[q].h)
        << describe(index.layout, prefix_symbols, kernel.target, settings) << ": query " << q << " of "
        << problem.queries[q].size() << " bases: found [" << found[q].l << ", " << found[q].h
        << "), expected [" << problem.expected[q].l << ", " << problem.expected[q].h << ")";
  }
}

/// The kernels of a layout for every target that this processor has.
std::vector<DispatchedKernel> vector_kernels(const Layout& layout) {
  std::vector<DispatchedKernel> kernels;
  for (SimdTarget target : {SimdTarget::best, SimdTarget::sse4, SimdTarget::avx2, SimdTarget::avx512}) {
    try {
      kernels.push_back(layout.one_hot() ? one_hot_kernel(layout, target) : simd_kernel(layout, target));
    } catch (const ResourceError&) {
    }
  }
  return kernels;
}

void expect_every_kernel_exact(const Case& problem, const Layout& layout, u32 prefix_symbols) {
  constexpr u64 kSmallSuperblock = 300;  // so that a short text has several
  const Index index = build_index(problem.bwt, layout, prefix_symbols, 1, kSmallSuperblock);
  for (const DispatchedKernel& kernel : vector_kernels(layout))
    for (Settings settings : {Settings{1, false}, Settings{19, true}, Settings{64, false}})
      expect_exact(problem, index, prefix_symbols, kernel, settings);
  if (layout.one_hot() || !is_compiled(KernelShape::of(layout))) return;
  expect_exact(problem, index, prefix_symbols, scalar_kernel(layout), {0, false});
  for (Settings settings : {Settings{1, false}, Settings{7, true}, Settings{32, false}})
    expect_exact(problem, index, prefix_symbols, prefetch_kernel(layout), settings);
}

void expect_every_layout_exact(const Case& problem, std::initializer_list<u32> prefixes) {
  for (u32 k = 1; k <= kMaxK; ++k)
    for (bool wide : {false, true})
      for (u32 prefix_symbols : prefixes) {
        for (u32 d : {224u, 480u})
          expect_every_kernel_exact(problem, {.kind = LayoutKind::one_hot, .k = k, .d = d, .wide = wide},
                                    prefix_symbols);
        for (u32 d : {64u, 128u, 192u, 448u})
          for (const LayoutKind kind : {LayoutKind::full, LayoutKind::alternate})
            expect_every_kernel_exact(problem, {.kind = kind, .k = k, .d = d, .wide = wide}, prefix_symbols);
      }
}

TEST(CpuSearch, EveryKernelOfEveryLayoutFindsTheIntervalsOfBruteForce) {
  expect_every_layout_exact(Case(random_text(1500, 4, 1)), {0, 5});
}

TEST(CpuSearch, IntervalsWiderThanEntriesAreExact) {
  expect_every_layout_exact(Case(random_text(900, 2, 2)), {0, 2});
}

TEST(CpuSearch, ATextOfOneLetterWhoseDollarWordsCoincideIsExact) {
  expect_every_layout_exact(Case(Text(300, 0)), {0, 3});
  expect_every_layout_exact(Case(Text(130, 3)), {1});
}

TEST(CpuSearch, TextsShorterThanAStepAreExact) {
  for (u32 bases : {1, 2, 3, 5}) expect_every_layout_exact(Case(random_text(bases, 4, bases)), {0, 4});
}

TEST(CpuSearch, EntriesOfManyChunksAreExact) {
  const Case problem(random_text(5000, 4, 3));
  for (const LayoutKind kind : {LayoutKind::full, LayoutKind::alternate})
    for (bool wide : {false, true})
      expect_every_kernel_exact(problem, {.kind = kind, .k = 2, .d = 4096, .wide = wide}, 3);
}

TEST(CpuSearch, AJobTouchesOnlyItsOwnAnswers) {
  const Case problem(random_text(500, 4, 4));
  const Layout layout{.k = 2, .d = 64};
  const Index index = build_index(problem.bwt, layout, 4, 1);
  for (const DispatchedKernel& kernel :
       {scalar_kernel(layout), prefetch_kernel(layout), simd_kernel(layout, SimdTarget::best)}) {
    const auto found = run<u32>(problem, index, kernel.search, {16, false}, 10, 50);
    for (u32 q = 0; q < found.size(); ++q) {
      const Interval<u64> expected = q >= 10 && q < 50 ? problem.expected[q] : Interval<u64>{7, 7};
      EXPECT_EQ(found[q].l, expected.l) << q;
      EXPECT_EQ(found[q].h, expected.h) << q;
    }
    const auto nothing = run<u32>(problem, index, kernel.search, {16, false}, 10, 10);
    EXPECT_EQ(nothing[10].l, 7u);
  }
}

TEST(CpuDispatch, AForcedTargetIsTheOneThatRuns) {
  const Layout layout{};
  const auto target_of = [&](SimdTarget target) -> std::string {
    try {
      return simd_kernel(layout, target).target;
    } catch (const ResourceError&) {
      return "";
    }
  };
  EXPECT_THAT(target_of(SimdTarget::sse4), testing::AnyOf("", "SSE4"));
  EXPECT_THAT(target_of(SimdTarget::avx2), testing::AnyOf("", "AVX2"));
  EXPECT_THAT(target_of(SimdTarget::avx512), testing::AnyOf("", "AVX3", "AVX3_DL"));
}

TEST(CpuDispatch, AnUnsupportedTargetIsAResourceErrorThatNamesIt) {
  expect_error_text<ResourceError>([] { dispatch({}, Layout{}, SimdTarget::avx512); });
}

TEST(CpuDispatch, AShapeThatIsNotCompiledNamesTheOption) {
  int compiled = 0;
  for (const Layout& layout : {Layout{.k = 2, .d = 64}, Layout{.k = 4, .d = 64}, Layout{.k = 2, .d = 448}}) {
    if (is_compiled(KernelShape::of(layout)))
      compiled += simd_kernel(layout, SimdTarget::best).search != nullptr ? 1 : 0;
    else
      expect_error_text<ResourceError>([&] { simd_kernel(layout, SimdTarget::best); });
  }
#ifdef GPUSEQ_ALL_SHAPES
  EXPECT_EQ(compiled, 3);
#else
  EXPECT_EQ(compiled, 1);
#endif
}

}  // namespace
}  // namespace gpuseq::fm_index
