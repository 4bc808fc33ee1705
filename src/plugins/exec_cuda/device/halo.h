// halo.h: rows of dats to and from messages. halo_kernels.h has kernels of their own for it.
#include "halo_parts.h"
#include "kernel.h"

struct alignas(16) op2_halo_word16 {
  unsigned long long a, b;
};

// The segment a block works on: the last one that begins at this block or before.
inline const op2_halo_segment *op2_halo_find(const op2_halo_segment *segments, unsigned n, unsigned block) {
  unsigned low = 0, high = n;
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    if (segments[middle].first_block <= block)
      low = middle;
    else
      high = middle;
  }
  return segments + low;
}

// Where word w of a row lies in the dat.
template <class Word>
inline Word *op2_halo_place(const op2_halo_segment &s, char *dat, unsigned row, unsigned w) {
  if (s.type_size == 0) return reinterpret_cast<Word *>(dat) + (static_cast<unsigned long long>(row) * s.words + w);
  const unsigned of_value = s.type_size / sizeof(Word);
  char *value = dat + row * s.stride + w / of_value * s.step;
  return reinterpret_cast<Word *>(value) + w % of_value;
}

// far: the message lies in memory of another process.
template <class Word, bool pack, bool far>
inline void op2_halo_move(const op2_halo_segment &s, char *buffer, unsigned first) {
  char *dat = op2_at(s.dat);
  Word *message = reinterpret_cast<Word *>(buffer + s.offset);
  const int *rows = op2_at(s.rows);
  for (unsigned i = 0; i < OP2_HALO_WORDS; ++i) {
    const unsigned word = first + i * OP2_HALO_THREADS;
    if (word >= s.all_words) return;
    const unsigned row = word / s.words;
    Word *place = op2_halo_place<Word>(s, dat, static_cast<unsigned>(rows[row]), word - row * s.words);
    if (pack && far)
      op2_put(&message[word], *place);
    else if (pack)
      message[word] = *place;
    else
      *place = message[word];
  }
}

// One block's part of a segment.
template <bool pack, bool far>
inline void op2_halo_run(const op2_halo_segment &s, char *buffer, unsigned block, unsigned thread) {
  const unsigned first = (block - s.first_block) * (OP2_HALO_THREADS * OP2_HALO_WORDS) + thread;
  if (s.log2_bytes == 4)
    op2_halo_move<op2_halo_word16, pack, far>(s, buffer, first);
  else if (s.log2_bytes == 3)
    op2_halo_move<unsigned long long, pack, far>(s, buffer, first);
  else if (s.log2_bytes == 2)
    op2_halo_move<unsigned, pack, far>(s, buffer, first);
  else if (s.log2_bytes == 1)
    op2_halo_move<unsigned short, pack, far>(s, buffer, first);
  else
    op2_halo_move<unsigned char, pack, far>(s, buffer, first);
}
