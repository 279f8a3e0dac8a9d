/* Panels as inline SVG. A unit is a cell; neighbours of one colour in a row are one piece of a path, so that a grid
 * takes little more than a letter per change of colour. */
#include <stdlib.h>

#include "draw/colours.h"
#include "draw/page.h"

enum { COMFORTABLE_SIDE = 240, LARGEST_CELL = 20, LEAST_CELL = 5 };

static int cell_size(const panel *p) {
    int most = p->h > p->w ? p->h : p->w, cell = most ? COMFORTABLE_SIDE / most : LARGEST_CELL;
    return cell > LARGEST_CELL ? LARGEST_CELL : cell < LEAST_CELL ? LEAST_CELL : cell;
}

/* A path of all cells with that content; nothing if there are none. */
static void put_cells(FILE *out, const panel *p, short cell, const char *attribute) {
    int found = 0;
    for (int i = 0; i < p->h; i++)
        for (int j = 0, run; j < p->w; j += run) {
            for (run = 0; j + run < p->w && p->cells[i * p->w + j + run] == cell; run++) continue;
            if (run && !found++) fprintf(out, "<path %s d=\"", attribute);
            if (run) fprintf(out, "M%d %dh%dv1h-%dz", j, i, run, run);
            run += run == 0;
        }
    if (found) fputs("\"/>", out);
}

static void put_marks(FILE *out, const panel *p) {
    fputs("<path class=\"marks\" d=\"", out);
    for (int i = 0; i < p->h; i++)
        for (int j = 0; j < p->w; j++) switch (p->cells[i * p->w + j]) {
            case PANEL_OTHER: fprintf(out, "M%d.2 %d.2l.6.6m-.6 0l.6-.6", j, i); break;
            case PANEL_EXTRA: fprintf(out, "M%d.2 %d.5h.6m-.3-.3v.6", j, i); break;
            case PANEL_MISSING: fprintf(out, "M%d.2 %d.5h.6", j, i); break;
            default: break;
            }
    fputs("\"/>", out);
}

static void put_lines(FILE *out, const panel *p) {
    fputs("<path class=\"lines\" d=\"", out);
    for (int i = 0; i <= p->h; i++) fprintf(out, "M0 %dh%d", i, p->w);
    for (int j = 0; j <= p->w; j++) fprintf(out, "M%d 0v%d", j, p->h);
    fputs("\"/>", out);
}

static void put_grid(FILE *out, const panel *p) {
    int size = cell_size(p);
    fputs("<svg role=\"img\" aria-label=\"", out);
    page_text(out, p->title ? p->title : "grid");
    fprintf(out, ", %d by %d\" width=\"%d\" height=\"%d\" viewBox=\"-.05 -.05 %d.1 %d.1\">", p->h, p->w,
            p->w * size + 2, p->h * size + 2, p->w, p->h);
    for (short colour = 0; colour < COLOURS; colour++) {
        const unsigned char *rgb = colour_rgb[colour];
        char fill[32];
        snprintf(fill, sizeof fill, "fill=\"#%02x%02x%02x\"", rgb[0], rgb[1], rgb[2]);
        put_cells(out, p, colour, fill);
    }
    put_cells(out, p, PANEL_EQUAL, "class=\"equal\"");
    put_lines(out, p);
    put_marks(out, p);
    fputs("</svg>", out);
}

void page_panels(FILE *out, const panel *panels, int count) {
    fputs("<div class=\"panels\">", out);
    for (int i = 0; i < count; i++) {
        if (panels[i].arrow) fputs("<span class=\"arrow\" aria-hidden=\"true\">&rarr;</span>", out);
        fputs("<figure><figcaption>", out);
        page_text(out, panels[i].title ? panels[i].title : "");
        fputs("</figcaption>", out);
        if (panels[i].text) {
            fputs("<span class=\"text\">", out);
            page_text(out, panels[i].text);
            fputs("</span>", out);
        } else
            put_grid(out, &panels[i]);
        fputs("</figure>\n", out);
    }
    fputs("</div>\n", out);
}
