#ifndef GPUSEQ_PLUGIN_H
#define GPUSEQ_PLUGIN_H

#include <stdint.h>

/* The C interface of plugins: your own kernel as a variant of a family, checked and timed like ours. A plugin is a
 * shared library that exports gpuseq_plugin_at(). docs/guides/plugins.md has the steps, examples/plugin complete plugins. */

#ifdef __cplusplus
extern "C" {
#endif

#define GPUSEQ_PLUGIN_ABI 1
/* A reason that begins so skips the case instead of failing it. */
#define GPUSEQ_UNSUPPORTED "unsupported: "

/* Family "fm_index": how often each pattern occurs in a text, on the forward strand; an occurrence may overlap another.
 * Answers: uint64_t[patterns]. */
typedef struct gpuseq_fm_index {
  const uint8_t* text; /* [bases] codes: 0 A, 1 C, 2 G, 3 T */
  uint64_t bases;
  const uint8_t* letters; /* codes of all patterns, one pattern after the other */
  const uint64_t* begin;  /* [patterns + 1] into letters */
  uint64_t patterns;
} gpuseq_fm_index;

/* Family "pairwise_distance": distances of all pairs of instances. A pair adds, over its attributes: "hamming" 1 if the
 * codes differ; "manhattan" and "ibs" |a - b|; "squared_euclidean" (a - b)^2. "euclidean" is the square root of the sum
 * of (a - b)^2 of values. Attributes that miss in either instance add nothing. Answers: gpuseq_distances. */
typedef struct gpuseq_pairwise_distance {
  const char* metric;
  uint64_t instances, attributes;
  uint32_t alphabet;      /* codes are 0 ... alphabet - 1; 0: values */
  const uint8_t* codes;   /* [instances][attributes]; NULL: values */
  const float* values;    /* [instances][attributes]; NULL: codes */
  const uint8_t* missing; /* [instances][attributes], 1: missing; NULL: none is */
} gpuseq_pairwise_distance;
typedef struct gpuseq_distances {
  uint32_t* sum;      /* [instances][instances], both halves; NULL: values */
  float* distance;    /* the same of values; NULL: codes */
  uint32_t* compared; /* [instances][instances] attributes that neither misses; NULL: none is missing */
} gpuseq_distances;

/* Family "profile_hmm": the scores of HMMER 3.3.2's filter "ssv", "msv" or "viterbi" in its own numbers, which
 * kernels/profile_hmm/oracle.cpp computes in 100 plain lines. Answers: int16_t[sequences]; 32767 is an overflow, -32767
 * the score of a sequence without residues. */
typedef struct gpuseq_profile_hmm {
  const char* filter;
  uint32_t states;        /* match states of the model */
  uint32_t residue_codes; /* rows of the tables */
  /* ssv and msv: unsigned bytes, thirds of bits */
  uint8_t base, bias, begin_match, end;
  const uint8_t* match_costs; /* [residue_codes][states], biased */
  /* viterbi: signed words, 1/500 bits */
  int16_t word_base, end_loop, end_move, delete_bound;
  const int16_t* match_scores; /* [residue_codes][states] */
  const int16_t* steps[8];     /* [states] each: BM, MM, IM, DM, MD, MI, II, DD */
  uint64_t sequences;
  const uint64_t* begin;   /* [sequences + 1] into residues */
  const uint8_t* residues; /* codes */
  const uint8_t* jump;     /* [sequences] cost of N, J and C to B or T, for the sequence's length */
  const int16_t* move;     /* the same as a score in words */
} gpuseq_profile_hmm;

typedef struct gpuseq_device {
  const char* id;       /* "cpu", "cuda:0" */
  int32_t cuda_ordinal; /* of the CUDA driver, whose primary context is current; -1: the CPU */
  void* stream;         /* cudaStream_t: launches go to this stream, which the clock's events are on */
  int32_t threads;      /* CPU: of the case's axis "threads" */
} gpuseq_device;

typedef struct gpuseq_input {
  const void* problem;       /* gpuseq_<family>, valid until release() */
  const int64_t* parameters; /* one value for each of the plugin's parameters */
  gpuseq_device device;
} gpuseq_input;

/* Blocks of a launch whose places are spread over at least so many bytes, with those of all larger classes. */
typedef struct gpuseq_traffic_class {
  uint64_t footprint_bytes;
  double blocks;
} gpuseq_traffic_class;

/* What a launch costs, counted for the given problem; all is 0 before the call. */
typedef struct gpuseq_cost {
  uint64_t index_bytes, other_bytes; /* the memory that a launch reads and writes */
  /* Random memory access: blocks of gpuseq_plugin.block_bytes that a launch fetches. */
  double blocks;
  uint64_t footprint_bytes;
  const gpuseq_traffic_class* classes; /* ascending, adding up to blocks; NULL: all places are alike */
  uint32_t class_count;
  /* Execution: instructions of a launch, one number for each of gpuseq_plugin.operations. CPU: vector instructions of
   * all threads; CUDA: lane operations, threads x instructions. */
  const double* operations;
} gpuseq_cost;

/* An axis of the search space of `tune`. */
typedef struct gpuseq_parameter {
  const char* name; /* lower-case letters, digits and '_' */
  const char* meaning;
  const int64_t* values;
  uint32_t value_count;
  int64_t default_value;
} gpuseq_parameter;

/* Functions return NULL, or the reason why they failed, which stays valid until the next call. */
typedef struct gpuseq_plugin {
  /* These are at the same places in every version of this interface. */
  uint32_t abi; /* GPUSEQ_PLUGIN_ABI */
  const char *family, *name, *summary, *device; /* device: "cpu" or "cuda" */

  const gpuseq_parameter* parameters;
  uint32_t parameter_count;

  /* The kinds of cost that cost() counts; from these the probes of its bound are chosen before any data are loaded. */
  uint32_t block_bytes;        /* 0: no random access is counted */
  int32_t dependent;           /* 1: the next address depends on the last block's content */
  double footprint_per_letter; /* footprint_bytes is at most so much per letter of the data (bases, values, residues) */
  const char* const* operations; /* values of the axis `operation` of the probe instruction_throughput */
  uint32_t operation_count;      /* 0: none are counted */
  const char* target;            /* CPU: the instruction set of the operations, the probe's axis `target`; else NULL */

  const char* (*prepare)(const gpuseq_input* input, void** state);
  /* Does the work once. CPU: returns when it is done. CUDA: enqueues it on the stream. */
  const char* (*launch)(void* state);
  /* Copies the answers of the last launch, which is complete. @param answers  as the family says, to be overwritten */
  const char* (*answers)(void* state, void* answers);
  const char* (*cost)(void* state, gpuseq_cost* cost); /* NULL: there is no bound */
  void (*release)(void* state);
} gpuseq_plugin;

/* The plugins of this library: index 0, 1, ...; NULL behind the last. */
const gpuseq_plugin* gpuseq_plugin_at(uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
