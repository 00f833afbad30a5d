/* Exact search of DNA queries in an FM-index, at one point of its search space.
 *
 * An index is built once from a text and kept in a file (FORMAT.md); the file is opened and searched. Letters are
 * A C G T in either case. Every other letter is left out of a text, and what stands beside it is joined, so that an
 * occurrence may span a join; a query that holds one occurs nowhere.
 *
 * Threads: calls on different indexes may run at the same time; calls on one index, too: they take turns, except that
 * nobody may use an index that is being closed. Messages are of the calling thread.
 */
#ifndef GPUSEQ_FM_INDEX_H
#define GPUSEQ_FM_INDEX_H

#include <stdint.h>

#if defined(__GNUC__)
#define GPUSEQ_FM_INDEX_API __attribute__((visibility("default")))
#else
#define GPUSEQ_FM_INDEX_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  GPUSEQ_FM_INDEX_OK = 0,
  GPUSEQ_FM_INDEX_WRONG_ARGUMENT = 1, /* an argument, or a file that cannot be read */
  GPUSEQ_FM_INDEX_REFUSED_FILE = 2,   /* damaged, of another point or format, or made to do harm */
  GPUSEQ_FM_INDEX_NO_RESOURCE = 3,    /* memory, disk, device, or an instruction set that is not there */
  GPUSEQ_FM_INDEX_FAILED = 4
} gpuseq_fm_index_status;

/* What went wrong in the calling thread's last call: what was found, where, and what is allowed. Empty if nothing did.
 * Valid until this thread's next call. */
GPUSEQ_FM_INDEX_API const char* gpuseq_fm_index_message(void);

/* The point that this library is fixed to: "prefetch k=1,d=64,...". */
GPUSEQ_FM_INDEX_API const char* gpuseq_fm_index_point(void);

/* Sorts a text and writes its index to a file, which appears when it is complete.
 * text     [letters], not terminated; at least one A C G T. Takes about 6 bytes of memory a base, 10 from 2^32 - 1 on
 *          (from 2^31 on 14, where it repeats more than genomes do), and the index.
 * threads  0: all processors that the process may use. Sorting takes one where the text repeats so. */
GPUSEQ_FM_INDEX_API gpuseq_fm_index_status gpuseq_fm_index_build(const char* text, uint64_t letters,
                                                                 const char* path, int threads);

typedef struct gpuseq_fm_index gpuseq_fm_index;

typedef struct {
  int threads;   /* that search, or prepare what a device searches; 0: all */
  int device;    /* number of the CUDA device; CPU libraries ignore it */
  int trusted;   /* not 0: only the head of the file is checked, and opening takes a moment whatever the size. Else all
                    of it is read once, and a search reads nothing outside the index whatever the file holds. */
  int in_memory; /* not 0: the index is copied to huge pages, where it is searched faster than where it is mapped, if
                    it is large. CUDA libraries always copy, to the device. */
} gpuseq_fm_index_options;

/* Opens an index. The file must not be changed while it is open.
 * options  NULL: all 0
 * index    set to NULL if the call fails; else to be closed */
GPUSEQ_FM_INDEX_API gpuseq_fm_index_status gpuseq_fm_index_open(const char* path,
                                                                const gpuseq_fm_index_options* options,
                                                                gpuseq_fm_index** index);

/* Bases of the text. */
GPUSEQ_FM_INDEX_API uint64_t gpuseq_fm_index_bases(const gpuseq_fm_index* index);

/* Rows of the suffix array, [low, high), numbered from 0, the empty suffix: low rows are smaller than the query, and
 * high - low is how often it occurs. */
typedef struct {
  uint64_t low, high;
} gpuseq_fm_index_interval;

/* Searches queries.
 * letters    all queries, one after the other
 * begin      [count + 1] where each begins in letters; the last: where the last one ends. Ascending
 * intervals  [count], overwritten. A query with another letter than A C G T has (0, 0), an empty one (0, bases + 1).
 * A query has fewer than 2^32 bases. */
GPUSEQ_FM_INDEX_API gpuseq_fm_index_status gpuseq_fm_index_search(gpuseq_fm_index* index, const char* letters,
                                                                  const uint64_t* begin, uint64_t count,
                                                                  gpuseq_fm_index_interval* intervals);

/* NULL is no index, and nothing is done. */
GPUSEQ_FM_INDEX_API void gpuseq_fm_index_close(gpuseq_fm_index* index);

#ifdef __cplusplus
}
#endif

#endif
