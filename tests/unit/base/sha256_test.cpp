// sha256_test.cpp: the digest against the examples of its standard, and however the bytes are cut into pieces.
#include "base/sha256.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace op2::core;

TEST(Sha256, GivesTheDigestsOfTheStandard) {
  EXPECT_EQ("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", hex(sha256("")));
  EXPECT_EQ("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", hex(sha256("abc")));
  EXPECT_EQ("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")));
  EXPECT_EQ("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
            hex(sha256(std::string(1'000'000, 'a'))));
}

TEST(Sha256, DoesNotDependOnPieces) {
  std::string whole;
  for (int i = 0; i < 300; ++i) whole.push_back(static_cast<char>(i * 7));
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    const std::string_view part = std::string_view(whole).substr(0, length);
    const Digest expected = sha256(part);
    for (const std::size_t cut : {std::size_t{0}, length / 3, length / 2, length})
      EXPECT_EQ(expected, Sha256().add(part.substr(0, cut)).add(part.substr(cut)).digest()) << length << " " << cut;
  }
}

TEST(Sha256, KeepsFieldsApart) {
  EXPECT_NE(Sha256().add_field("ab").add_field("c").digest(), Sha256().add_field("a").add_field("bc").digest());
  EXPECT_EQ("ba7816bf", hex(sha256("abc"), 8));
}

} // namespace

// SPDX-License-Identifier: MIT
