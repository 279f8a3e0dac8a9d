/* Stage a, after donors as they are: the best programs, changed. A member of the population is a program whose lines
 * were all run, so that of a mutant only what the change has touched is run. What a mutant yields is forgotten, unless
 * it is as good as others and does something new: then it becomes a member. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/growth.h"
#include "search/goals.h"

#define MEMBERS 600
#define MUTANTS 2000   /* at a time */
#define MOST_LINES 60  /* of a member */
#define NEW_MEMBERS 48 /* of a turn at most */

typedef struct member {
    program_lines program;
    int fitness;
} member;

typedef struct line_edits {
    member member[MEMBERS + 1]; /* the best first */
    int members;
    key_table known;      /* results of members, by train lanes */
    value_list *of_shelf; /* all kept values, by shelf */
    int shelves;
    uint32_t listed;                   /* values that are in these lists */
    uint32_t *similar, *similar_first; /* patterns that take and yield the same, one group after the other */
    uint32_t *group_of;
    uint32_t groups;
    program_lines *mutant;
} line_edits;

static void lines_free(program_lines *p) {
    free(p->line);
    p->line = NULL;
}

void edits_free(search_state *s) {
    line_edits *e = s->edits;
    if (!e) return;
    for (int i = 0; i < e->members; i++) lines_free(&e->member[i].program);
    for (int i = 0; i < MUTANTS && e->mutant; i++) lines_free(&e->mutant[i]);
    for (int i = 0; i < e->shelves; i++) free(e->of_shelf[i].at);
    free(e->of_shelf);
    free(e->similar);
    free(e->similar_first);
    free(e->group_of);
    free(e->mutant);
    key_table_free(&e->known);
    free(e);
}

/* ---- chance ---- */

static uint32_t chance(search_state *s, uint32_t below) {
    s->random += 0x9e3779b97f4a7c15u;
    uint64_t x = key_fold(0, s->random);
    return (uint32_t)((x >> 32) * below >> 32);
}

/* ---- who is how good ---- */

/* In thousandths: shapes that are right, and cells of these. */
static int fitness_of(const search_state *s, uint32_t value) {
    int fitness = 0;
    if (value == NO_VALUE || s->bank.lanes.shelf[s->bank.value[value].shelf].type != T_GRID) return 0;
    for (int i = 0; i < s->train; i++) {
        arcl_grid want = s->goals->masks.output[i], have = lane_grid(&s->bank.lanes, value_lanes(&s->bank, value)[i]);
        int all = want.h * want.w, right = 0;
        if (have.h != want.h || have.w != want.w) {
            fitness += (have.h == want.h || have.w == want.w) ? 50 : 10;
            continue;
        }
        for (int n = 0; n < all; n++) right += have.cells[n] == want.cells[n];
        fitness += 200 + 600 * right / all + (right == all ? 400 : 0);
    }
    return fitness / s->train;
}

/* Takes the program in, which is the population's then, if it is among the best and does what no other does. */
static arcl_status admit(search_state *s, program_lines *p, arcl_error *error) {
    line_edits *e = s->edits;
    uint32_t values[MOST_LINES];
    int at = e->members;
    program_values(s, p, values);
    uint32_t result = values[p->result];
    uint64_t key =
        result == NO_VALUE ? key_fold(1, (uint64_t)p->lines * 64 + (uint64_t)p->result) : train_key(s, result);
    for (int i = 0; i < p->lines; i++) p->line[i].value = values[i] == NO_VALUE ? LINE_FAILED : values[i];
    member made = {*p, fitness_of(s, result)};
    while (at && made.fitness > e->member[at - 1].fitness) at--;
    if (at == MEMBERS || (result != NO_VALUE && key_table_find(&e->known, key) != KEY_ABSENT)) {
        lines_free(p);
        return ARCL_SUCCESS;
    }
    if (result != NO_VALUE) PROPAGATE(key_table_put(&e->known, key, 0, error));
    memmove(&e->member[at + 1], &e->member[at], (size_t)(e->members - at) * sizeof *e->member);
    e->member[at] = made;
    p->line = NULL;
    if (++e->members > MEMBERS) lines_free(&e->member[--e->members].program);
    return ARCL_SUCCESS;
}

/* ---- changes ---- */

/* The lines that the result needs, without the others. */
static arcl_status copy_needed(const program_lines *from, const search_state *s, program_lines *to, arcl_error *error) {
    char needed[ARCL_TREE_LINES];
    int number[ARCL_TREE_LINES], count = 0;
    memset(needed, 0, (size_t)from->lines);
    needed[from->result] = 1;
    for (int i = from->result; i >= 0; i--) {
        if (!needed[i] || from->line[i].pattern == NO_PATTERN) continue;
        for (int h = 0; h < s->patterns.at[from->line[i].pattern].holes; h++)
            if (from->line[i].argument[h] >= 0) needed[from->line[i].argument[h]] = 1;
    }
    for (int i = 0; i < from->lines; i++) count += needed[i];
    to->line = malloc((size_t)(count + 8) * sizeof *to->line);
    if (!to->line) return NO_MEMORY(error);
    to->lines = 0;
    for (int i = 0; i <= from->result; i++) {
        if (!needed[i]) continue;
        program_line l = from->line[i];
        for (int h = 0; l.pattern != NO_PATTERN && h < s->patterns.at[l.pattern].holes; h++)
            if (l.argument[h] >= 0) l.argument[h] = number[l.argument[h]];
        number[i] = to->lines;
        to->line[to->lines++] = l;
    }
    to->result = to->lines - 1;
    return ARCL_SUCCESS;
}

/* A value of a shelf, rather a cheap one; NO_VALUE: there is none. */
static uint32_t some_value(search_state *s, int shelf_number) {
    const line_edits *e = s->edits;
    if (shelf_number >= e->shelves || !e->of_shelf[shelf_number].count) return NO_VALUE;
    const value_list *l = &e->of_shelf[shelf_number];
    uint32_t a = l->at[chance(s, l->count)];
    for (int i = 0; i < 2; i++) {
        uint32_t b = l->at[chance(s, l->count)];
        if (s->bank.value[b].cost < s->bank.value[a].cost) a = b;
    }
    return a;
}

/* Lines after those that were changed yield something else, too. */
static void forget_values(const search_state *s, program_lines *p) {
    for (int i = 0; i < p->lines; i++)
        for (int h = 0; p->line[i].pattern != NO_PATTERN && h < s->patterns.at[p->line[i].pattern].holes; h++)
            if (p->line[i].argument[h] >= 0 && p->line[p->line[i].argument[h]].value == LINE_UNKNOWN)
                p->line[i].value = LINE_UNKNOWN;
}

/* Another argument of the same type: a line before, or any value. */
static void change_argument(search_state *s, program_lines *p, int line) {
    const pattern *q = &s->patterns.at[p->line[line].pattern];
    int hole = (int)chance(s, (uint32_t)q->holes), fits[MOST_LINES], count = 0;
    for (int i = 0; i < line; i++)
        if (p->line[i].pattern != NO_PATTERN && s->patterns.at[p->line[i].pattern].shelf == q->hole[hole])
            fits[count++] = i;
    p->line[line].value = LINE_UNKNOWN;
    if (count && chance(s, 3) == 0) {
        p->line[line].argument[hole] = fits[chance(s, (uint32_t)count)];
        return;
    }
    uint32_t value = some_value(s, q->hole[hole]);
    if (value != NO_VALUE) p->line[line].argument[hole] = argument_of_value(value);
}

/* Another pattern that takes and yields the same. */
static void change_pattern(search_state *s, program_lines *p, int line) {
    const line_edits *e = s->edits;
    uint32_t group = e->group_of[p->line[line].pattern], first = e->similar_first[group];
    uint32_t count = e->similar_first[group + 1] - first, best = e->similar[first + chance(s, count)];
    uint32_t other = e->similar[first + chance(s, count)];
    if (s->patterns.at[other].count > s->patterns.at[best].count) best = other;
    p->line[line].pattern = best;
    p->line[line].value = LINE_UNKNOWN;
}

/* Takes a line out: one of its arguments, of the same type, is there instead. */
static void take_out(search_state *s, program_lines *p, int line) {
    const pattern *q = &s->patterns.at[p->line[line].pattern];
    for (int h = 0; h < q->holes; h++) {
        if (q->hole[h] != q->shelf) continue;
        int32_t instead = p->line[line].argument[h];
        for (int i = line + 1; i < p->lines; i++)
            for (int k = 0; p->line[i].pattern != NO_PATTERN && k < s->patterns.at[p->line[i].pattern].holes; k++)
                if (p->line[i].argument[k] == line) {
                    p->line[i].argument[k] = instead;
                    p->line[i].value = LINE_UNKNOWN;
                }
        if (p->result == line && instead >= 0) p->result = instead;
        return;
    }
}

/* Puts a call before an argument, or after the result. Patterns of one hole that keep the type are tried at random. */
static void put_in(search_state *s, program_lines *p, int line) {
    const pattern *q = &s->patterns.at[p->line[line].pattern];
    int hole = (int)chance(s, (uint32_t)q->holes), after = line == p->result && chance(s, 2);
    int shelf_number = after ? q->shelf : q->hole[hole];
    for (int tries = 0; tries < 60; tries++) {
        uint32_t other = chance(s, s->patterns.count);
        const pattern *o = &s->patterns.at[other];
        if (o->shelf != shelf_number || o->hole[0] != shelf_number) continue;
        program_line made = {
            .pattern = other, .argument = {after ? line : p->line[line].argument[hole]}, .value = LINE_UNKNOWN};
        for (int h = 1; h < o->holes; h++) {
            uint32_t value = some_value(s, o->hole[h]);
            if (value == NO_VALUE) return;
            made.argument[h] = argument_of_value(value);
        }
        if (after) {
            p->line[p->lines] = made;
            p->result = p->lines++;
            return;
        }
        memmove(&p->line[line + 1], &p->line[line], (size_t)(p->lines - line) * sizeof *p->line);
        p->lines++;
        for (int i = line + 1; i < p->lines; i++)
            for (int k = 0; p->line[i].pattern != NO_PATTERN && k < s->patterns.at[p->line[i].pattern].holes; k++)
                if (p->line[i].argument[k] >= line) p->line[i].argument[k]++;
        p->result += p->result >= line;
        p->line[line] = made;
        p->line[line + 1].argument[hole] = line;
        p->line[line + 1].value = LINE_UNKNOWN;
        return;
    }
}

static void change(search_state *s, program_lines *p) {
    int line = (int)chance(s, (uint32_t)p->lines);
    if (p->line[line].pattern == NO_PATTERN) return;
    switch (chance(s, 10)) {
    case 0: take_out(s, p, line); break;
    case 1:
    case 2: put_in(s, p, line); break;
    case 3:
    case 4:
    case 5: change_pattern(s, p, line); break;
    default: change_argument(s, p, line); break;
    }
}

/* ---- beginning ---- */

typedef struct grouped {
    uint64_t key;
    uint32_t pattern;
} grouped;

static int by_key(const void *a, const void *b) {
    const grouped *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->pattern < y->pattern ? -1 : x->pattern > y->pattern;
}

static arcl_status group_patterns(search_state *s, line_edits *e, arcl_error *error) {
    uint32_t count = s->patterns.count;
    grouped *all = malloc((count + 1) * sizeof *all);
    e->similar = malloc((count + 1) * sizeof *e->similar);
    e->similar_first = malloc((count + 2) * sizeof *e->similar_first);
    e->group_of = malloc((count + 1) * sizeof *e->group_of);
    arcl_status status = all && e->similar && e->similar_first && e->group_of ? ARCL_SUCCESS : NO_MEMORY(error);
    for (uint32_t i = 0; i < count && status == ARCL_SUCCESS; i++) {
        const pattern *p = &s->patterns.at[i];
        all[i] = (grouped){key_fold(key_fold(1, p->shelf), (uint64_t)p->holes), i};
        for (int h = 0; h < p->holes; h++) all[i].key = key_fold(all[i].key, p->hole[h]);
    }
    if (status == ARCL_SUCCESS) qsort(all, count, sizeof *all, by_key);
    for (uint32_t i = 0; i < count && status == ARCL_SUCCESS; i++) {
        if (i == 0 || all[i].key != all[i - 1].key) e->similar_first[e->groups++] = i;
        e->similar[i] = all[i].pattern;
        e->group_of[all[i].pattern] = e->groups - 1;
    }
    if (status == ARCL_SUCCESS) e->similar_first[e->groups] = count;
    free(all);
    return status;
}

static arcl_status begin(search_state *s, arcl_error *error) {
    line_edits *e = s->edits = calloc(1, sizeof *e);
    if (!e || !(e->mutant = calloc(MUTANTS, sizeof *e->mutant))) return NO_MEMORY(error);
    PROPAGATE(group_patterns(s, e, error));
    for (int i = 0; i < s->patterns.donor_count; i++) {
        program_lines needed = {0};
        const program_lines *d = &s->patterns.donors[i];
        if (d->result < 0 || d->lines > MOST_LINES - 8) continue;
        PROPAGATE(copy_needed(d, s, &needed, error));
        PROPAGATE(admit(s, &needed, error));
    }
    return ARCL_SUCCESS;
}

/* Values that have come since are there to be taken. */
static arcl_status list_values(search_state *s, arcl_error *error) {
    line_edits *e = s->edits;
    if (e->shelves < s->bank.lanes.shelves) {
        value_list *grown = realloc(e->of_shelf, (size_t)s->bank.lanes.shelves * sizeof *grown);
        if (!grown) return NO_MEMORY(error);
        e->of_shelf = grown;
        memset(grown + e->shelves, 0, (size_t)(s->bank.lanes.shelves - e->shelves) * sizeof *grown);
        e->shelves = s->bank.lanes.shelves;
    }
    for (; e->listed < s->bank.count; e->listed++) {
        value_list *l = &e->of_shelf[s->bank.value[e->listed].shelf];
        if (!ARRAY_HAS_ROOM(l->at, l->count, l->room, 64)) return NO_MEMORY(error);
        l->at[l->count++] = e->listed;
    }
    return ARCL_SUCCESS;
}

/* ---- a turn ---- */

/* A member, the better the likelier. */
static const member *some_member(search_state *s) {
    uint64_t x = chance(s, 1u << 16), y = x * x >> 16;
    return &s->edits->member[y * (uint64_t)s->edits->members >> 16];
}

static arcl_status make_mutants(search_state *s, arcl_error *error) {
    line_edits *e = s->edits;
    for (int n = 0; n < MUTANTS; n++) {
        const program_lines *from = &some_member(s)->program;
        program_lines changed = {.line = malloc((size_t)(from->lines + 8) * sizeof *changed.line),
                                 .lines = from->lines,
                                 .result = from->result};
        if (!changed.line) return NO_MEMORY(error);
        memcpy(changed.line, from->line, (size_t)from->lines * sizeof *changed.line);
        int changes = 1;
        while (changes < 4 && chance(s, 5) < 2) changes++;
        while (changes--) change(s, &changed);
        forget_values(s, &changed);
        lines_free(&e->mutant[n]);
        arcl_status status = copy_needed(&changed, s, &e->mutant[n], error);
        lines_free(&changed);
        PROPAGATE(status);
    }
    return ARCL_SUCCESS;
}

/* The mutants that are better than most members, and new: so many of the best. They are to be run again, to stay. */
static int choose_new_members(search_state *s, program_lines *chosen) {
    line_edits *e = s->edits;
    int fitness[NEW_MEMBERS], count = 0;
    int least = e->members > 100 ? e->member[100].fitness : 0;
    for (int n = 0; n < MUTANTS; n++) {
        uint32_t values[MOST_LINES + 8];
        if (e->mutant[n].lines > MOST_LINES - 8) continue;
        program_values(s, &e->mutant[n], values);
        uint32_t result = values[e->mutant[n].result];
        if (result == NO_VALUE || result < s->bank.kept) continue; /* others do the same */
        int good = fitness_of(s, result), at = count;
        if (good <= least) continue;
        while (at && good > fitness[at - 1]) at--;
        if (at == NEW_MEMBERS) continue;
        if (count == NEW_MEMBERS) count--;
        memmove(&fitness[at + 1], &fitness[at], (size_t)(count - at) * sizeof *fitness);
        memmove(&chosen[at + 1], &chosen[at], (size_t)(count - at) * sizeof *chosen);
        fitness[at] = good;
        chosen[at] = e->mutant[n];
        count++;
    }
    return count;
}

static arcl_status keep_best(search_state *s, const program_lines *chosen, int count, arcl_error *error) {
    PROPAGATE(programs_run(s, chosen, count, error));
    for (int i = 0; i < count; i++) {
        program_lines copy;
        PROPAGATE(copy_needed(&chosen[i], s, &copy, error));
        PROPAGATE(admit(s, &copy, error));
    }
    return ARCL_SUCCESS;
}

static void forget(search_state *s) {
    value_bank_forget(&s->bank);
    key_table_clear(&s->done_tried);
}

arcl_status edits_go_on(search_state *s, arcl_error *error) {
    program_lines chosen[NEW_MEMBERS + 1];
    if (!s->edits) PROPAGATE(begin(s, error));
    PROPAGATE(list_values(s, error));
    uint64_t random = s->random;
    if (s->edits->members) PROPAGATE(make_mutants(s, error));
    value_bank_try(&s->bank);
    arcl_status status = s->edits->members ? programs_run(s, s->edits->mutant, MUTANTS, error) : ARCL_SUCCESS;
    int count = status == ARCL_SUCCESS && s->edits->members ? choose_new_members(s, chosen) : 0;
    forget(s);
    if (status == ARCL_SUCCESS && !value_bank_is_full(&s->bank)) status = keep_best(s, chosen, count, error);
    if (status != ARCL_SUCCESS) {
        s->random = random; /* the same mutants again */
        return status;
    }
    s->candidates += MUTANTS;
    s->stage_candidates[ARCL_SEARCH_EDITS] += MUTANTS;
    return ARCL_SUCCESS;
}
