#include "commands/batt/batt_json.h"

#include <stdio.h>

/* ---- scores ---- */

static int is_key(const batt *b, int i, arcl_definition_kind kind) {
    return b->infos[i].kind == kind && b->key[i] == i;
}

static void write_score(json_writer *w, const batt *b, const batt_tally *t, int i) {
    json_write_key(w, b->infos[i].id);
    json_write_int(w, t->score[i]);
}

void batt_json_scores(json_writer *w, const batt *b, const batt_tally *t) {
    json_write_key(w, "o");
    json_write_open(w, '{');
    for (int i = 0; i < b->count; i++)
        if (is_key(b, i, ARCL_BATTERY_RESULT)) write_score(w, b, t, i);
    json_write_close(w, '}');
    json_write_key(w, "s");
    json_write_open(w, '{');
    for (int i = 0; i < b->count; i++) {
        if (b->infos[i].kind != ARCL_BATTERY_DIFFER || b->group[i] != i) continue;
        json_write_key(w, b->infos[i].differ);
        json_write_open(w, '{');
        for (int k = i; k < b->count; k++)
            if (is_key(b, k, ARCL_BATTERY_DIFFER) && b->group[k] == i) write_score(w, b, t, k);
        json_write_close(w, '}');
    }
    json_write_close(w, '}');
}

/* ---- all values ---- */

static void write_list(json_writer *w, const char *key, const batt *b, arcl_definition_kind kind, batt_c c,
                       uint32_t lane) {
    json_write_key(w, key);
    json_write_value(w, batt_list_json(b, kind, c, lane));
}

void batt_json_examples(json_writer *w, const batt *b, const batt_lanes *lanes) {
    const arc_task *task = lanes->tasks[0];
    uint32_t lane = lanes->first[0];
    json_write_key(w, "examples");
    json_write_open(w, '[');
    for (int i = 0; i < task->count; i++) {
        char name[40];
        snprintf(name, sizeof name, "%s[%d]", task->examples[i].part, task->examples[i].index);
        json_write_newline(w);
        json_write_open(w, '{');
        json_write_key(w, "name");
        json_write_text(w, name);
        write_list(w, "o", b, ARCL_BATTERY_RESULT, BATT_ABSENT, lane);
        write_list(w, "s_absent", b, ARCL_BATTERY_DIFFER, BATT_ABSENT, lane);
        if (task->examples[i].output.cells) write_list(w, "s", b, ARCL_BATTERY_DIFFER, BATT_GIVEN, lane);
        lane++;
        json_write_close(w, '}');
    }
    json_write_close(w, ']');
}

/* ---- programs without a result ---- */

void batt_json_rejected(json_writer *w, const batt *b) {
    json_write_key(w, "rejected");
    json_write_open(w, '[');
    for (int i = 0; i < b->count; i++) {
        const char *why = batt_rejection(b, i);
        if (!why) continue;
        json_write_open(w, '{');
        json_write_key(w, "number");
        json_write_int(w, b->infos[i].number);
        json_write_key(w, "error");
        json_write_text(w, why);
        json_write_close(w, '}');
    }
    json_write_close(w, ']');
}
