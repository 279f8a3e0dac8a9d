# Makes a C file of texts that the command carries: cmake -DOUT=FILE -DFILES=A;B -P embed-text.cmake defines, for a file
# page.css, `const char page_css[]`. tools/draw/page_text.h declares them. They are bytes, not strings: C promises no more
# than 4095 characters of one.
set(code "/* Made by tools/draw/embed-text.cmake. */\n#include \"draw/page_text.h\"\n")
foreach(path IN LISTS FILES)
    file(READ "${path}" bytes HEX)
    cmake_path(GET path FILENAME name)
    string(MAKE_C_IDENTIFIER "${name}" name)
    string(REGEX REPLACE "(................................)" "\\1\n    " bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " bytes "${bytes}")
    string(APPEND code "\nconst char ${name}[] = {\n    ${bytes}0};\n")
endforeach()
file(WRITE "${OUT}" "${code}")
