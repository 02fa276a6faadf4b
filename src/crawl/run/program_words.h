#ifndef PAVANE_CRAWL_RUN_PROGRAM_WORDS_H
#define PAVANE_CRAWL_RUN_PROGRAM_WORDS_H

/* The words in which the program that runs the crawl refuses addresses
 * (reading/program/program.h), in the state: read when the crawl is opened, and written
 * with the commit that has the first refusal by each. */
struct pv_crawl;

void pv_program_words_open(struct pv_crawl *crawl);

#endif
