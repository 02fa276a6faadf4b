#ifndef PAVANE_TESTS_TORTURE_DISK_ORDER_H
#define PAVANE_TESTS_TORTURE_DISK_ORDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* In what order a crawl puts things on the disk (P3), by a program's diary
 * (diary.h): what a power cut leaves must never be a state that tells of what is
 * not there. So a file's bytes, its name, and the names of the directories above
 * it are synced before a transaction commits that tells of it, and its bytes
 * before it takes the place of another. What a transaction tells of, its rows
 * say, and the lines of the journal that are written before it.
 *
 *	struct disk_order order;
 *	disk_order_init(&order, "/home/d", "/home/d/o", journal);
 *	disk_order_read(&order, diary of a program);
 *	disk_order_end(&order);
 *	... order.untimely ...
 *	disk_order_finish(&order);
 */

/* A file or a directory, by its name, as far as it is not on the disk yet. */
struct ordered_file {
	char *path;
	bool has_bytes;
	bool has_name; /* or lost it */
	bool is_removed;
	bool is_told; /* by what is committed next */
};

struct disk_order {
	struct ordered_file *files;
	size_t count;
	size_t size;
	const char *top;     /* which is on the disk */
	const char *root;    /* the crawl's directory */
	const char *journal; /* its text */
	char journal_path[1024];
	size_t written;   /* of the journal */
	unsigned told[2]; /* times; of them in site/ */
	unsigned parts;
	unsigned gone;
	unsigned replaced;
	unsigned syncs[2]; /* of a file, of a disk */
	unsigned untimely; /* commits that told of what was not there yet */
	unsigned unready;  /* replacements */
	unsigned left;     /* that the end left where a power cut loses it */
};

/* The texts are borrowed. */
void disk_order_init(struct disk_order *order, const char *top,
    const char *root, const char *journal);
void disk_order_finish(struct disk_order *order);

/* Changes the text. Faults are printed as remarks, and counted. */
void disk_order_read(struct disk_order *order, char *diary);

/* The program has ended: all that it made is on the disk, but what SQLite sees
 * to. */
void disk_order_end(struct disk_order *order);

#endif
