#ifndef PAVANE_URL_IPV4_H
#define PAVANE_URL_IPV4_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* IPv4 addresses in all the forms that URLs allow: one to four numbers, each
 * decimal, octal (0...) or hexadecimal (0x...), the last of which fills what
 * is left ("ends in a number checker" and "IPv4 parser" of the URL Standard).
 */

/* Whether the standard takes the text for an address, right or wrong, because
 * its last part is a number. */
bool pv_ipv4_is_meant(struct pv_str text);

/* Reads an address; its four bytes, the first in the highest bits. */
bool pv_ipv4_read(struct pv_str text, uint32_t *address);

#endif
