#!/bin/sh
# mmseqs_ungapped, the external tool that asks MMseqs2 which sequences are like a profile's consensus, without gaps.
#
#   mmseqs_ungapped index MODEL SEQUENCES FOLDER     both as databases of mmseqs
#   mmseqs_ungapped search THREADS P FOLDER OUT      lists what is as good with this probability at most
#
# OUT has the number of a sequence, from 1, and its score in each line. mmseqs reads no profile of HMMER, so it gets the
# residue that each state emits most. It names sequences by keys from 0 in the order of the file (--shuffle 0), takes an
# E value (P times the number of sequences), and leaves a file for each thread.
set -eu
if [ "$1" = index ]; then
  awk '/^HMM /    { for (i = 2; i <= NF; ++i) letter[i] = $i; next }
       /^\/\//    { exit }
       $1 == count + 1 && NF > 21 {  # emissions of a state, as negative logarithms
         best = 2
         for (i = 3; i <= 21; ++i) if ($best == "*" || ($i != "*" && $i + 0 < $best + 0)) best = i
         consensus = consensus letter[best]
         ++count
       }
       END        { print ">consensus\n" consensus }' "$2" >"$4/consensus.fa"
  mmseqs createdb "$4/consensus.fa" "$4/query" -v 1
  mmseqs createdb "$3" "$4/targets" --shuffle 0 -v 1
else
  threads=$2 p=$3 folder=$4 out=$5
  rm -f "$out".db*
  expected=$(awk -v p="$p" 'END { print p * NR }' "$folder/targets.index")
  mmseqs ungappedprefilter "$folder/query" "$folder/targets" "$out.db" -e "$expected" --max-seqs 1000000000 \
    --threads "$threads" -v 1
  rm "$out".db.index "$out".db.dbtype
  cat "$out".db* | tr -d '\0' | awk 'NF { print $1 + 1 "\t" $2 }' >"$out"
fi
