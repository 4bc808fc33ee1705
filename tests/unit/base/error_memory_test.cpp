// error_memory_test.cpp: errors that are reported when no memory is left, for their own words either.
#include <new>
#include <string>

#include "base/text.hpp"
#include "ending_memory.hpp"
#include "op2/op2.h"
#include "support.hpp"

namespace {

using unit::EndingMemory;
using unit::Environment;

class WithoutMemory : public testing::Test {
 protected:
  void SetUp() override {
    op_init_params params = OP_INIT_PARAMS;
    params.backend = "seq";
    ASSERT_EQ(OP_OK, op_init_with(&params)) << op_last_error();
  }
  void TearDown() override { EXPECT_EQ(OP_OK, op_exit()); }
  // The name is longer than what fits into a string without memory.
  static constexpr const char *name = "a set with a name that is longer than any string keeps in itself";
};

TEST_F(WithoutMemory, AnErrorIsReportedInWords) {
  op_set_error_handler(op_error_return, nullptr);
  for (const bool lasting : {false, true})
    for (long allowed = 0, done = 0; !done; ++allowed) {
      op_clear_error();
      {
        const EndingMemory memory(allowed, lasting);
        EXPECT_EQ(nullptr, op_decl_set(-1, name));
        done = !EndingMemory::ended();
      }
      const std::string words = op_last_error();
      EXPECT_EQ(0u, words.find("op_decl_set: ")) << allowed << ": " << words;
      EXPECT_TRUE(op_last_status() == OP_ERR_ARGUMENT || op_last_status() == OP_ERR_MEMORY) << allowed << ": " << words;
      if (op_last_status() == OP_ERR_MEMORY) { // else the words are those of the error, as far as there was memory
        EXPECT_EQ("op_decl_set: out of memory", words);
      }
      op_error info{};
      info.size = sizeof info;
      EXPECT_EQ(OP_OK, op_last_error_info(&info));
      EXPECT_EQ(words, info.message);
      ASSERT_LT(allowed, 1000);
    }
  op_set_error_handler(nullptr, nullptr);
}

TEST_F(WithoutMemory, TheProgramEndsWithTheMessage) {
  const auto fails = [](long allowed) {
    const EndingMemory memory(allowed, true);
    op_decl_set(-1, name);
  };
  for (long allowed = 0; allowed < 12; ++allowed)
    EXPECT_EXIT(fails(allowed), testing::ExitedWithCode(1),
                "^op2: error: op_decl_set: .* \\(OP_ERR_(MEMORY|ARGUMENT)\\)\n$");
}

// A text that memory has ended for is no text: half of a message, a path or a key would be another one.
TEST(Texts, AreWholeOrThrow) {
  const std::string half(700, 'x'), whole = half + "7" + half;
  bool ended = true;
  for (long allowed = 0; ended; ++allowed) {
    std::string got;
    bool thrown = false;
    {
      const EndingMemory memory(allowed);
      try {
        got = op2::core::text(half, 7, half);
      } catch (const std::bad_alloc &) {
        thrown = true;
      }
      ended = EndingMemory::ended();
    }
    EXPECT_EQ(ended, thrown) << allowed;
    if (!thrown) {
      EXPECT_EQ(whole, got) << allowed;
    }
    ASSERT_LT(allowed, 100);
  }
}

} // namespace

// SPDX-License-Identifier: MIT
