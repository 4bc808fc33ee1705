#include "meshfile/inflate.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace op2::core {

namespace {

constexpr std::string_view ends_early = "the compressed data end too early";
constexpr std::string_view wrong_code = "the compressed data have a code that does not exist";
constexpr std::string_view too_long = "the compressed data are longer than they should be";

class BitReader {
 public:
  explicit BitReader(std::string_view bytes) : bytes_(bytes) {}

  // The next bits, the first of them lowest; behind the end zeros.
  unsigned look(int bits) {
    while (held_ < bits) {
      if (at_ < bytes_.size()) kept_ |= std::uint64_t{static_cast<unsigned char>(bytes_[at_])} << held_;
      ++at_;
      held_ += 8;
    }
    return static_cast<unsigned>(kept_ & ((std::uint64_t{1} << bits) - 1));
  }
  void skip(int bits) {
    kept_ >>= bits;
    held_ -= bits;
  }
  unsigned take(int bits) {
    const unsigned out = look(bits);
    skip(bits);
    return out;
  }
  // Were more bits taken than there are?
  bool beyond() const { return at_ - static_cast<std::size_t>(held_ / 8) > bytes_.size(); }
  // The place of the next whole byte, whose bits before are left out.
  std::size_t byte() {
    skip(held_ % 8);
    at_ -= static_cast<std::size_t>(held_ / 8);
    kept_ = 0;
    held_ = 0;
    return at_;
  }
  void move_to(std::size_t at) { at_ = at; }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::uint64_t kept_ = 0;
  int held_ = 0;
};

// Codes of at most 15 bits, those of few bits by a table.
class HuffmanCode {
 public:
  // Lengths of the codes of all symbols, 0: none. Whether such a code is possible.
  bool set(std::span<const std::uint8_t> lengths) {
    count_.fill(0);
    for (const std::uint8_t length : lengths) ++count_[length];
    count_[0] = 0;
    std::array<int, 17> first{};
    int left = 1, code = 0;
    for (std::size_t length = 1; length <= most_bits; ++length) {
      left = 2 * left - count_[length];
      if (left < 0) return false;
      first[length + 1] = first[length] + count_[length];
    }
    symbols_.resize(lengths.size());
    std::array<int, 17> next = first, next_code{};
    for (std::size_t length = 1; length <= most_bits; ++length) {
      next_code[length] = code;
      code = (code + count_[length]) * 2;
    }
    table_.fill({});
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
      const std::size_t length = lengths[symbol];
      if (length == 0) continue;
      symbols_[static_cast<std::size_t>(next[length]++)] = static_cast<std::uint16_t>(symbol);
      const int own = next_code[length]++;
      if (length > table_bits) continue;
      std::size_t turned = 0; // codes stand with their first bit lowest
      for (std::size_t bit = 0; bit < length; ++bit)
        turned |= static_cast<std::size_t>(own >> bit & 1) << (length - 1 - bit);
      for (; turned < table_.size(); turned += std::size_t{1} << length)
        table_[turned] = {static_cast<std::uint16_t>(symbol), static_cast<std::uint8_t>(length)};
    }
    return true;
  }

  int read(BitReader &in) const { // -1: no such code
    const Entry found = table_[in.look(table_bits)];
    if (found.length > 0) {
      in.skip(found.length);
      return found.symbol;
    }
    int code = 0, first = 0, index = 0;
    const unsigned bits = in.look(most_bits);
    for (int length = 1; length <= static_cast<int>(most_bits); ++length) {
      code |= static_cast<int>(bits >> (length - 1) & 1);
      const int count = count_[static_cast<std::size_t>(length)];
      if (code - first < count) {
        in.skip(length);
        return symbols_[static_cast<std::size_t>(index + code - first)];
      }
      index += count;
      first = (first + count) * 2;
      code *= 2;
    }
    return -1;
  }

 private:
  static constexpr std::size_t most_bits = 15, table_bits = 10;
  struct Entry {
    std::uint16_t symbol = 0;
    std::uint8_t length = 0;
  };
  std::array<int, 16> count_{};
  std::vector<std::uint16_t> symbols_; // by length, then by number
  std::array<Entry, std::size_t{1} << table_bits> table_{};
};

class Inflater {
 public:
  Inflater(std::string_view packed, std::size_t most, std::string &out)
      : packed_(packed), in_(packed), out_(out), begin_(out.size()), most_(out.size() + most) {}

  std::string_view run() {
    for (bool last = false; !last;) {
      last = in_.take(1) == 1;
      const unsigned kind = in_.take(2);
      if (const std::string_view wrong = kind == 0   ? stored()
                                         : kind == 1 ? fixed()
                                         : kind == 2 ? dynamic()
                                                     : wrong_code;
          !wrong.empty())
        return wrong;
      if (in_.beyond()) return ends_early;
    }
    return {};
  }
  std::size_t used() { return in_.byte(); }

 private:
  std::string_view stored() {
    const std::size_t at = in_.byte();
    if (packed_.size() < at || packed_.size() - at < 4) return ends_early;
    const auto byte = [&](std::size_t i) {
      return static_cast<std::size_t>(static_cast<unsigned char>(packed_[at + i]));
    };
    const std::size_t length = byte(0) | byte(1) << 8;
    if ((byte(2) | byte(3) << 8) != (length ^ 0xffff)) return "the compressed data have a wrong length";
    if (packed_.size() - at - 4 < length) return ends_early;
    if (length > most_ - out_.size()) return too_long;
    out_.append(packed_.substr(at + 4, length));
    in_.move_to(at + 4 + length);
    return {};
  }

  std::string_view fixed() {
    std::array<std::uint8_t, 288> lengths{};
    for (std::size_t i = 0; i < lengths.size(); ++i)
      lengths[i] = static_cast<std::uint8_t>(i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8);
    std::array<std::uint8_t, 30> distances{};
    distances.fill(5);
    symbols_.set(lengths);
    distances_.set(distances);
    return codes();
  }

  std::string_view dynamic() {
    const std::size_t symbols = in_.take(5) + 257, distances = in_.take(5) + 1, codes_given = in_.take(4) + 4;
    constexpr std::array<std::uint8_t, 19> order = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    std::array<std::uint8_t, 19> of_lengths{};
    for (std::size_t i = 0; i < codes_given; ++i) of_lengths[order[i]] = static_cast<std::uint8_t>(in_.take(3));
    HuffmanCode code;
    if (!code.set(of_lengths)) return wrong_code;
    std::vector<std::uint8_t> lengths;
    while (lengths.size() < symbols + distances) {
      const int symbol = code.read(in_);
      if (symbol < 0 || in_.beyond()) return wrong_code;
      if (symbol < 16) {
        lengths.push_back(static_cast<std::uint8_t>(symbol));
        continue;
      }
      if (symbol == 16 && lengths.empty()) return wrong_code;
      const std::uint8_t again = symbol == 16 ? lengths.back() : std::uint8_t{0};
      lengths.insert(lengths.end(),
                     symbol == 16   ? 3 + in_.take(2)
                     : symbol == 17 ? 3 + in_.take(3)
                                    : 11 + in_.take(7),
                     again);
    }
    if (lengths.size() > symbols + distances || symbols > 286) return wrong_code;
    const std::span<const std::uint8_t> all = lengths;
    if (!symbols_.set(all.first(symbols)) || !distances_.set(all.subspan(symbols))) return wrong_code;
    return codes();
  }

  std::string_view codes() {
    constexpr std::array<std::uint16_t, 29> base = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                                    31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    constexpr std::array<std::uint16_t, 30> far = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                                   33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                                   1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    for (;;) {
      const int symbol = symbols_.read(in_);
      if (symbol < 0) return wrong_code;
      if (in_.beyond()) return ends_early;
      if (symbol == 256) return {};
      if (symbol < 256) {
        if (out_.size() >= most_) return too_long;
        out_ += static_cast<char>(symbol);
        continue;
      }
      const auto which = static_cast<std::size_t>(symbol - 257);
      if (which >= base.size()) return wrong_code;
      const int more = which < 8 || which == 28 ? 0 : static_cast<int>(which / 4) - 1;
      const std::size_t length = base[which] + in_.take(more);
      const int place = distances_.read(in_);
      if (place < 0 || place >= static_cast<int>(far.size())) return wrong_code;
      const std::size_t distance = far[static_cast<std::size_t>(place)] + in_.take(place < 4 ? 0 : place / 2 - 1);
      if (distance > out_.size() - begin_) return "the compressed data repeat what stands before their beginning";
      if (length > most_ - out_.size()) return too_long;
      const std::size_t to = out_.size();
      out_.resize(to + length);
      for (std::size_t i = 0; i < length; ++i) out_[to + i] = out_[to + i - distance]; // may overlap
    }
  }

  std::string_view packed_;
  BitReader in_;
  std::string &out_;
  const std::size_t begin_, most_;
  HuffmanCode symbols_, distances_;
};

std::uint32_t adler(std::string_view bytes) {
  std::uint32_t a = 1, b = 0;
  while (!bytes.empty()) {
    const std::string_view some = bytes.substr(0, 5000); // sums stay below 2^32
    for (const char c : some) b += a += static_cast<unsigned char>(c);
    a %= 65521;
    b %= 65521;
    bytes.remove_prefix(some.size());
  }
  return b << 16 | a;
}

std::uint32_t crc(std::string_view bytes) {
  static const std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> out{};
    for (std::uint32_t i = 0; i < out.size(); ++i) {
      out[i] = i;
      for (int bit = 0; bit < 8; ++bit) out[i] = out[i] & 1 ? out[i] >> 1 ^ 0xedb88320u : out[i] >> 1;
    }
    return out;
  }();
  std::uint32_t out = ~0u;
  for (const char c : bytes) out = out >> 8 ^ table[(out ^ static_cast<unsigned char>(c)) & 255];
  return ~out;
}

unsigned byte_at(std::string_view bytes, std::size_t i) { return static_cast<unsigned char>(bytes[i]); }

// The length of gzip's head, nothing when there is none.
std::optional<std::size_t> gzip_head(std::string_view bytes) {
  if (bytes.size() < 18 || !bytes.starts_with("\x1f\x8b\x08")) return std::nullopt;
  const unsigned flags = byte_at(bytes, 3);
  std::size_t at = 10;
  if (flags & 4) at += 2 + byte_at(bytes, 10) + 256 * byte_at(bytes, 11);
  for (const unsigned text : {8u, 16u}) { // name, comment
    if (!(flags & text)) continue;
    at = bytes.find('\0', at);
    if (at == bytes.npos) return std::nullopt;
    ++at;
  }
  if (flags & 2) at += 2;
  return at + 8 <= bytes.size() ? std::optional(at) : std::nullopt;
}

} // namespace

std::string from_zlib(std::string_view packed, std::size_t most, std::string &out) {
  if (packed.size() < 6) return std::string(ends_early);
  const unsigned method = byte_at(packed, 0), flags = byte_at(packed, 1);
  if ((method & 15) != 8 || (256 * method + flags) % 31 != 0 || (flags & 32) != 0)
    return "the data are not compressed by zlib";
  const std::size_t begin = out.size();
  Inflater inflater(packed.substr(2), most, out);
  if (const std::string_view wrong = inflater.run(); !wrong.empty()) return std::string(wrong);
  const std::size_t behind = 2 + inflater.used();
  if (packed.size() < behind + 4) return std::string(ends_early);
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < 4; ++i) sum = sum << 8 | byte_at(packed, behind + i);
  return sum == adler(std::string_view(out).substr(begin)) ? "" : "the checksum of the compressed data is wrong";
}

std::string from_gzip(std::string_view packed, std::size_t most, std::string &out) {
  do {
    const std::optional<std::size_t> head = gzip_head(packed);
    if (!head) return "the data are not compressed by gzip";
    const std::size_t begin = out.size();
    Inflater inflater(packed.substr(*head), most - std::min(most, begin), out);
    if (const std::string_view wrong = inflater.run(); !wrong.empty()) return std::string(wrong);
    const std::size_t behind = *head + inflater.used();
    if (packed.size() < behind + 8) return std::string(ends_early);
    std::uint32_t sum = 0;
    for (std::size_t i = 4; i-- > 0;) sum = sum << 8 | byte_at(packed, behind + i);
    if (sum != crc(std::string_view(out).substr(begin))) return "the checksum of the compressed data is wrong";
    packed.remove_prefix(behind + 8);
  } while (packed.starts_with("\x1f\x8b")); // zeros may follow, as on tapes
  return "";
}

} // namespace op2::core
