/* Standard input, output and error of a command that was started without some of them (`arcl devices >&-`). Otherwise
 * the next file to be opened would get such a number, and what is printed would go into it. */
#ifndef ARCL_STANDARD_FILES_H
#define ARCL_STANDARD_FILES_H

/* Before any file is opened: opens those that are closed so that using them fails, as it does when they are closed. 0,
 * or -1 if that is impossible; nobody could be told why. */
int standard_files_open(void);

#endif
