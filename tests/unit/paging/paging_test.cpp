// paging_test.cpp: arrays larger than memory have the values of arrays in memory, whoever brings their chunks, and stay
// below the limit.
#include <algorithm>
#include <chrono>
#include <csetjmp>
#include <csignal>
#include <fstream>
#include <thread>

#include "paging_support.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define OP2_TEST_SHADOWED
#endif
#if __has_feature(thread_sanitizer)
#define OP2_TEST_SHADOWED
// It knows nothing of pages that are out of reach while the pager moves them.
extern "C" const char *__tsan_default_suppressions() { return "race:op2::core::paging::*\n"; }
#endif
#endif

namespace {

#if defined(OP2_TEST_SHADOWED) || defined(__SANITIZE_ADDRESS__)
constexpr bool shadowed = true; // a sanitizer has memory of its own for each that is touched
#else
constexpr bool shadowed = false;
#endif

using namespace unit;

class PagerTest : public PagingTest {};

using Generator = std::mt19937;
std::size_t below(Generator &random, std::size_t end) { return random() % end; }

// Random operations on three arrays, beside plain memory that has the right values.
class RandomOperations {
 public:
  RandomOperations(const PagerOptions &options, unsigned seed) : random_(seed), pager_(options) {
    arrays_.push_back(std::make_unique<Numbers>(Numbers::Where::vector, 30011, 8));
    arrays_.push_back(std::make_unique<Numbers>(Numbers::Where::heap, 20011, 1000));
    arrays_.push_back(std::make_unique<Numbers>(Numbers::Where::pages, 16384, 0));
    for (auto &array : arrays_) array->array = pager_.add(array->data, array->bytes(), "dat 'q'");
  }
  ~RandomOperations() {
    for (auto &array : arrays_) {
      pager_.remove(array->array, true);
      EXPECT_EQ(0U, array->wrong());
    }
    EXPECT_EQ(0U, pager_.stats().resident);
  }

  void run(int operations) {
    for (int i = 0; i < operations; ++i) {
      Numbers &numbers = *arrays_[below(random_, arrays_.size())];
      const std::size_t from = below(random_, numbers.count());
      const std::size_t to = from + below(random_, numbers.count() - from) / 3 + 1;
      perform(numbers, from, to);
    }
  }

 private:
  static std::size_t byte(std::size_t i) { return i * sizeof(std::uint64_t); }

  void perform(Numbers &numbers, std::size_t from, std::size_t to) {
    const Chunks part = pager_.chunks_of(numbers.array, byte(from), byte(to));
    const std::span<const Chunks> parts(&part, 1);
    switch (below(random_, 9)) {
      case 0: // by a schedule, to change
        pager_.load(parts);
        pager_.wait(parts, true);
        change(numbers, from, to);
        if (below(random_, 2)) pager_.store(parts);
        break;
      case 1: // by a schedule, to read
        if (below(random_, 2)) pager_.load(parts);
        pager_.wait(parts, false);
        EXPECT_EQ(0U, numbers.wrong(from, to));
        if (below(random_, 2)) pager_.store(parts);
        break;
      case 2: // values that nobody needs
        replace(numbers, part);
        break;
      case 3: // by touching
        EXPECT_EQ(0U, numbers.wrong(from, to));
        break;
      case 4:
        change(numbers, from, to);
        break;
      case 5:
        pager_.shrink_to(below(random_, 300000));
        break;
      case 6:
        pager_.keep_only(parts);
        pager_.settle();
        EXPECT_LE(pager_.stats().resident, pager_.bytes_of(part));
        break;
      case 7: // what was not changed is dropped without loss
        pager_.store(parts);
        pager_.settle();
        pager_.load(parts);
        pager_.wait(parts, false);
        EXPECT_EQ(0U, numbers.wrong(from, to));
        pager_.drop(parts);
        break;
      default:
        pager_.pin(numbers.array, byte(from), byte(to), true);
        if (below(random_, 2)) {
          pager_.store(parts);
          pager_.settle();
        } else {
          pager_.shrink_to(0);
        }
        change(numbers, from, to);
        EXPECT_GE(pager_.stats().resident, pager_.bytes_of(part));
        pager_.unpin(numbers.array, byte(from), byte(to));
    }
  }

  void change(Numbers &numbers, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; i += 1 + below(random_, 50)) numbers.set(i, random_());
  }

  void replace(Numbers &numbers, const Chunks &part) {
    if (part.last <= part.first) return;
    const std::span<const Chunks> parts(&part, 1);
    pager_.settle();
    pager_.drop(parts);
    pager_.make(parts);
    pager_.wait(parts, true);
    std::size_t zeros = 0, seen = 0;
    for (std::size_t i = 0; i < numbers.count(); ++i) {
      const Chunks its = pager_.chunks_of(numbers.array, byte(i), byte(i + 1));
      if (its.last <= its.first || its.first < part.first || its.last > part.last) continue;
      ++seen;
      zeros += numbers.data[i] == 0;
      numbers.set(i, random_());
    }
    EXPECT_EQ(seen, zeros);
    fill_borders(numbers);
  }
  // A number that lies in two chunks, or partly outside of all, may have lost a half.
  void fill_borders(Numbers &numbers) {
    for (std::size_t i = 0; i < numbers.count(); ++i)
      if (numbers.data[i] != numbers.right[i]) {
        const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(&numbers.data[i]);
        EXPECT_NE(at / 4096, (at + 7) / 4096) << "number " << i;
        numbers.set(i, random_());
      }
  }

  Generator random_;
  Pager pager_;
  std::vector<std::unique_ptr<Numbers>> arrays_;
};

TEST_P(PagerTest, RandomOperationsKeepAllBits) {
  unsigned seed = 1;
  for (const std::size_t chunk : {4096U, 16384U, 65536U})
    for (const std::size_t limit : {std::size_t{chunk}, std::size_t{200000}, std::size_t{1} << 30})
      for (const bool strict : {false, true}) {
        SCOPED_TRACE(testing::Message() << "chunk " << chunk << " limit " << limit << " strict " << strict);
        PagerOptions chosen = options(limit, chunk);
        chosen.strict = strict;
        chosen.direct = seed % 3 == 0;
        RandomOperations(chosen, seed++).run(25);
      }
}

// Touching alone: one thread, and the limit holds at every moment, by the pager's count and by the kernel's.
TEST_P(PagerTest, TouchingKeepsTheLimit) {
  Numbers numbers(Numbers::Where::pages, 1 << 17, 0); // 1 MiB
  const std::size_t limit = 64 << 10;
  PagerOptions chosen = options(limit, 16 << 10);
  chosen.direct = false; // faster for single chunks that are still in the kernel's cache
  Pager pager(chosen);
  numbers.array = pager.add(numbers.data, numbers.bytes(), "dat 'q'");
  pager.shrink_to(limit);
  Generator random(7);
  for (int i = 0; i < 8000; ++i) {
    const std::size_t at =
        i < 4000 ? below(random, numbers.count()) : static_cast<std::size_t>(i) * 13 % numbers.count();
    ASSERT_EQ(numbers.right[at], numbers.data[at]);
    if (i % 3 == 0) numbers.set(at, random());
    ASSERT_LE(pager.stats().resident, limit);
  }
  std::vector<unsigned char> pages(numbers.bytes() / 4096);
  ASSERT_EQ(0, mincore(numbers.data, numbers.bytes(), pages.data()));
  std::size_t present = 0;
  for (const unsigned char page : pages) present += page & 1;
  EXPECT_LE(present * 4096, limit);
  EXPECT_GT(pager.stats().faults, 100);
  pager.remove(numbers.array, true);
  EXPECT_EQ(0U, numbers.wrong());
}

// What the kernel counts for the process, in bytes.
std::size_t memory_of_process() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

TEST_P(PagerTest, TheKernelCountsNoMoreThanTheLimit) {
  const std::size_t limit = 8 << 20, some = shadowed ? 16 << 20 : 4 << 20;
  Numbers numbers(Numbers::Where::pages, 6 << 20, 0); // 48 MiB
  const std::size_t before = memory_of_process() - numbers.bytes();
  Pager pager(options(limit, 256 << 10));
  numbers.array = pager.add(numbers.data, numbers.bytes(), "dat 'q'");
  pager.shrink_to(limit);
  EXPECT_LE(memory_of_process(), before + limit + some);
  for (int way = 0; way < 2; ++way) {
    std::size_t most = 0;
    for (std::int64_t i = 0; i < pager.chunks(numbers.array); i += 7) {
      const Chunks part{numbers.array, i, std::min(i + 7, pager.chunks(numbers.array))};
      if (way == 0) {
        pager.load({&part, 1});
        pager.wait({&part, 1}, true);
      }
      for (std::size_t at = static_cast<std::size_t>(i) << 15; at < static_cast<std::size_t>(part.last) << 15;
           at += 999)
        numbers.set(at, numbers.data[at] + 1);
      most = std::max(most, memory_of_process());
      if (way == 0) {
        pager.store({&part, 1});
        pager.settle();
      }
    }
    EXPECT_LE(most, before + limit + some) << way;
  }
  pager.remove(numbers.array, true);
  EXPECT_EQ(0U, numbers.wrong());
}

// Several threads touch the same chunks, each its own numbers; with a schedule beside them in the second round.
TEST_P(PagerTest, ThreadsTouchTheSameChunks) {
  for (const bool schedule : {false, true}) {
    Numbers numbers(Numbers::Where::vector, 1 << 16, 8);
    const std::size_t chunk = 4096, limit = 32 * chunk;
    PagerOptions chosen = options(limit, chunk);
    chosen.direct = false;
    Pager pager(chosen);
    numbers.array = pager.add(numbers.data, numbers.bytes(), "dat 'q'");
    pager.shrink_to(limit);
    std::atomic<int> wrong{0}, busy{4};
    std::vector<std::thread> threads;
    for (std::size_t thread = 0; thread < 4; ++thread)
      threads.emplace_back([&, thread] {
        Generator random(static_cast<unsigned>(thread));
        std::size_t middle = 0;
        for (int i = 0; i < 3000; ++i) {
          if (i % 20 == 0) middle = below(random, numbers.count() - 4096);
          const std::size_t at = (middle + below(random, 4096)) / 4 * 4 + thread;
          if (numbers.data[at] != numbers.right[at]) ++wrong;
          if (i % 2) numbers.set(at, random());
        }
        --busy;
      });
    Generator random(9);
    while (busy > 0) {
      if (schedule) {
        const std::size_t from = below(random, numbers.bytes() / 2);
        const Chunks part = pager.chunks_of(numbers.array, from, from + 8 * chunk);
        pager.load({&part, 1});
        pager.wait({&part, 1}, below(random, 2) == 0);
        pager.store({&part, 1});
      } else {
        EXPECT_LE(pager.stats().resident, limit);
        std::this_thread::yield();
      }
    }
    for (std::thread &thread : threads) thread.join();
    EXPECT_EQ(0, wrong);
    pager.remove(numbers.array, true);
    EXPECT_EQ(0U, numbers.wrong());
  }
}

// A chunk comes with all its values at once, also for threads that touch it while another one waits for it.
TEST_P(PagerTest, NobodySeesAPartOfAChunk) {
  Numbers numbers(Numbers::Where::pages, 1 << 15, 0); // one chunk
  PagerOptions chosen = options(numbers.bytes(), numbers.bytes());
  chosen.direct = false;
  Pager pager(chosen);
  numbers.array = pager.add(numbers.data, numbers.bytes(), "dat 'q'");
  std::atomic<int> wrong{0}, round{0}, done{0};
  constexpr int rounds = 250, others = 3;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < others; ++thread)
    threads.emplace_back([&, thread] {
      for (int i = 1; i <= rounds; ++i) {
        while (round < i) std::this_thread::yield();
        const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds((i * 7 + thread * 50) % 300);
        while (thread > 0 && std::chrono::steady_clock::now() < until) {
        }
        wrong += numbers.data[numbers.count() - 1] != numbers.right.back();
        ++done;
      }
    });
  for (int i = 1; i <= rounds; ++i) {
    pager.shrink_to(0);
    round = i;
    while (done < i * others) std::this_thread::yield();
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(0, wrong);
  pager.remove(numbers.array, true);
}

// With room for one chunk, an instruction that needs two must end.
TEST_P(PagerTest, AnInstructionGetsAllItNeeds) {
#if defined(__x86_64__)
  Numbers numbers(Numbers::Where::pages, 4096, 0);
  Pager pager(options(4096, 4096));
  numbers.array = pager.add(numbers.data, numbers.bytes(), "dat 'q'");
  pager.shrink_to(0);
  char *const bytes = reinterpret_cast<char *>(numbers.data);
  for (std::size_t border = 4096; border < numbers.bytes(); border += 4096) {
    std::uint64_t read = 0;
    asm volatile("movq (%1), %0" : "=r"(read) : "r"(bytes + border - 3));
    asm volatile("movq %0, (%1)" : : "r"(read), "r"(bytes + border - 3) : "memory");
  }
  EXPECT_LE(pager.stats().peak, numbers.bytes());
  pager.remove(numbers.array, true);
  EXPECT_EQ(0U, numbers.wrong());
#else
  GTEST_SKIP() << "no instruction for it here";
#endif
}

// Chunks that a schedule has loaded stay until it stores or drops them, whoever touches others.
TEST_P(PagerTest, WhatIsScheduledStays) {
  Numbers numbers(Numbers::Where::pages, 1 << 15, 0); // 64 chunks
  Pager pager(options(8 * 4096, 4096));
  numbers.array = pager.add(numbers.data, numbers.bytes(), "dat 'q'");
  pager.shrink_to(0);
  const Chunks some{numbers.array, 3, 8};
  pager.load({&some, 1});
  pager.wait({&some, 1}, false);
  EXPECT_EQ(0, pager.stats().faults);
  EXPECT_EQ(0U, numbers.wrong());
  EXPECT_EQ(59, pager.stats().faults);
  EXPECT_EQ(0U, numbers.wrong(3 * 512, 8 * 512));
  EXPECT_EQ(59, pager.stats().faults);
  EXPECT_EQ(8U * 4096U, pager.stats().peak - numbers.bytes() + 8 * 4096);
  pager.store({&some, 1});
  pager.settle();
  EXPECT_EQ(0U, pager.stats().written_bytes - static_cast<double>(numbers.bytes()));
  EXPECT_EQ(3U * 4096U, pager.stats().resident);
  pager.remove(numbers.array, false);
}

// In a strict pager, a chunk that was loaded and not waited for is out of reach, and touching it counts.
TEST_P(PagerTest, StrictChunksWaitForTheirSchedule) {
  Numbers numbers(Numbers::Where::pages, 1 << 13, 0); // 16 chunks
  PagerOptions chosen = options(1 << 20, 4096);
  chosen.strict = true;
  Pager pager(chosen);
  numbers.array = pager.add(numbers.data, numbers.bytes(), "dat 'q'");
  pager.shrink_to(0);
  const Chunks all = numbers.all(pager), half{numbers.array, 0, 8};
  pager.load({&all, 1});
  pager.wait({&half, 1}, false);
  pager.settle();
  EXPECT_EQ(0U, numbers.wrong(0, numbers.count() / 2));
  EXPECT_EQ(0, pager.stats().faults);
  EXPECT_EQ(0U, numbers.wrong());
  EXPECT_EQ(8, pager.stats().faults);
  pager.remove(numbers.array, true);
}

TEST_P(PagerTest, TheSystemNeedsPins) {
  Numbers numbers(Numbers::Where::heap, 1 << 13, 0);
  Pager pager(options(4096, 4096));
  numbers.array = pager.add(numbers.data, numbers.bytes(), "dat 'q'");
  pager.shrink_to(0);
  const int file = open((folder.path() + "/copy").c_str(), O_RDWR | O_CREAT, 0600);
  EXPECT_EQ(-1, pwrite(file, numbers.data + 1024, 8, 0));
  EXPECT_EQ(EFAULT, errno);
  pager.pin(numbers.array, 0, numbers.bytes(), false);
  EXPECT_EQ(static_cast<ssize_t>(numbers.bytes()), pwrite(file, numbers.data, numbers.bytes(), 0));
  pager.unpin(numbers.array, 0, numbers.bytes());
  pager.shrink_to(0);
  pager.pin(numbers.array, 0, numbers.bytes(), true);
  const Chunks all = numbers.all(pager);
  pager.store({&all, 1});
  pager.settle();
  EXPECT_EQ(static_cast<ssize_t>(numbers.bytes()), pread(file, numbers.data, numbers.bytes(), 0));
  pager.unpin(numbers.array, 0, numbers.bytes());
  close(file);
  pager.remove(numbers.array, true);
  EXPECT_EQ(0U, numbers.wrong());
}

TEST_P(PagerTest, SmallArraysStayAndRangesAreUsedAgain) {
  Pager pager(options(4096, 4096));
  std::vector<double> few(16);
  const int none = pager.add(few.data(), 16 * sizeof(double), "dat 'few'");
  EXPECT_EQ(-1, none);
  EXPECT_EQ(0, pager.chunks_of(none, 0, 100).last);
  pager.remove(none, true);
  std::vector<std::unique_ptr<Numbers>> all;
  Planted count(Plant::reserve, How::error, 1 << 20); // fails never
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 4; ++i) {
      all.push_back(std::make_unique<Numbers>(Numbers::Where::pages, 1024 * static_cast<std::size_t>(i + 1), 0));
      all.back()->array = pager.add(all.back()->data, all.back()->bytes(), "dat 'q'");
    }
    pager.shrink_to(0);
    for (auto &numbers : all) {
      pager.remove(numbers->array, true);
      EXPECT_EQ(0U, numbers->wrong());
    }
    all.clear();
    EXPECT_EQ(static_cast<std::size_t>(4), count.calls());
  }
}

// Faults of others go where they went before.
sigjmp_buf back;
void jump_back(int) { siglongjmp(back, 1); }

TEST_P(PagerTest, FaultsOfOthersArePassedOn) {
  struct sigaction ours {
  }, before{}, after{};
  ours.sa_handler = jump_back;
  sigaction(SIGSEGV, &ours, &before);
  void *const page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  {
    Pager pager(options(4096, 4096));
    volatile int jumps = 0;
    for (int i = 0; i < 2; ++i) {
      if (sigsetjmp(back, 1) == 0)
        *static_cast<volatile int *>(page) = 1;
      else
        jumps = jumps + 1;
    }
    EXPECT_EQ(2, jumps);
  }
  sigaction(SIGSEGV, &before, &after);
  EXPECT_EQ(jump_back, after.sa_handler);
  munmap(page, 4096);
}

INSTANTIATE_TEST_SUITE_P(Ways, PagerTest, testing::Values(IoWay::threads, IoWay::uring), way_name);

} // namespace

// SPDX-License-Identifier: MIT
