# embed(target name file): links the bytes of `file` into `target`. C++ reaches them through
# runtime/io/embedded.hpp:  GPUSEQ_EMBEDDED(name) -> std::string_view.
enable_language(ASM)
function(embed target name file)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.S)
  file(WRITE ${out}.new "    .section .rodata
    .balign 64
    .global gpuseq_embedded_${name}_begin
gpuseq_embedded_${name}_begin:
    .incbin \"${file}\"
    .global gpuseq_embedded_${name}_end
gpuseq_embedded_${name}_end:
    .byte 0
    .section .note.GNU-stack,\"\",@progbits
")
  file(COPY_FILE ${out}.new ${out} ONLY_IF_DIFFERENT)
  set_source_files_properties(${out} PROPERTIES OBJECT_DEPENDS ${file})
  target_sources(${target} PRIVATE ${out})
endfunction()
