#ifndef PAVANE_SERVE_HTTP_PORT_OWNER_H
#define PAVANE_SERVE_HTTP_PORT_OWNER_H

#include <stdint.h>

#include "base/buf.h"

/* Which process listens on a TCP port: what a person whose service does not
 * start wants to know. It is what /proc says, which may hide the processes of
 * others. */

/* Appends "NAME (pid NUMBER)" of the first that is found; false if none is.
 * `proc` is where /proc is mounted. */
bool pv_port_owner_find(const char *proc, uint16_t port, struct pv_buf *buf);

/* The inode of a socket that listens on the port, in the text of
 * /proc/net/tcp; 0 if none does. */
uint64_t pv_port_owner_inode(struct pv_str table, uint16_t port);

#endif
