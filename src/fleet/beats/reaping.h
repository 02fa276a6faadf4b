#ifndef PAVANE_FLEET_BEATS_REAPING_H
#define PAVANE_FLEET_BEATS_REAPING_H

#include "fleet/beats/beats.h"

/* How a worker declares others dead, which have not beaten for a whole ttl
 * (fleet/beats/members.h), and frees what they owned.
 *
 * In one transaction the other's row is taken, if nobody holds it and its beat is
 * still that one, and marked as dead, and its clocks are free, with their whole rest
 * still owed. What the other has under way holds its row meanwhile: where that does
 * not end, its connections are ended.
 *
 * One after the other, so that a beat waits behind one of them at most. */

/* After a beat has told how all are. */
void pv_reaping_look(struct pv_fleet_beats *beats, int64_t now_ms);

#endif
