/* Files that are part of the command: the style of its HTML pages, and their script, both in ASCII. */
#ifndef ARCL_PAGE_TEXT_H
#define ARCL_PAGE_TEXT_H

extern const char page_css[], page_js[];

#endif
