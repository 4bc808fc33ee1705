#include "base/packed/unpack.hpp"

#include "base/error.hpp"

#ifdef OP2_HAVE_ZLIB

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>

namespace op2::core {

namespace {

constexpr std::size_t most_at_once = std::size_t{1} << 30; // zlib counts what it takes in 32 bits

// zlib's stream, fed with bytes that lie somewhere.
class Stream {
 public:
  // `window`: 15 for zlib's own form, 31 for that of gzip, which `name` names.
  Stream(std::string_view packed, int window, const char *name) : left_(packed), name_(name) {
    if (inflateInit2(&stream_, window) != Z_OK) throw std::bad_alloc();
  }
  ~Stream() { inflateEnd(&stream_); }
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;

  // One stream of data, up to its end. What is wrong with it, "" when nothing is.
  std::string run(std::size_t most, std::string &out) {
    const std::size_t begin = out.size();
    for (;;) {
      feed();
      stream_.next_out = room_.data();
      stream_.avail_out = static_cast<uInt>(room_.size());
      const int status = inflate(&stream_, Z_NO_FLUSH);
      const std::size_t got = room_.size() - stream_.avail_out;
      if (got > most - (out.size() - begin)) return "the compressed data are longer than they should be";
      out.append(reinterpret_cast<const char *>(room_.data()), got);
      if (status == Z_STREAM_END) return "";
      if (status == Z_MEM_ERROR) throw std::bad_alloc();
      if (status != Z_OK && status != Z_BUF_ERROR) return reason();
      if (got == 0 && stream_.avail_in == 0 && left_.empty()) return "the compressed data end too early";
    }
  }
  // Makes it ready for what stands behind the end of the last stream, and returns that.
  std::string_view next() {
    const std::string_view out(left_.data() - stream_.avail_in, left_.size() + stream_.avail_in);
    inflateReset(&stream_);
    return out;
  }

 private:
  void feed() {
    if (stream_.avail_in > 0) return;
    const std::size_t some = std::min(left_.size(), most_at_once);
    stream_.next_in = reinterpret_cast<z_const Bytef *>(const_cast<char *>(left_.data()));
    stream_.avail_in = static_cast<uInt>(some);
    left_.remove_prefix(some);
  }
  std::string reason() const {
    const std::string_view why = stream_.msg ? stream_.msg : "a dictionary is needed";
    if (why == "incorrect header check") return text("the data are not compressed by ", name_);
    if (why == "incorrect data check") return "the checksum of the compressed data is wrong";
    return text("the compressed data are damaged (zlib: ", why, ")");
  }

  z_stream stream_{};
  std::string_view left_; // not given to zlib yet
  const char *name_;
  std::array<Bytef, 65536> room_;
};

} // namespace

void need_zlib(const std::string &) {}

std::string from_zlib(std::string_view packed, std::size_t most, std::string &out) {
  return Stream(packed, MAX_WBITS, "zlib").run(most, out);
}

std::string from_gzip(std::string_view packed, std::size_t most, std::string &out) {
  constexpr std::string_view magic = "\x1f\x8b";
  if (!packed.starts_with(magic)) return "the data are not compressed by gzip";
  Stream stream(packed, MAX_WBITS + 16, "gzip");
  const std::size_t begin = out.size();
  do {
    if (const std::string wrong = stream.run(most - (out.size() - begin), out); !wrong.empty()) return wrong;
  } while (stream.next().starts_with(magic)); // zeros may follow, as on tapes
  return "";
}

} // namespace op2::core

#else

namespace op2::core {

void need_zlib(const std::string &file) {
  fail(OP_ERR_UNSUPPORTED, file, ": it is compressed, and this library was built without zlib, which unpacks it: ",
       "install zlib (package zlib1g-dev) and build the library again, or unpack the file");
}

std::string from_zlib(std::string_view, std::size_t, std::string &) { return "there is no zlib to unpack them"; }
std::string from_gzip(std::string_view, std::size_t, std::string &) { return "there is no zlib to unpack them"; }

} // namespace op2::core

#endif

// SPDX-License-Identifier: MIT
