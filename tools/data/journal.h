/* A journal: what a job has done so far, so that a later run goes on where one ended, whatever ended it. It is a file
 * of lines that is only appended to. A line counts when its checksum is right, and is on the disk before the job goes
 * on: so whatever was cut off is at the end, and is dropped there. The first line says which job it is. Knows nothing
 * of what the other lines say. */
#ifndef ARCL_JOURNAL_H
#define ARCL_JOURNAL_H
#include <stddef.h>
#include <stdint.h>

/* Opened and locked: no other process can have it. A zeroed struct is a journal that is not open. */
typedef struct journal {
    char *path;
    int file;
    int64_t length; /* of the lines that are whole */
} journal;

/* Is given each line after the first, in order, without its end; the text is the reader's until the next one. Returns
 * 0, or -1 after a message, which ends the reading. */
typedef int journal_reader(void *arg, char *line, size_t length);

/* These return 0, or -1 after a message.
 *
 * Opens the journal of a job for appending, after reading what is in it; one that is not there begins here, and a line
 * that was cut off at its end is dropped. `job` is one line of words such as seed=1 and says all that the lines depend
 * on: the journal of another job is refused, and the message has the first word that differs. */
int journal_open(journal *j, const char *path, const char *job, journal_reader *read, void *arg);
/* Appends a text that has no newline, and returns when it is on the disk. What fails leaves the journal as it was. */
int journal_append(journal *j, const char *line);
/* Does nothing on one that is not open. */
void journal_close(journal *j);

/* Reads a journal of the same job that is nobody's now, and leaves it as it is. */
int journal_read(const char *path, const char *job, journal_reader *read, void *arg);

/* Writes a journal anew that is finished: these lines in this order, for the file to be the same whatever the order in
 * which things were done. It is the old one or the new one at any time. */
int journal_replace(journal *j, const char *job, const char *const *lines, int count);

#endif
