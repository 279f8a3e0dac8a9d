# How the compiler makes one object of many, so that names which are internal can be made local in it. Flags and target are
# those of the objects, without what would add libraries. Objects for link-time optimization become machine code by that:
# in intermediate code no name can be made local. Whether all this works is tried, with a small object: linkers and plugins
# differ.
function(find_merge_flags flags works)
    string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
    separate_arguments(found NATIVE_COMMAND "${CMAKE_C_COMPILER_ARG1} ${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${config}}")
    list(FILTER found EXCLUDE REGEX "^(-fsanitize|-fprofile|--coverage)")
    foreach(part TARGET EXTERNAL_TOOLCHAIN)
        if(CMAKE_C_COMPILER_${part})
            list(APPEND found "${CMAKE_C_COMPILE_OPTIONS_${part}}${CMAKE_C_COMPILER_${part}}")
        endif()
    endforeach()
    if(CMAKE_SYSROOT)
        list(APPEND found "${CMAKE_C_COMPILE_OPTIONS_SYSROOT}${CMAKE_SYSROOT}")
    endif()
    separate_arguments(linking NATIVE_COMMAND "${CMAKE_EXE_LINKER_FLAGS}")
    list(FILTER linking INCLUDE REGEX "^-fuse-ld=")
    list(APPEND found ${linking})
    if(CMAKE_INTERPROCEDURAL_OPTIMIZATION OR CMAKE_INTERPROCEDURAL_OPTIMIZATION_${config})
        list(APPEND found ${CMAKE_C_COMPILE_OPTIONS_IPO})
    endif()
    if("${found}" MATCHES "-flto" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
        list(APPEND found -flinker-output=nolto-rel)
    endif()
    set(${flags} ${found} PARENT_SCOPE)

    set(${works} OFF PARENT_SCOPE)
    if(NOT CMAKE_OBJCOPY)
        return()
    endif()
    set(part ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/merge_part)
    file(WRITE ${part}.c "int merge_part;\n")
    execute_process(
        COMMAND ${CMAKE_C_COMPILER} ${found} -fPIC -c ${part}.c -o ${part}.o
        COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${CMAKE_C_COMPILER} ${found} -r -nostdlib -o ${part}_merged.o ${part}.o
                    RESULT_VARIABLE merging OUTPUT_QUIET ERROR_QUIET)
    execute_process(COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${part}_merged.o
                    RESULT_VARIABLE localizing OUTPUT_QUIET ERROR_QUIET)
    if(merging EQUAL 0 AND localizing EQUAL 0)
        set(${works} ON PARENT_SCOPE)
    endif()
endfunction()
