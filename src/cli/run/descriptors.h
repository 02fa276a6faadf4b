#ifndef PAVANE_CLI_RUN_DESCRIPTORS_H
#define PAVANE_CLI_RUN_DESCRIPTORS_H

/* Has this process open so many files, or as many as it may.
 *
 * Systems give few descriptors at first for the sake of programs that cannot count
 * beyond them; who has lowered that meant it. */
void pv_descriptors_raise(unsigned wanted);

#endif
