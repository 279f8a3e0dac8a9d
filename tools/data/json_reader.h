/* The ordinary part of JSON, read straight into nodes: what files of tasks and vectors are made of. It understands less
 * than jansson does and refuses nothing: what it does not understand is left to jansson, which knows what is wrong
 * with it or that nothing is. So whatever is read here must mean the same to jansson; the fuzz target json compares. */
#ifndef ARCL_JSON_READER_H
#define ARCL_JSON_READER_H
#include "data/json_node.h"

/* Reads a text, an array or an object, into `memory`. Returns 0, or -1 if it has anything that is out of the ordinary:
 * then *root is not set. */
int json_reader_read(const char *text, size_t length, hoard *memory, json_node *root);

#endif
