#ifndef PAVANE_FLEET_LINES_H
#define PAVANE_FLEET_LINES_H

/* The two lines of a worker: one of its beats, and one for all else. With each, tables
 * that are missing are made, and others than those of this version refused; by the
 * latter what an earlier connection has left on its way is ended, too.
 */
struct pv_fleet;

void pv_lines_open(struct pv_fleet *fleet);

/* When the worker is registered. */
void pv_lines_open_beats(struct pv_fleet *fleet);

#endif
