#ifndef PAVANE_FETCH_CONNECTION_CUTS_H
#define PAVANE_FETCH_CONNECTION_CUTS_H

#include "fetch/connection/sockets.h"

/* Cuts off the connections of a lane that keep its thread from the others.
 *
 * A server can keep libcurl at work without a single callback: with chunk
 * extensions, session tickets, empty frames. So a connection is cut from
 * outside, by any thread: its socket is shut down, and what the kernel still
 * holds of it is thrown away, while the sockets' mutex keeps the number from
 * being closed and used again. libcurl then finds the end of the connection.
 *
 * A request that was alone on it is to blame. Where several shared it, the
 * cause cannot be known: all are bystanders, to be made again, each on a
 * connection of its own.
 */

/* Cuts off the connection of that socket, by any thread; false if there is none
 * or it was cut before. */
bool pv_cuts_add(struct pv_sockets *sockets, int fd);

/* The same, but only while that is the lane's serial (lane.h): once the call
 * has ended in which the number was found, it may be another connection's. */
bool pv_cuts_add_during(struct pv_sockets *sockets, int fd,
    const atomic_uint *serial, unsigned expected);

/* Notes how many bytes have been read from each connection; by any thread. */
void pv_cuts_mark(struct pv_sockets *sockets);

/* The socket of the connection from which most has been read since then, of
 * those that might be it (NULL: any); -1 if nothing to speak of has been from
 * any. What the kernel holds and nobody has read does not count. By any
 * thread. */
typedef bool (*pv_cuts_fn)(struct pv_sockets *sockets, int fd, uint64_t bytes);
int pv_cuts_find_greediest(struct pv_sockets *sockets, pv_cuts_fn may_be);

enum pv_cut_verdict {
	PV_CUT_NONE,
	PV_CUT_BLAMED,
	PV_CUT_BYSTANDER,
};

/* Whether a request that failed was on such a connection, which it has not left
 * yet; NULL is none. */
enum pv_cut_verdict pv_cuts_judge(struct pv_socket *connection);

#endif
