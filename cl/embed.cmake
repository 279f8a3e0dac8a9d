# Turns the kernels into a C file: cmake -DCL=<folder of the kernels> -DOUT=<file.c> -P embed.cmake
#
# Every family (FAMILY.cl) becomes one array of bytes, with the headers that it includes put in its place. A header comes
# once per family. `#line` before each piece keeps the numbers of cl/.
cmake_minimum_required(VERSION 3.25)

# Appends the text of a file to `text`, and to `seen` what it includes.
function(expand file)
    file(READ ${CL}/${file} rest)
    set(line 1)
    string(APPEND text "#line 1 \"cl/${file}\"\n")
    while(rest MATCHES "(^|\n)(#include \"([^\"\n]+)\"[^\n]*\n)")
        set(header ${CMAKE_MATCH_3})
        string(FIND "${rest}" "${CMAKE_MATCH_2}" at)
        string(LENGTH "${CMAKE_MATCH_2}" length)
        string(SUBSTRING "${rest}" 0 ${at} before)
        math(EXPR at "${at} + ${length}")
        string(SUBSTRING "${rest}" ${at} -1 rest)
        string(APPEND text "${before}")
        string(REGEX REPLACE "[^\n]+" "" newlines "${before}")
        string(LENGTH "${newlines}" newlines)
        math(EXPR line "${line} + ${newlines} + 1")
        if(NOT EXISTS ${CL}/${header})
            string(APPEND text "#error \"${header} is not a kernel header\"\n") # in what only the host compiles
        elseif(NOT header IN_LIST seen)
            list(APPEND seen ${header})
            expand(${header})
        endif()
        string(APPEND text "#line ${line} \"cl/${file}\"\n")
    endwhile()
    string(APPEND text "${rest}")
    set(text "${text}" PARENT_SCOPE)
    set(seen "${seen}" PARENT_SCOPE)
endfunction()

file(GLOB files RELATIVE ${CL} ${CL}/*.cl)
list(SORT files)
set(arrays "")
set(rows "")
set(all "")
foreach(file ${files})
    string(REGEX REPLACE "\\.cl$" "" family ${file})
    set(text "")
    set(seen "")
    expand(${file})
    string(APPEND all "${text}")
    string(HEX "${text}" bytes)
    string(REGEX REPLACE "(................................................)" "\\1\n" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND arrays "static const unsigned char text_${family}[] = {\n${bytes}\n};\n\n")
    string(APPEND rows "    {\"${family}\", (const char *)text_${family}, sizeof text_${family}},\n")
endforeach()
list(LENGTH files count)
string(SHA256 hash "${all}")
string(SUBSTRING ${hash} 0 16 hash)

file(WRITE ${OUT} "/* Made by cl/embed.cmake. */\n#include \"opencl/sources.h\"\n\n${arrays}"
     "const opencl_source opencl_sources[] = {\n${rows}};\n\n"
     "const int opencl_source_count = ${count};\nconst uint64_t opencl_sources_hash = 0x${hash};\n")
