#ifndef PAVANE_URL_SITE_H
#define PAVANE_URL_SITE_H

#include "base/str.h"

/* The site that a host belongs to: its registrable domain by the Public Suffix
 * List (libpsl, with the list that is built into it), so that
 * docs.example.co.uk is of the site example.co.uk.
 *
 * The list's private part counts as well: what several people share, such as
 * github.io, makes a site of each of their names. An IP address, a single
 * label, a name with an empty label and a public suffix itself are sites of
 * their own. Hosts are given as pv_host_read writes them; dots at their end
 * make no difference. Nothing is kept, so any thread may ask.
 */

/* Lies within the host's text, without dots at the end. */
struct pv_str pv_site_of(struct pv_str host);

/* Whether pv_site_of(host) is this site, which pv_site_of once gave: quicker
 * than asking for it. */
bool pv_site_holds(struct pv_str site, struct pv_str host);

#endif
