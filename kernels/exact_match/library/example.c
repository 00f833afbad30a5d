/* Lists maximal exact matches: example REFERENCE.fa QUERIES.fa [LENGTH [INDEX]]. Prints numbers of query and sequence, and positions from 1. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpuseq_exact_match.h"

static char letters[1 << 28]; /* of one file */
static uint64_t begin[1 << 22];

static uint64_t read_fasta(const char* path) { /* -> records; the letters of record i begin at begin[i] */
  char line[1 << 16];
  uint64_t records = 0, used = 0;
  FILE* file = fopen(path, "r");
  if (file == NULL) exit((perror(path), 1));
  while (fgets(line, sizeof line, file) != NULL) {
    const size_t length = strcspn(line, "\r\n");
    if (used + length > sizeof letters || records + 1 >= sizeof begin / sizeof *begin) exit((puts("too large"), 1));
    if (line[0] == '>') begin[records++] = used;
    else if (records > 0) memcpy(letters + used, line, length), used += length;
  }
  fclose(file);
  begin[records] = used;
  return records;
}

static void require(gpuseq_exact_match_status status) {
  if (status != GPUSEQ_EXACT_MATCH_OK) exit((fprintf(stderr, "%s\n", gpuseq_exact_match_message()), 1));
}

int main(int count, char** argument) {
  if (count < 3) return fputs("example REFERENCE.fa QUERIES.fa [LENGTH [INDEX]]\n", stderr), 2;
  const char* path = count > 4 ? argument[4] : "example.index";
  const gpuseq_exact_match_options options = {.min_length = count > 3 ? (uint32_t)atoi(argument[3]) : 0};
  uint64_t records = read_fasta(argument[1]), matches = 0;
  gpuseq_exact_match* index = NULL;
  gpuseq_exact_match_found* found = NULL;
  require(gpuseq_exact_match_build(letters, begin, records, path, 0));
  require(gpuseq_exact_match_open(path, &options, &index));
  records = read_fasta(argument[2]);
  require(gpuseq_exact_match_search(index, letters, begin, records, &found, &matches));
  for (uint64_t i = 0; i < matches; ++i)
    printf("%llu %u %u %u %u\n", (unsigned long long)found[i].query + 1, found[i].sequence + 1,
           found[i].sequence_position + 1, found[i].query_position + 1, found[i].length);
  gpuseq_exact_match_free(found);
  gpuseq_exact_match_close(index);
  return 0;
}
