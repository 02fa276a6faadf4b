#ifndef PAVANE_FETCH_CUTS_H
#define PAVANE_FETCH_CUTS_H

#include <stdatomic.h>

#include "base/address.h"
#include "fetch/sockets.h"

/* The connections of a lane that were cut off because they kept its thread from
 * the others.
 *
 * A server can keep libcurl at work without a single callback: with chunk
 * extensions, session tickets, empty frames. So a connection is cut from
 * outside, by any thread: its socket is shut down, and what the kernel still
 * holds of it is thrown away, while the sockets' mutex keeps the number from
 * being closed and used again. libcurl then finds the end of the connection.
 *
 * Whoever was alone on it is to blame. Where several requests shared it nobody
 * can tell which of them it was: all are bystanders, to be made again, each on a
 * connection of its own.
 */
struct pv_cut {
	uint64_t connection; /* pv_sockets_id; 0: none */
	uint16_t own_port;
	bool is_shared; /* several requests were on it */
};

#define PV_CUTS_MAX 32

struct pv_cuts {
	struct pv_sockets *sockets;       /* whose mutex is for these, too */
	struct pv_cut items[PV_CUTS_MAX]; /* the latest */
	size_t next;
	atomic_size_t count; /* of all that there ever were */
};

void pv_cuts_init(struct pv_cuts *cuts, struct pv_sockets *sockets);

/* Cuts off the connection of that socket, by any thread; false if there is none
 * or it was cut before. */
bool pv_cuts_add(struct pv_cuts *cuts, int fd);

/* Remembers how many bytes each connection has received; by any thread. */
void pv_cuts_mark(struct pv_cuts *cuts);

/* The socket of the connection that has received the most since then, of those
 * that might be it (NULL: any); -1 if none has received any to speak of. By any
 * thread. */
typedef bool (*pv_cuts_fn)(struct pv_cuts *cuts, int fd, uint64_t received);
int pv_cuts_find_greediest(struct pv_cuts *cuts, pv_cuts_fn may_be);

enum pv_cut_verdict {
	PV_CUT_NONE,
	PV_CUT_BLAMED,
	PV_CUT_BYSTANDER,
};

/* Whether a request that failed was on such a connection; where its number is
 * not known (0) its port tells. `users` are those that are on it still. */
enum pv_cut_verdict pv_cuts_judge(struct pv_cuts *cuts, uint64_t connection,
    uint16_t own_port, unsigned users);

#endif
