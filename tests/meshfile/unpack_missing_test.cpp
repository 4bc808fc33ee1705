// unpack_missing_test.cpp: the library without zlib refuses compressed files and says what is missing.
#undef OP2_HAVE_ZLIB
#include "base/packed/unpack.cpp"

#include <gtest/gtest.h>

namespace {

TEST(UnpackMissing, NamesThePackage) {
  try {
    op2::core::need_zlib("case/points.gz");
    FAIL() << "nothing was refused";
  } catch (const op2::core::Error &error) {
    EXPECT_EQ(error.code, OP_ERR_UNSUPPORTED);
    EXPECT_EQ(std::string(error.what()).find("case/points.gz: it is compressed"), 0u) << error.what();
    EXPECT_NE(std::string(error.what()).find("(package zlib1g-dev)"), std::string::npos) << error.what();
  }
  std::string out;
  EXPECT_NE(op2::core::from_zlib("x", 1, out), "");
  EXPECT_NE(op2::core::from_gzip("x", 1, out), "");
  EXPECT_EQ(out, "");
}

} // namespace

// SPDX-License-Identifier: MIT
