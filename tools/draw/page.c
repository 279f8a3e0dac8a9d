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

void page_filter_begin(FILE *out, const char *label) {
    fprintf(out,
            "<form class=\"filter\" role=\"search\"><input type=\"search\" aria-label=\"%s\" placeholder=\"%s\" "
            "autocomplete=\"off\"><span>",
            label, label);
}

void page_filter_button(FILE *out, const char *value, uint64_t count) {
    fprintf(out, "<button type=\"button\" data-value=\"%s\" aria-pressed=\"%s\">%s %llu</button>\n", value,
            *value ? "false" : "true", *value ? value : "all", (unsigned long long)count);
}

void page_filter_end(FILE *out) {
    fputs("</span><output aria-live=\"polite\"></output></form>\n"
          "<p class=\"dim js-only\"><kbd>/</kbd> finds, <kbd>Esc</kbd> shows all, <kbd>j</kbd> and <kbd>k</kbd> go to "
          "the "
          "next and the previous drawing.</p>\n",
          out);
}

void page_end(FILE *out) {
    fprintf(out, "<p class=\"dim\">Made by arcl %s.</p>\n<script>\n%s</script>\n</body>\n</html>\n", arcl_version(),
            page_js);
}
