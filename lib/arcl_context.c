/* Contexts for users: made, and freed with all that the rooms keep in them. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "keep/cache.h"
#include "plan/selector.h"
#include "run/devices.h"
#include "similarity/similarity.h"

/* Replaces a text of the caller's, which may be gone when it is needed, by a copy. 0 when there is no memory. */
static int copy_text(const char **text) {
    if (!*text) return 1;
    return (*text = strdup(*text)) != NULL;
}

static arcl_status start(arcl_context *c, arcl_error *error) {
    PROPAGATE(context_reserve(c, error));
    PROPAGATE(devices_open(c, error));
    return context_start_threads(c, error);
}

arcl_status arcl_context_create(const arcl_options *options, arcl_context **context, arcl_error *error) {
    error_clear(error);
    NEED(context);
    arcl_context *c = calloc(1, sizeof *c);
    *context = NULL;
    if (!c) return NO_MEMORY(error);
    if (options) c->options = *options;
    int copied = copy_text(&c->options.device) & copy_text(&c->options.profile); /* both in any case: both are freed */
    pthread_mutex_init(&c->lock, NULL);
    storage_start(&c->results);
    arcl_status status = copied ? start(c, error) : NO_MEMORY(error);
    if (status != ARCL_SUCCESS) {
        arcl_context_free(c);
        return status;
    }
    *context = c;
    return ARCL_SUCCESS;
}

void arcl_context_free(arcl_context *c) {
    if (!c) return;
    cache_close(c);
    selector_close(c);
    similarity_free(c);
    devices_close(c);
    context_stop(c);
    if (c->op_types) c->op_types->forget(c->op_types);
    pthread_mutex_destroy(&c->lock);
    storage_end(&c->results);
    free((char *)c->options.device);
    free((char *)c->options.profile);
    free(c);
}
