/* The reader of ordinary JSON against jansson. What tests and fuzzing share. */
#ifndef ARCL_JSON_AGREEMENT_H
#define ARCL_JSON_AGREEMENT_H
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "data/json_reader.h"

typedef enum json_verdict {
    JSON_READ,         /* and jansson reads the same */
    JSON_LEFT,         /* to jansson, which reads it */
    JSON_LEFT_REFUSED, /* to jansson, which refuses it */
    JSON_DISAGREED
} json_verdict;

/* Whether a node writes as the tree does: values, and the order of members. */
static inline int json_is_written_alike(json_node node, const json_t *tree) {
    json_t *copy = node_to_json(node);
    char *ours = json_dumps(copy, JSON_COMPACT), *theirs = json_dumps(tree, JSON_COMPACT);
    int alike = ours && theirs && strcmp(ours, theirs) == 0 && json_equal(copy, tree);
    free(ours);
    free(theirs);
    json_decref(copy);
    return alike;
}

/* The text is copied, so that a sanitizer finds reading beyond its end. A tree copied into nodes is looked at too. */
static inline json_verdict json_judge(const void *text, size_t length) {
    char *exact = malloc(length + !length);
    hoard memory = {0};
    json_node node;
    if (!exact) abort();
    if (length) memcpy(exact, text, length);
    int left = json_reader_read(exact, length, &memory, &node);
    json_t *tree = json_loadb(exact, length, JSON_REJECT_DUPLICATES, NULL);
    json_verdict verdict = !left ? JSON_READ : tree ? JSON_LEFT : JSON_LEFT_REFUSED;
    if (!left && (!tree || !json_is_written_alike(node, tree))) verdict = JSON_DISAGREED;
    if (tree && !json_is_written_alike(node_of_json(&memory, tree), tree)) verdict = JSON_DISAGREED;
    json_decref(tree);
    hoard_free(&memory);
    free(exact);
    return verdict;
}

#endif
