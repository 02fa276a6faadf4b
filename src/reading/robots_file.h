#ifndef PAVANE_READING_ROBOTS_FILE_H
#define PAVANE_READING_ROBOTS_FILE_H

#include "reading/link_collector.h"

/* Reads the answer to a request for a robots.txt: its rules, the sitemaps that
 * it names, and where it lies instead. */
void pv_robots_file_read(struct pv_link_collector *collector);

#endif
