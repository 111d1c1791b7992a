# The files of files.lua, as data of the module.
    .section .rodata.web_files,"",@
    .globl web_files
    .globl web_files_end
    .p2align 4
web_files:
    .incbin "web_files.bin"
    .size web_files, .-web_files
web_files_end:
    .int8 0
    .size web_files_end, 1
