#ifndef PAVANE_CRAWL_DECODING_H
#define PAVANE_CRAWL_DECODING_H

struct pv_open;

/* Undoes the content coding of an answer, within the ceiling of its size: sets
 * page.text. What is larger, or unpacks too steeply, is too large, and what
 * ends early is broken off; of both the beginning is left. What is coded in no
 * way that it claims is taken as it came. Where the disk is in the way the
 * visit is abandoned, with page.fault. */
void pv_decoding_run(struct pv_open *open);

#endif
