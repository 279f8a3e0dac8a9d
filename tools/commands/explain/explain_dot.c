/* The plan as a graph for graphviz: ops in the colour of their device, scopes as boxes, and on every edge over which a
 * value moves to another device how much that is. */
#include <string.h>

#include "cli/files.h"
#include "cli/number_text.h"
#include "commands/explain/explain.h"

enum { TEXT = 64 };

/* Light fills, on which black text can be read; the shape of the border tells devices apart in grey. */
static const struct {
    const char *fill, *style;
} looks[] = {{"#dfe7f2", "filled"},           {"#ffd9a8", "filled,rounded"},  {"#c9efd8", "filled,dashed"},
             {"#f3cfe0", "filled,diagonals"}, {"#d8d4f7", "filled"},          {"#efefb5", "filled,rounded"},
             {"#c4ecf5", "filled,dashed"},    {"#dddddd", "filled,diagonals"}};

static int device_index(const arcl_plan *plan, const char *id) {
    for (int i = 0; i < arcl_plan_devices(plan); i++)
        if (strcmp(arcl_plan_device_get(plan, i).device, id) == 0) return i;
    return 0;
}

static void put_quoted(FILE *out, const char *text) {
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') putc('\\', out);
        putc(c < 32 || c > 126 ? '?' : c, out);
    }
}

static void put_node(FILE *out, const arcl_plan *plan, int index) {
    arcl_plan_op op = arcl_plan_op_get(plan, index);
    int device = device_index(plan, op.device) % (int)(sizeof looks / sizeof looks[0]);
    char name[TEXT], time[TEXT], lanes[TEXT];
    fprintf(out, "n%d [label=\"", index);
    put_quoted(out, explain_op_text(&op, name, sizeof name));
    fprintf(out, "\\n%s lanes on %s\\n%s\" fillcolor=\"%s\" style=\"%s\"];\n",
            count_text(op.lanes, lanes, sizeof lanes), op.device,
            op.measured ? time_text(op.queue + op.execution, time, sizeof time) : "unmeasured", looks[device].fill,
            looks[device].style);
}

/* A scope's own ops, then the scopes below it. The batch's lanes and what they share are no boxes of their own. */
static void put_scope(FILE *out, const arcl_plan *plan, unsigned scope) {
    int count = arcl_plan_ops(plan);
    for (int i = 0; i < count; i++)
        if (arcl_plan_op_get(plan, i).scope == scope) put_node(out, plan, i);
    for (int i = 0; i < count; i++) {
        arcl_plan_op op = arcl_plan_op_get(plan, i);
        int is_first = op.scope != scope && op.scope_above == scope && op.depth > 1;
        for (int n = 0; n < i; n++) is_first &= arcl_plan_op_get(plan, n).scope != op.scope;
        if (!is_first) continue;
        fprintf(out, "subgraph cluster_%u { label=\"\"; color=\"#888888\"; style=\"rounded\";\n", op.scope);
        put_scope(out, plan, op.scope);
        fputs("}\n", out);
    }
}

static void put_move(FILE *out, double bytes) {
    char text[TEXT];
    fprintf(out, " [label=\" %s\" penwidth=2.5 color=\"#b03030\" fontcolor=\"#b03030\"]",
            bytes_text(bytes, text, sizeof text));
}

static void put_edges(FILE *out, const arcl_plan *plan, int index) {
    arcl_plan_op op = arcl_plan_op_get(plan, index);
    arcl_plan_info info = arcl_plan_get(plan);
    int on_host = strcmp(op.device, "host") == 0;
    for (int i = 0; i < op.inputs; i++) {
        int from = op.input[i];
        if (from == ARCL_PLAN_INPUT) {
            fprintf(out, "input -> n%d", index);
            if (!on_host) put_move(out, info.input_bytes);
        } else {
            arcl_plan_op maker = arcl_plan_op_get(plan, from);
            fprintf(out, "n%d -> n%d", from, index);
            if (strcmp(maker.device, op.device) != 0) put_move(out, maker.bytes);
        }
        fputs(";\n", out);
    }
    if (!op.is_result) return;
    fprintf(out, "n%d -> result", index);
    if (!on_host) put_move(out, op.bytes);
    fputs(";\n", out);
}

static void put_legend(FILE *out, const arcl_plan *plan) {
    char time[TEXT];
    fputs("subgraph cluster_legend { label=\"if everything ran on\"; fontsize=11; color=\"#cccccc\";\n", out);
    for (int i = 0; i < arcl_plan_devices(plan); i++) {
        arcl_plan_device d = arcl_plan_device_get(plan, i);
        int look = i % (int)(sizeof looks / sizeof looks[0]);
        fprintf(out, "d%d [label=\"", i);
        put_quoted(out, d.device);
        fputs(" ", out);
        put_quoted(out, d.name);
        fprintf(out, "\\n%s\" fillcolor=\"%s\" style=\"%s\"];\n",
                d.able      ? time_text(d.total, time, sizeof time)
                : *d.reason ? "not used"
                            : "cannot run all",
                looks[look].fill, looks[look].style);
        if (i) fprintf(out, "d%d -> d%d [style=invis];\n", i - 1, i);
    }
    fputs("}\n", out);
}

static void put_graph(FILE *out, const explained *e) {
    arcl_plan_info info = arcl_plan_get(e->plan);
    char lanes[TEXT], time[TEXT];
    fputs("digraph plan {\nlabelloc=t; fontname=\"DejaVu Sans\"; fontsize=15; label=\"", out);
    put_quoted(out, e->program);
    fprintf(out, ": %s lanes, predicted %s\\n\";\n", count_text(info.lanes, lanes, sizeof lanes),
            time_text(info.predicted, time, sizeof time));
    fputs("node [shape=box fontname=\"DejaVu Sans\" fontsize=11]; edge [fontname=\"DejaVu Sans\" fontsize=10];\n"
          "input [shape=ellipse]; result [shape=ellipse];\n",
          out);
    put_legend(out, e->plan);
    put_scope(out, e->plan, 0);
    put_scope(out, e->plan, 1);
    for (int i = 0; i < arcl_plan_ops(e->plan); i++) put_edges(out, e->plan, i);
    fputs("}\n", out);
}

int explain_dot(const explained *e, const char *path) {
    file_output out;
    if (file_create(&out, path)) return -1;
    put_graph(out.stream, e);
    return file_commit(&out);
}
