/* Maximal exact matches of DNA queries in a reference, by a suffix tree, at one point of the search space.
 *
 * A tree is built once from the sequences of a reference and kept in a file (FORMAT.md); the file is opened and searched.
 * A C G T match themselves in either case, every other letter matches nothing, as in `mummer -n`. Matches do not span
 * sequences. A match is maximal if it can be extended neither to the left nor to the right.
 *
 * Threads: concurrent calls are allowed on different indexes and on one index, where they take turns. An index must not
 * be in use while it is closed. Each thread has its own message.
 */
#ifndef GPUSEQ_EXACT_MATCH_H
#define GPUSEQ_EXACT_MATCH_H

#include <stdint.h>

#if defined(__GNUC__)
#define GPUSEQ_EXACT_MATCH_API __attribute__((visibility("default")))
#else
#define GPUSEQ_EXACT_MATCH_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  GPUSEQ_EXACT_MATCH_OK = 0,
  GPUSEQ_EXACT_MATCH_WRONG_ARGUMENT = 1, /* an argument, or a file that cannot be read */
  GPUSEQ_EXACT_MATCH_REFUSED_FILE = 2,   /* damaged, malicious, or of another point or format */
  GPUSEQ_EXACT_MATCH_NO_RESOURCE = 3,    /* memory, disk or device */
  GPUSEQ_EXACT_MATCH_FAILED = 4
} gpuseq_exact_match_status;

/* The error of the calling thread's last call: what was found, where, and what is allowed. Empty after a success.
 * Valid until this thread's next call. */
GPUSEQ_EXACT_MATCH_API const char* gpuseq_exact_match_message(void);

/* The point of this library: "tree_words node_order=breadth_first,...". */
GPUSEQ_EXACT_MATCH_API const char* gpuseq_exact_match_point(void);

/* Builds the tree of sequences and writes it to a file, which appears when it is complete.
 * letters  all sequences, one after the other, not terminated; fewer than 2^31 - 1 letters and sequences together
 * begin    [count + 1] offset of each sequence in letters; the last: the end of the last sequence. Ascending
 * threads  0: all CPUs that the process may use
 * Takes about 52 bytes of memory per base. */
GPUSEQ_EXACT_MATCH_API gpuseq_exact_match_status gpuseq_exact_match_build(const char* letters, const uint64_t* begin,
                                                                          uint64_t count, const char* path,
                                                                          int threads);

typedef struct gpuseq_exact_match gpuseq_exact_match;

typedef enum {
  GPUSEQ_EXACT_MATCH_ALL = 0,              /* all maximal matches */
  GPUSEQ_EXACT_MATCH_UNIQUE_REFERENCE = 1, /* matches whose string occurs once in the reference */
  GPUSEQ_EXACT_MATCH_UNIQUE = 2            /* those that also occur once in the strand of the query */
} gpuseq_exact_match_mode;

typedef struct {
  int threads;         /* for searching, or for preparing and listing with a device; 0: all */
  int device;          /* number of the CUDA device; CPU libraries ignore it */
  int trusted;         /* not 0: checks only the head of the file, which is fast. 0: reads the whole file once and
                          validates that it is the suffix tree of its text, so that searches read only inside it */
  uint32_t min_length; /* of matches, in letters; 0: 20 */
  gpuseq_exact_match_mode mode;
  int both_strands; /* not 0: the reverse complement of each query is searched, too */
} gpuseq_exact_match_options;

/* Opens a tree. The file must not be changed while it is open. Builds the k-mer tables if the point has them.
 * CUDA libraries copy both to the device, where a tree takes about 36 bytes per base.
 * options  NULL: all 0
 * index    set to NULL if the call fails; otherwise the caller must close it */
GPUSEQ_EXACT_MATCH_API gpuseq_exact_match_status gpuseq_exact_match_open(const char* path,
                                                                         const gpuseq_exact_match_options* options,
                                                                         gpuseq_exact_match** index);

/* Letters are counted from 0. */
typedef struct {
  uint64_t query;
  uint32_t strand;   /* 0: the query as it is, 1: its reverse complement */
  uint32_t sequence; /* of the reference */
  uint32_t sequence_position;
  uint32_t query_position; /* in the strand */
  uint32_t length;
} gpuseq_exact_match_found;

/* Searches queries.
 * letters, begin, count  see gpuseq_exact_match_build(); a query has fewer than 2^31 letters
 * found        set to the matches, sorted by query, strand, position in the strand and in the reference; the caller must
 *              free them with gpuseq_exact_match_free(). NULL if there are none or the call fails
 * found_count  set to their number */
GPUSEQ_EXACT_MATCH_API gpuseq_exact_match_status gpuseq_exact_match_search(gpuseq_exact_match* index,
                                                                           const char* letters, const uint64_t* begin,
                                                                           uint64_t count,
                                                                           gpuseq_exact_match_found** found,
                                                                           uint64_t* found_count);

/* Both ignore NULL. */
GPUSEQ_EXACT_MATCH_API void gpuseq_exact_match_free(gpuseq_exact_match_found* found);
GPUSEQ_EXACT_MATCH_API void gpuseq_exact_match_close(gpuseq_exact_match* index);

#ifdef __cplusplus
}
#endif

#endif
