/* The identity of the kernels in this build: their text, the compiler and its options. Made by the build. */
#ifndef ARCL_KERNEL_IDENTITY_H
#define ARCL_KERNEL_IDENTITY_H

extern const char kernel_identity[];

#endif
