#ifndef PAVANE_SERVE_CONFIG_LISTEN_FORM_H
#define PAVANE_SERVE_CONFIG_LISTEN_FORM_H

#include "base/address.h"

/* Where the service listens, as it is written: "127.0.0.1:7117",
 * "[::1]:7117", or "unix:" and the path of a socket. */
#define PV_LISTEN_PATH_MAX 107 /* bytes in sockaddr_un.sun_path, but its NUL */

struct pv_listen_form {
	struct pv_str path; /* of a unix socket, in the text; empty: none */
	struct pv_address address;
	uint16_t port; /* 0: any that is free */
};

/* False if it is written in another way. */
bool pv_listen_form_read(struct pv_str text, struct pv_listen_form *form);

/* Whether other machines may reach it. */
bool pv_listen_form_is_open(const struct pv_listen_form *form);

#endif
