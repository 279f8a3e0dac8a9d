/* JSON that is read, looked at and forgotten, from files and from lines of them. */
#ifndef ARCL_JSON_FILE_H
#define ARCL_JSON_FILE_H
#include "data/json_node.h"

/* Before anything else uses jansson, and before there are threads. From then on no function of jansson fails for want
 * of memory: that ends the command. */
void json_file_prepare(void);

/* What a text says, in `memory`. `flags` are jansson's, beside JSON_REJECT_DUPLICATES. Returns 0, or -1 with what
 * jansson has against it in *error. */
int json_text_read(const char *text, size_t length, size_t flags, hoard *memory, json_node *root, json_error_t *error);

/* What a file says, whatever value that is. Returns 0, or -1: `why` says why it is refused, with the file's name. */
int json_file_read(const char *path, hoard *memory, json_node *root, char *why, size_t size);

#endif
