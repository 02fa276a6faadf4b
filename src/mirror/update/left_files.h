#ifndef PAVANE_MIRROR_UPDATE_LEFT_FILES_H
#define PAVANE_MIRROR_UPDATE_LEFT_FILES_H

#include "store/database.h"

/* Removes the files in which addresses were kept before they got another name
 * (the table left_files), once no link leads to one any more. What cannot be
 * removed is tried again the next time. Outside of a transaction: it makes some,
 * so that the write-ahead log stays short however many files there are. */
void pv_left_files_remove(struct pv_database *database, const char *directory);

#endif
