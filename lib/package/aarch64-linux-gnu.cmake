# For CMake: builds arcl for 64-bit ARM with Debian's cross compiler. docs/library.md says what to install.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(machine aarch64-linux-gnu)
set(CMAKE_C_COMPILER ${machine}-gcc)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/${machine}/pkgconfig:/usr/share/pkgconfig) # what pkg-config finds is the target's
find_program(QEMU_AARCH64 NAMES qemu-aarch64-static qemu-aarch64) # runs the command, which writes its own manual
if(QEMU_AARCH64)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${QEMU_AARCH64})
endif()
