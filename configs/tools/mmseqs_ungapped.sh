#!/bin/sh
# mmseqs_ungapped, the external tool that asks MMseqs2 which sequences are like a profile's consensus, without gaps.
#
#   mmseqs_ungapped consensus MODEL FASTA            the residue that each state emits most, as a sequence
#   mmseqs_ungapped index MODEL SEQUENCES FOLDER     both as databases of mmseqs
#   mmseqs_ungapped pad FOLDER                       adds the database for GPUs
#   mmseqs_ungapped search THREADS P FOLDER OUT      lists what is as good with this probability at most, of the best
#   mmseqs_ungapped gpu P FOLDER OUT                 lists the best on a GPU: a share P of the sequences
#   mmseqs_ungapped marv_index PROGRAMS MODEL SEQUENCES FOLDER
#   mmseqs_ungapped marv PROGRAMS P FOLDER OUT       as gpu, by libmarv's own programs in a folder; prints seconds
#
# OUT has the number of a sequence, from 1, and its score in each line. mmseqs reads no profile of HMMER, so it gets the
# consensus. It names sequences by keys from 0 in the order of the file (--shuffle 0), takes an E value (P times the
# number of sequences), and leaves a file for each thread. This filter ignores the E value on GPUs and since version 16, so it
# is asked for a number of sequences, too. The database for GPUs is in the order of lengths; its lookup has the keys of the
# other one in column 3. MMSEQS is the program, mmseqs of PATH where it is not set. libmarv is MMseqs2's library for GPUs;
# its program align gets the query eleven times. The seconds are the median of its scans but the first, with the database
# on the GPU.
set -eu
mmseqs=${MMSEQS:-mmseqs}
list_hits() {  # the keys from 0 on standard input
  tr -d '\0' | awk 'NF { print $1 + 1 "\t" $2 }'
}
search() {  # FOLDER TARGETS OUT OPTIONS
  folder=$1 targets=$2 out=$3
  shift 3
  rm -f "$out".db*
  "$mmseqs" ungappedprefilter "$folder/query" "$targets" "$out.db" "$@" -v 1
  rm "$out".db.index "$out".db.dbtype
}
expected() {  # P COUNT
  awk -v p="$1" -v count="$2" 'BEGIN { print p * count }'
}
best() {  # P COUNT: a whole number of at least 1
  awk -v p="$1" -v count="$2" 'BEGIN { print (p * count > 1 ? int(p * count) : 1) }'
}
case $1 in
consensus)
  awk '/^HMM /    { for (i = 2; i <= NF; ++i) letter[i] = $i; next }
       /^\/\//    { exit }
       $1 == count + 1 && NF > 21 {  # emissions of a state, as negative logarithms
         best = 2
         for (i = 3; i <= 21; ++i) if ($best == "*" || ($i != "*" && $i + 0 < $best + 0)) best = i
         consensus = consensus letter[best]
         ++count
       }
       END        { print ">consensus\n" consensus }' "$2" >"$3"
  ;;
index)
  "$0" consensus "$2" "$4/consensus.fa"
  "$mmseqs" createdb "$4/consensus.fa" "$4/query" -v 1
  "$mmseqs" createdb "$3" "$4/targets" --shuffle 0 -v 1
  ;;
pad)
  "$mmseqs" makepaddedseqdb "$2/targets" "$2/padded" --mask 0 --write-lookup 1 -v 1
  ;;
search)
  count=$(wc -l <"$4/targets.index")
  search "$4" "$4/targets" "$5" -e "$(expected "$3" "$count")" --max-seqs "$(best "$3" "$count")" --threads "$2"
  cat "$5".db* | list_hits >"$5"
  ;;
gpu)
  search "$3" "$3/padded" "$4" --gpu 1 --max-seqs "$(best "$2" "$(wc -l <"$3/padded.index")")"
  cat "$4".db* | tr -d '\0' |
    awk 'NR == FNR { key[$1] = $3; next } NF { print key[$1] + 1 "\t" $2 }' "$3/padded.lookup" - >"$4"
  ;;
marv_index)
  "$0" consensus "$3" "$5/consensus.fa"
  for _ in 0 1 2 3 4 5 6 7 8 9 10; do cat "$5/consensus.fa"; done >"$5/queries.fa"
  awk '/^>/ { print ">" ++count; next } { print }' "$4" >"$5/numbered.fa"
  "$2/makedb" "$5/numbered.fa" "$5/database"
  grep -c '^>' "$5/numbered.fa" >"$5/count"
  rm "$5/numbered.fa"
  ;;
marv)
  "$2/align" --query "$4/queries.fa" --db "$4/database" --scanType Gapless --uploadFull --verbose --tsv --of "$5.tsv" \
    --top "$(best "$3" "$(cat "$4/count")")" |
    sed -n 's/.*Done\. Scan time: \([^ ]*\) s.*/\1/p' | sed 1d | sort -g |
    awk '{ seconds[NR] = $1 } END { if (NR) print "seconds " (seconds[int((NR + 1) / 2)] + seconds[int(NR / 2) + 1]) / 2 }'
  awk -F '\t' '$1 == "0" { print $7 "\t" $5 }' "$5.tsv" >"$5"
  ;;
esac
