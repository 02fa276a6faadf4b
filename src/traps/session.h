#ifndef PAVANE_TRAPS_SESSION_H
#define PAVANE_TRAPS_SESSION_H

#include "url/url.h"

/* Session identifiers in addresses: what tells visitors apart, and makes a new
 * address of each page for each of them.
 *
 * They stand in the query (PHPSESSID=...), in a path's parameters
 * (;jsessionid=...), or in a segment of their own (ASP.NET's /(S(...))/), under
 * names that are well known, in letters of any case. What stands there must
 * look like one: letters, digits and "_-.,", eight at least and a digit among
 * them. Under names that mean other things as well (s, sid, session) sixteen
 * letters and digits at least, and some of both.
 */

/* Appends what identifies a session, all of it; false if nothing does. What
 * goes past the ceiling is left out. */
bool pv_session_find(const struct pv_url *url, struct pv_buf *identifier);

#endif
