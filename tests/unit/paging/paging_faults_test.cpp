// paging_faults_test.cpp: the file system fails at every place in turn. Each failure is an error with a name, nothing
// is lost or corrupted, and no file is left behind.
#include <sys/resource.h>
#include <sys/wait.h>
#include <csignal>

#include "paging_support.hpp"

namespace {

using namespace unit;

class PagingFaultsTest : public PagingTest {};

// Two arrays through a schedule; what a step throws is kept, and the step repeated.
class Scenario {
 public:
  Scenario(const PagerOptions &options) : pager_(options) {
    for (auto *numbers : {&first_, &second_}) numbers->array = add(*numbers);
  }

  void run() {
    for (int round = 0; round < 3; ++round)
      for (auto *numbers : {&first_, &second_}) {
        const Chunks all = numbers->all(pager_), part = pager_.chunks_of(numbers->array, 600 * 8, 2000 * 8);
        again([&] { pager_.shrink_to(0); });
        again([&] {
          pager_.load({&part, 1});
          pager_.wait({&part, 1}, true);
        });
        for (std::size_t i = 600; i < 2000; ++i) numbers->set(i, numbers->right[i] + 1);
        again([&] {
          pager_.store({&part, 1});
          pager_.settle();
        });
        again([&] { pager_.wait({&all, 1}, true); });
        for (std::size_t i = 0; i < numbers->count(); i += 3) numbers->set(i, numbers->right[i] * 3);
        again([&] { pager_.keep_only({&part, 1}); });
      }
    for (auto *numbers : {&first_, &second_}) {
      again([&] { pager_.remove(numbers->array, true); });
      EXPECT_EQ(0U, numbers->wrong());
    }
    EXPECT_EQ(0U, pager_.stats().resident);
  }
  std::vector<op2::core::Error> errors;

 private:
  template <class Step>
  void again(const Step &step) {
    for (int i = 0; i < 10; ++i) try {
        return step();
      } catch (const op2::core::Error &error) {
        errors.push_back(error);
      }
    ADD_FAILURE() << "it does not end";
  }
  int add(Numbers &numbers) {
    int array = -1;
    again([&] { array = pager_.add(numbers.data, numbers.bytes(), "dat 'q'"); });
    return array;
  }

  Numbers first_{Numbers::Where::vector, 6000, 8}, second_{Numbers::Where::heap, 3000, 16};
  Pager pager_;
};

struct Kind {
  Plant what;
  How how;
  int error;
  const char *words; // "": no error
};
const Kind kinds[] = {
    {Plant::read, How::error, EIO, "cannot read dat 'q'"},
    {Plant::write, How::error, EIO, "cannot write dat 'q'"},
    {Plant::write, How::error, ENOSPC, "No space left"},
    {Plant::read, How::end, 0, "the file ends early"},
    {Plant::write, How::end, 0, "No space left"},
    {Plant::read, How::part, 0, ""},
    {Plant::write, How::part, 0, ""},
    {Plant::read, How::interrupted, 0, ""},
    {Plant::write, How::interrupted, 0, ""},
    {Plant::reserve, How::error, ENOSPC, "no room in"},
    {Plant::reserve, How::interrupted, 0, ""},
};

TEST_P(PagingFaultsTest, EveryPlaceMayFail) {
  int places = 0;
  for (const Kind &kind : kinds)
    for (int nth = 1;; ++nth) {
      SCOPED_TRACE(testing::Message() << "kind " << &kind - kinds << ", call " << nth);
      const Planted planted(kind.what, kind.how, nth, kind.error);
      PagerOptions chosen = options(5 * 4096, 4096);
      chosen.direct = nth % 8 == 0; // slower
      Scenario scenario(chosen);
      scenario.run();
      if (!planted.met()) {
        EXPECT_TRUE(scenario.errors.empty()) << scenario.errors[0].what();
        break;
      }
      ++places;
      ASSERT_EQ(kind.words[0] ? 1U : 0U, scenario.errors.size());
      for (const auto &error : scenario.errors) {
        EXPECT_EQ(OP_ERR_FILE, error.code);
        EXPECT_TRUE(contains(error.what(), kind.words));
        EXPECT_TRUE(contains(error.what(), folder.path()));
        EXPECT_TRUE(contains(error.what(), "dat 'q'"));
        EXPECT_TRUE(contains(error.what(), "OP2_OOC_DIR"));
      }
      if (testing::Test::HasFailure()) return;
    }
  EXPECT_GT(places, 100);
  EXPECT_TRUE(folder.empty());
}

// The disk is full for good: all values stay in memory, over the limit, and the next settle() says so.
TEST_P(PagingFaultsTest, ADiskThatStaysFullLosesNothing) {
  Numbers numbers(Numbers::Where::pages, 1 << 13, 0);
  {
    Pager pager(options(4 * 4096, 4096));
    numbers.array = pager.add(numbers.data, numbers.bytes(), "dat 'q'");
    pager.shrink_to(0);
    {
      const Planted planted(Plant::write, How::error, 1, ENOSPC, true);
      for (std::size_t i = 0; i < numbers.count(); i += 100) numbers.set(i, i);
      EXPECT_EQ(0U, numbers.wrong());
      EXPECT_TRUE(contains(thrown_by([&] { pager.settle(); }).what(), "No space left on device"));
      EXPECT_TRUE(contains(thrown_by([&] { pager.shrink_to(0); }).what(), "No space left on device"));
    }
    EXPECT_EQ(0U, numbers.wrong());
    pager.settle();
    pager.shrink_to(0);
    EXPECT_EQ(0U, pager.stats().resident);
    pager.remove(numbers.array, true);
  }
  EXPECT_EQ(0U, numbers.wrong());
}

TEST_P(PagingFaultsTest, NoRoomIsRefusedAtOnce) {
  Numbers numbers(Numbers::Where::pages, 1 << 16, 0);
  Pager pager(options(4096, 4096));
  struct rlimit before {};
  getrlimit(RLIMIT_FSIZE, &before);
  struct rlimit small = before;
  small.rlim_cur = 1 << 16;
  setrlimit(RLIMIT_FSIZE, &small);
  const op2::core::Error error = thrown_by([&] { pager.add(numbers.data, numbers.bytes(), "dat 'q'"); });
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(OP_ERR_FILE, error.code);
  for (const std::string &words :
       {std::string("dat 'q'"), folder.path(), std::to_string(numbers.bytes()) + " bytes wanted",
        std::string(" free ("), std::string("OP2_OOC_DIR")})
    EXPECT_TRUE(contains(error.what(), words));
  EXPECT_EQ(0U, numbers.wrong());
  EXPECT_EQ(0U, pager.stats().resident);
}

// File systems without files that have no name, without O_DIRECT, without fallocate().
TEST_P(PagingFaultsTest, PlainFileSystemsAreEnough) {
  for (const int missing : {O_TMPFILE, O_DIRECT}) {
    static int refused;
    refused = missing;
    const SystemCalls before = system_calls();
    system_calls().open = [](const char *path, int flags, unsigned mode) {
      if ((flags & refused) == refused) return errno = refused == O_DIRECT ? EINVAL : EOPNOTSUPP, -1;
      return ::open(path, flags, mode);
    };
    system_calls().reserve = [](int, std::int64_t, std::int64_t) { return errno = EOPNOTSUPP, -1; };
    {
      Scenario scenario(options(4096, 4096));
      EXPECT_TRUE(folder.empty());
      scenario.run();
      EXPECT_TRUE(scenario.errors.empty());
    }
    Pager pager(options(4096, 4096));
    if (missing == O_DIRECT) {
      EXPECT_TRUE(contains(pager.form(), "page cache"));
    }
    system_calls() = before;
  }
  PagerOptions nowhere = options(4096, 4096);
  nowhere.folder += "/missing";
  const op2::core::Error error = thrown_by([&] { const Pager pager(nowhere); });
  EXPECT_EQ(OP_ERR_FILE, error.code);
  EXPECT_TRUE(contains(error.what(), "/missing"));
  EXPECT_TRUE(contains(error.what(), "No such file or directory"));
}

// What body() does in a process of its own, which then goes on; what it says on stderr, and how it ends.
struct Ended {
  int status = 0;
  std::string words;
};
template <class Body>
Ended in_a_process(const Body &body) {
  int ends[2];
  EXPECT_EQ(0, pipe(ends));
  const pid_t process = fork();
  if (process == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    body();
    _exit(0);
  }
  close(ends[1]);
  Ended ended;
  char buffer[1024];
  for (ssize_t count; (count = read(ends[0], buffer, sizeof buffer)) > 0;)
    ended.words.append(buffer, static_cast<std::size_t>(count));
  close(ends[0]);
  waitpid(process, &ended.status, 0);
  return ended;
}

// Who touches a chunk that cannot be read cannot go on.
TEST_P(PagingFaultsTest, AFaultThatCannotBeServedEndsTheProgramWithItsReason) {
  for (const How how : {How::error, How::end}) {
    const Ended ended = in_a_process([&] {
      Numbers numbers(Numbers::Where::pages, 1 << 13, 0);
      Pager pager(options(4096, 4096));
      numbers.array = pager.add(numbers.data, numbers.bytes(), "dat 'q'");
      pager.shrink_to(0);
      const Planted planted(Plant::read, how, 1);
      numbers.set(5, numbers.data[5] + 1);
    });
    EXPECT_NE(0, ended.status);
    EXPECT_TRUE(contains(ended.words, "op2: error: cannot read dat 'q' from the file in '" + folder.path() + "'"));
    EXPECT_TRUE(contains(ended.words, how == How::end ? "the file ends early" : "Input/output error"));
  }
}

TEST_P(PagingFaultsTest, AKilledProcessLeavesNoFile) {
  const Ended ended = in_a_process([&] {
    Numbers numbers(Numbers::Where::pages, 1 << 13, 0);
    Pager pager(options(4096, 4096));
    numbers.array = pager.add(numbers.data, numbers.bytes(), "dat 'q'");
    const Chunks all = numbers.all(pager);
    pager.store({&all, 1});
    kill(getpid(), SIGKILL);
  });
  EXPECT_TRUE(WIFSIGNALED(ended.status) && WTERMSIG(ended.status) == SIGKILL);
  EXPECT_TRUE(folder.empty());
}

// A forked process has none of the pager's threads, and does not wait for them when it ends as programs do.
TEST_P(PagingFaultsTest, AForkedProcessEnds) {
  Numbers numbers(Numbers::Where::pages, 1 << 13, 0);
  auto pager = std::make_unique<Pager>(options(4096, 4096));
  numbers.array = pager->add(numbers.data, numbers.bytes(), "dat 'q'");
  pager->shrink_to(0);
  const Ended ended = in_a_process([&] { pager.reset(); });
  EXPECT_EQ(0, ended.status) << ended.words;
  pager->remove(numbers.array, true);
  EXPECT_EQ(0U, numbers.wrong());
}

INSTANTIATE_TEST_SUITE_P(Ways, PagingFaultsTest, testing::Values(IoWay::threads, IoWay::uring), way_name);

} // namespace

// SPDX-License-Identifier: MIT
