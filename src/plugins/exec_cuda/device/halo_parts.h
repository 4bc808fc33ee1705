// halo_parts.h: what the host tells the kernels of halo.h. Compiled on both sides; nothing is included.

// Rows of one dat for one neighbour: they lie one after another in the buffer. A row is moved in words.
struct op2_halo_segment {
  char *dat;                 // row 0
  const int *rows;           // their numbers
  unsigned long long offset; // in the buffer; of exchanges that kernels start, in the message
  unsigned words;            // of a row
  unsigned log2_bytes;       // of a word: 4 (16 bytes) to 0
  unsigned all_words;        // of all rows
  unsigned first_block;      // of the grid, that works on it
  // In other layouts than AoS, as in op2_rows_params; in AoS type_size is 0 and nothing else counts.
  long long stride, step;
  unsigned type_size; // of a value
  unsigned message;   // its number
};

struct op2_halo_params {
  const op2_halo_segment *segments;
  char *buffer;
  unsigned nsegments;
  unsigned reserved;
};

// Each thread moves so many words, a block's threads next to each other.
#define OP2_HALO_THREADS 256u
#define OP2_HALO_WORDS 4u
