# Makes a C file of texts that the command carries: cmake -DOUT=FILE -DFILES=A;B -P embed-text.cmake defines, for a file
# page.css, `const char page_css[]`. tools/draw/page_text.h declares them.
set(code "/* Made by tools/draw/embed-text.cmake. */\n#include \"draw/page_text.h\"\n")
foreach(path IN LISTS FILES)
    file(READ "${path}" text)
    cmake_path(GET path FILENAME name)
    string(MAKE_C_IDENTIFIER "${name}" name)
    string(REPLACE "\\" "\\\\" text "${text}")
    string(REPLACE "\"" "\\\"" text "${text}")
    string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
    string(APPEND code "\nconst char ${name}[] =\n    \"${text}\";\n")
endforeach()
file(WRITE "${OUT}" "${code}")
