#ifndef PAVANE_POLICY_VALUES_PROXY_FORM_H
#define PAVANE_POLICY_VALUES_PROXY_FORM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* A proxy as a policy names it: "socks5h://anna:${PASSWORD}@proxy.test:1080".
 * Whatever the scheme, it is the proxy that looks names up. ${NAME} in the
 * login is a variable of the environment; one alone may hold NAME:PASSWORD. */
enum pv_proxy_scheme { PV_PROXY_HTTP, PV_PROXY_HTTPS, PV_PROXY_SOCKS };

struct pv_proxy_form {
	enum pv_proxy_scheme scheme;
	struct pv_str login; /* borrowed from the text; empty for none */
	uint16_t port;
};

/* Reads it, and appends its canonical host; false if it is none. */
bool pv_proxy_form_read(
    struct pv_str text, struct pv_proxy_form *form, struct pv_buf *host);

/* Whether the login stands in the text itself. */
bool pv_proxy_form_is_secret(const struct pv_proxy_form *form);

/* Appends it as it is reached, with the values of the variables; false, with
 * the name of a variable, if that is not set. */
bool pv_proxy_form_write(const struct pv_proxy_form *form, struct pv_str host,
    struct pv_buf *buf, struct pv_str *unset);

/* The same without a login: for people, and for policy.yaml. */
void pv_proxy_form_write_open(const struct pv_proxy_form *form,
    struct pv_str host, struct pv_buf *buf);

#endif
