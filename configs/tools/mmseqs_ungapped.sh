#!/bin/sh
# mmseqs_ungapped, the external tool that asks MMseqs2 which sequences are like a profile's consensus, without gaps.
#
#   mmseqs_ungapped consensus MODEL FASTA            the residue that each state emits most, as a sequence
#   mmseqs_ungapped index MODEL SEQUENCES FOLDER     both as databases of mmseqs
#   mmseqs_ungapped pad FOLDER                       adds the database for GPUs
#   mmseqs_ungapped search THREADS P FOLDER OUT      lists what is as good with this probability at most
#   mmseqs_ungapped gpu P FOLDER OUT                 the same on a GPU
#
# OUT has the number of a sequence, from 1, and its score in each line. mmseqs reads no profile of HMMER, so it gets the
# consensus. It names sequences by keys from 0 in the order of the file (--shuffle 0), takes an E value (P times the
# number of sequences), and leaves a file for each thread. The database for GPUs is in the order of lengths; its lookup
# has the keys of the other one in column 3. MMSEQS is the program, mmseqs of PATH where it is not set.
set -eu
mmseqs=${MMSEQS:-mmseqs}
list_hits() {  # the keys from 0 on standard input
  tr -d '\0' | awk 'NF { print $1 + 1 "\t" $2 }'
}
search() {  # P FOLDER TARGETS OUT [OPTIONS]; prints the seconds that mmseqs says
  p=$1 folder=$2 targets=$3 out=$4
  shift 4
  rm -f "$out".db*
  expected=$(awk -v p="$p" 'END { print p * NR }' "$folder/targets.index")
  "$mmseqs" ungappedprefilter "$folder/query" "$targets" "$out.db" -e "$expected" --max-seqs 1000000000 "$@" -v 3 |
    awk '/^Time for processing:/ { gsub(/[hms]/, ""); print "seconds " $4 * 3600 + $5 * 60 + $6 + $7 / 1000 }'
  rm "$out".db.index "$out".db.dbtype
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
  search "$3" "$4" "$4/targets" "$5" --threads "$2"
  cat "$5".db* | list_hits >"$5"
  ;;
gpu)
  search "$2" "$3" "$3/padded" "$4" --gpu 1
  cat "$4".db* | tr -d '\0' |
    awk 'NR == FNR { key[$1] = $3; next } NF { print key[$1] + 1 "\t" $2 }' "$3/padded.lookup" - >"$4"
  ;;
esac
