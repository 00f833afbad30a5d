# cmake -DSOURCE=<checkout> -DOUT=<header> -P git_commit.cmake: writes the commit, "+changes" after it where
# tracked files differ. The header is touched only when its text changes, so that one file is compiled anew.
execute_process(COMMAND git -C ${SOURCE} rev-parse HEAD OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE
                RESULT_VARIABLE failed ERROR_QUIET)
if(failed)
  set(commit "unknown")
else()
  execute_process(COMMAND git -C ${SOURCE} diff --quiet HEAD -- RESULT_VARIABLE changed ERROR_QUIET)
  if(changed)
    string(APPEND commit "+changes")
  endif()
endif()
file(WRITE ${OUT}.new "#pragma once\n#define GPUSEQ_COMMIT \"${commit}\"\n")
file(COPY_FILE ${OUT}.new ${OUT} ONLY_IF_DIFFERENT)
