// unpack_test.cpp: unpacking what zlib has packed, and what is no such thing.
#include <gtest/gtest.h>
#include <zlib.h>

#include "base/packed/unpack.hpp"

namespace {

using op2::core::from_gzip;
using op2::core::from_zlib;

const std::string plain =
    "cell patch node face node edge edge edge wall edge cell node edge node edge edge patch node wall edge fac"
    "e wall cell patch node face node node node wall patch node edge wall cell edge wall node patch cell edge "
    "edge patch cell face cell wall cell edge face node edge patch wall node cell wall wall face node";

// By zlib with codes of its own, and with those that deflate fixes.
constexpr char own_codes[] =
    "\x78\xda\x75\x8f\x4b\x0a\x80\x30\x0c\x44\xaf\x92\xab\x85\x34\xea\xa2\x54\x17\x82\xd7\xb7\x4e\xa0\x13\x02"
    "\x6e\x86\x7c\xde\x4c\x5a\xf3\xde\xe5\xd2\xdb\x0e\x19\x67\x73\xd9\xd4\x3c\x2a\x6f\x7b\x96\x47\x27\x88\xca"
    "\x3e\x0b\x91\x02\xa7\x2c\x5a\x90\x8a\xd6\x7e\xef\x51\x00\x26\x86\xf7\xe1\x66\x8b\x6d\x80\xdc\xa4\x57\x60"
    "\x88\x0b\xa8\x4a\x44\xf9\x6a\x58\x98\x4b\x0b\x64\xd1\x2f\x9f\x30\x6b\xe5";
constexpr char fixed_codes[] =
    "\x78\x01\x4b\x4e\xcd\xc9\x51\x28\x48\x2c\x49\xce\x50\xc8\xcb\x4f\x49\x55\x48\x4b\x4c\x4e\x85\xb0\x52\x53"
    "\xd2\x91\x89\xf2\x44\xa0\x42\x30\x2b\x19\xa4\x05\xa1\x04\x4d\x31\x92\x59\x08\x2d\x60\x53\xc1\xdc\x64\x9c"
    "\xf6\x21\x08\xb0\x42\x24\x35\x08\xfb\xc1\xba\x11\x5c\xb0\x2c\x44\x21\x42\x06\xc9\x15\x60\x41\xb0\x0d\x60"
    "\x16\x9a\x11\x68\x5e\x85\x68\x41\x98\x8b\xd0\x02\x26\xe0\xaa\x01\x9f\x30\x6b\xe5";

std::string own() { return {own_codes, sizeof own_codes - 1}; }

TEST(Unpack, WhatZlibPacked) {
  for (const std::string &packed : {own(), std::string(fixed_codes, sizeof fixed_codes - 1)}) {
    std::string out = "kept ";
    EXPECT_EQ(from_zlib(packed, plain.size(), out), "");
    EXPECT_EQ(out, "kept " + plain);
  }
}

// A file of gzip.
std::string gzipped(const std::string &bytes) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), ' '), in = bytes;
  stream.next_in = reinterpret_cast<Bytef *>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef *>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

TEST(Unpack, GzipOfSeveralParts) {
  std::string large;
  for (int i = 0; i < 50000; ++i) large += std::to_string(i * 7919 % 10007) + " ";
  const std::string two = gzipped(large) + gzipped(plain);
  for (const std::string &file : {two, two + std::string(512, '\0')}) {
    std::string out = "kept ";
    EXPECT_EQ(from_gzip(file, large.size() + plain.size(), out), "");
    EXPECT_TRUE(out == "kept " + large + plain);
  }
  std::string out;
  EXPECT_EQ(from_gzip(two, large.size() + plain.size() - 1, out), "the compressed data are longer than they should be");
  EXPECT_EQ(from_gzip(two.substr(0, two.size() - 1), 10 * large.size(), out), "the compressed data end too early");
}

TEST(Unpack, SaysWhatIsWrong) {
  std::string out;
  EXPECT_EQ(from_zlib(own(), plain.size() - 1, out), "the compressed data are longer than they should be");
  EXPECT_EQ(from_zlib("plain text", 100, out), "the data are not compressed by zlib");
  EXPECT_EQ(from_gzip("plain text that is long enough", 100, out), "the data are not compressed by gzip");
  std::string damaged = own();
  damaged.back() = static_cast<char>(damaged.back() ^ 1);
  EXPECT_EQ(from_zlib(damaged, 1000, out), "the checksum of the compressed data is wrong");
  for (std::size_t length = 0; length < own().size(); ++length)
    EXPECT_NE(from_zlib(own().substr(0, length), 1000, out), "") << length;
  for (std::size_t at = 0; at < own().size(); ++at) { // never worse than a refusal
    damaged = own();
    damaged[at] = static_cast<char>(damaged[at] ^ 16);
    EXPECT_NE(from_zlib(damaged, 1000, out), "") << at;
  }
}

} // namespace

// SPDX-License-Identifier: MIT
