#ifndef PAVANE_URL_HOST_H
#define PAVANE_URL_HOST_H

#include "base/address.h"

/* The host of an address, as the URL Standard reads it ("host parsing",
 * https://url.spec.whatwg.org/#hosts-(domains-and-ip-addresses)).
 *
 * However a name or an IP address is written (capitals, percent signs, other
 * scripts, hexadecimal or short IPv4, long IPv6), there is one canonical text
 * for it, and that text is what clocks, rules and look-ups go by. A dot at
 * the end of a name stays: to a server it is another name.
 */

/* Reads a host without its port, an IPv6 address in brackets, and appends its
 * canonical text. address->bits is 0 for a name. False, with nothing appended,
 * if it is no host or the ceiling is in the way (canonical->is_full). */
bool pv_host_read(
    struct pv_str text, struct pv_buf *canonical, struct pv_address *address);

/* Appends an address as a host: an IPv6 address is in brackets and never ends
 * in IPv4 form. */
bool pv_host_write_address(
    const struct pv_address *address, struct pv_buf *canonical);

#endif
