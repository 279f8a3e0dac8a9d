#include "data/failure_json.h"

#include "cli/json_text.h"

json_t *failure_json_make(const arcl_failure *f) {
    json_t *elements = json_array();
    for (int i = 0; i < f->depth; i++) {
        const arcl_failure_level *l = &f->level[i];
        json_array_append_new(elements, l->kind == ARCL_LEVEL_PAIR ? json_pack("[ii]", (int)l->index, (int)l->other)
                                                                   : json_integer(l->index));
    }
    return json_pack("{ss ss si si so so}", "status", arcl_lane_status_name(f->status), "op", f->op, "line",
                     (int)f->line, "column", (int)f->column, "elements", elements, "message", json_text(f->message));
}
