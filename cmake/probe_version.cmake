# cmake -DSOURCE=<checkout> -DFILES=<list> -DMORE=<text> -DOUT=<header> -P probe_version.cmake: writes a hash of what
# decides what a probe measures: the sources in the list, relative to the checkout, and the text (compiler, flags).
# Not of their dates: a checkout that goes back and forth finds the cards that it made.
set(all "${MORE}")
foreach(file ${FILES})
  file(SHA256 ${SOURCE}/${file} hash)
  string(APPEND all "\n${file} ${hash}")
endforeach()
string(SHA256 version "${all}")
string(SUBSTRING ${version} 0 16 version)
file(WRITE ${OUT}.new "#pragma once\n#define GPUSEQ_PROBE_VERSION \"${version}\"\n")
file(COPY_FILE ${OUT}.new ${OUT} ONLY_IF_DIFFERENT)
