/* Counts how often each query occurs in a reference: example REFERENCE.fa QUERIES.fa [INDEX]. Forward strand only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpuseq_fm_index.h"

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

static void require(gpuseq_fm_index_status status) {
  if (status != GPUSEQ_FM_INDEX_OK) exit((fprintf(stderr, "%s\n", gpuseq_fm_index_message()), 1));
}

int main(int count, char** argument) {
  if (count < 3) return fputs("example REFERENCE.fa QUERIES.fa [INDEX]\n", stderr), 2;
  const char* path = count > 3 ? argument[3] : "example.index";
  uint64_t records = read_fasta(argument[1]);
  gpuseq_fm_index* index = NULL;
  require(gpuseq_fm_index_build(letters, begin[records], path, 0));
  require(gpuseq_fm_index_open(path, NULL, &index));
  records = read_fasta(argument[2]);
  gpuseq_fm_index_interval* found = malloc((records + 1) * sizeof *found);
  if (found == NULL) return perror("memory"), 1;
  require(gpuseq_fm_index_search(index, letters, begin, records, found));
  for (uint64_t i = 0; i < records; ++i) printf("%llu\n", (unsigned long long)(found[i].high - found[i].low));
  free(found);
  gpuseq_fm_index_close(index);
  return 0;
}
