/* The frame of a page, and text in it. */
#include "draw/page.h"

#include "draw/page_text.h"

void page_text(FILE *out, const char *text) {
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        switch (c) {
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '&': fputs("&amp;", out); break;
        case '"': fputs("&quot;", out); break;
        default: putc((c < 32 && c != '\n' && c != '\t') || c == 127 ? '?' : c, out);
        }
    }
}

void page_begin(FILE *out, const char *title) {
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          out);
    page_text(out, title);
    fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n", page_css);
}

void page_end(FILE *out) {
    fprintf(out, "<p class=\"dim\">Made by arcl %s.</p>\n<script>\n%s</script>\n</body>\n</html>\n", arcl_version(),
            page_js);
}
