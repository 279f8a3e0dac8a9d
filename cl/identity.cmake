# Names the kernels of this build: cmake -DCL=<folder of the kernels> -DBUILD=<compiler and options> -DOUT=<file.c> -P identity.cmake
#
# Measurements are valid for the text of the kernels and for what compiled it. A profile of other ones is not used.
cmake_minimum_required(VERSION 3.25)
file(GLOB files ${CL}/*.cl ${CL}/*.h)
list(SORT files)
set(all "${BUILD}")
foreach(file ${files})
    file(READ ${file} text)
    string(APPEND all "${text}")
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING ${hash} 0 16 hash)
file(WRITE ${OUT} "/* Made by cl/identity.cmake. */\n#include \"base/kernel_identity.h\"\n\nconst char kernel_identity[] = \"${hash}\";\n")
