#ifndef PAVANE_FLEET_TABLES_STATEMENTS_H
#define PAVANE_FLEET_TABLES_STATEMENTS_H

#include "fleet/line/request.h"

/* For the crawl of the number that stands in the payload, people have written another
 * wish, a worker has come, or one needs its share again: all beat at once. */
#define PV_FLEET_WISH_CHANNEL "pavane_wish"

/* All that a worker says to PostgreSQL, prepared at each connect.
 *
 * Each finds its rows by their keys, whatever PostgreSQL knew of the tables when it
 * made the plan: so what is looked up for each of some names stands in a LATERAL
 * that it does not join (LIMIT, OFFSET 0), and rows that are changed are named
 * once more by the array itself.
 *
 * $1 is the crawl's number, $2 the worker's, where a statement has both; the rest
 * is said at each. Whatever a worker writes stands in one transaction with
 * PV_SAY_FENCE, which comes first and fails where the worker was reaped.
 */
enum pv_say {
	/* Beats, by a connection of their own, on which no more than these are
	 * prepared. */
	PV_SAY_BEAT,     /* worker, share, rank, clocks, requests, unsent,
			    whether it can ask for nothing, whether for more: it
			    lives */
	PV_SAY_MEMBERS,  /* crawl: number, beat, share, rank, clocks, whether it
			    is idle, whether it could ask for more, whether it
			    can ask for nothing, of all that live */
	PV_SAY_LOOK,     /* crawl: finished, wish's number, wish, number of the
			    last redirect */
	PV_SAY_TIME,     /* the server's, in milliseconds since 1970 */
	PV_SAY_PATIENCE, /* milliseconds as text: the transaction fails if it has
			      to wait longer for a lock */
	PV_SAY_LOCK_CRAWL, /* crawl: whoever takes more waits for who does */
	PV_SAY_GROW, /* worker, crawl, share, rank, others' numbers, shares,
			    ranks */
	PV_SAY_CALL, /* crawl: all beat at once */
	PV_SAY_END_BEATS, /* worker, crawl: an earlier connection of its beats
				is ended */
	PV_SAY_BEATS_COUNT,

	PV_SAY_FENCE = PV_SAY_BEATS_COUNT, /* worker, session: of a connection
					      that is its last one */

	PV_SAY_TAKE_TIME, /* what follows in the transaction may take as long as
			     it has to */

	/* The dead */
	PV_SAY_END_BACKENDS, /* worker, beat: its connections are ended */
	PV_SAY_REAP, /* worker, beat: it is none any more, unless somebody holds
			its row */
	PV_SAY_FREE_CLOCKS, /* worker that is none any more: what it owned */
	PV_SAY_HELD,        /* worker, beat: whether it still is one */

	/* The crawl */
	PV_SAY_ADD_CRAWL,   /* name, policy, key, state's version */
	PV_SAY_FIND_CRAWL,  /* name: number, policy, key, version, finished,
			       workers that live, wish's number, policy's,
			       round with its terms, whether clocks are still
			       to be woken, under which policy what was refused
			       was sent last */
	PV_SAY_OTHERS,      /* crawl, worker: how many others live */
	PV_SAY_SET_POLICY,  /* crawl, worker, policy, number of the one before,
			       whether all is to be judged by it: unless
			       another worker lives */
	PV_SAY_POLICIES,    /* crawl, how many: those before, with numbers */
	PV_SAY_BEGIN_ROUND, /* crawl, worker, now, age of what is due: the
				number, if it was finished and no other lives */
	PV_SAY_WAKE_SOME,   /* crawl, behind, how many: the last one's name */
	PV_SAY_END_WAKING,  /* crawl, policy's number */
	/* What was refused under policies before that number, behind which
	 * fingerprint and worker, how many, becomes links: what was refused before
	 * the oldest policy that is known, or for one of these reasons. */
	PV_SAY_REFUSED_CLOCKS, /* crawl, policy's number, fingerprint, worker, how
				    many, oldest number; numbers, each times
				    the last value and with a reason added; that
				    value: the clocks of these are there */
	PV_SAY_REFUSED_LINKS, /* the same: fingerprint and worker of the last */
	PV_SAY_FINISH,        /* crawl, worker: nobody has anything left */
	/* What workers have refused that live no longer, after redirects of seeds
	 * that they have not heeded (fleet/taking/left_over.h). */
	PV_SAY_UNHEEDED, /* crawl, how many, worker: the first such workers as a
			    text, once all that live have heeded all of them, if
			    of those that are idle this one is the first; or NULL */
	PV_SAY_LEFT_CLOCKS, /* crawl, such workers, behind which fingerprint and
			       worker, how many, reasons: the clocks of these
			       are there */
	PV_SAY_LEFT_LINKS, /* the same: they are links; fingerprint and worker of
			      the last */
	PV_SAY_HEED_LEFT,  /* such workers, number: of those that do not live */
	/* A request that met a deadlock is sent again behind later ones: so both
	 * carry a number that grows with each. */
	PV_SAY_BUSY, /* worker, activity: it has something to do */
	PV_SAY_IDLE, /* worker, activity: it has not, unless it had since */
	PV_SAY_HEED_REDIRECTS, /* worker, number: all up to that one */

	/* Workers */
	PV_SAY_REGISTER, /* crawl, place, policy's number, round: its number, if
			     these are still the crawl's; and others hear of it */
	PV_SAY_END_SESSION, /* worker, crawl: its earlier connection is ended */
	PV_SAY_RESUME,      /* worker, crawl: number, if it still is one */
	PV_SAY_LEAVE,       /* worker: it is none any more, and owns nothing */

	/* Limits (fleet/granting.h) */
	PV_SAY_GRANT, /* worker, crawl, limits of pages and bytes, whether more
			 of each is wanted, how many bytes at least */
	PV_SAY_KEEP_GRANT, /* worker, pages, bytes: no more than these */
	PV_SAY_GRANTED,    /* worker, crawl: granted and brought pages, the same
			      of bytes, what all have brought of both */

	/* What is passed on */
	PV_SAY_PUT_HOSTS,     /* crawl, worker, names, clocks, rows, pages,
				 bytes */
	PV_SAY_REST_CLOCKS,   /* crawl, worker, clocks, left, rests */
	PV_SAY_REST_LOST,     /* crawl, worker, clocks that others own by now,
				 left */
	PV_SAY_PUT_ADDRESSES, /* crawl, hosts, fingerprints, states, rows */
	PV_SAY_PUT_ROBOTS,    /* crawl, hosts, authorities, rows */
	PV_SAY_PUT_NOTES,     /* crawl, hosts, kinds, keys, rows: an empty one
				 is none any more */
	PV_SAY_ADD_REDIRECTS, /* crawl, fingerprints, addresses */
	PV_SAY_ADD_CLOCKS,    /* crawl, clocks */
	PV_SAY_LOCK_CLOCKS,   /* crawl, clocks of hosts, of rests */
	PV_SAY_ADD_LINKS,  /* crawl, clocks, hosts, kinds (1: a voucher, which
				 comes first), rows: clock, owner (0: nobody),
				 number of the first link */
	PV_SAY_MEND_LINKS, /* crawl, clocks, owners, number: links from that on,
			       to clocks that others own by now, are these' */
	PV_SAY_MEND_STRAYS, /* crawl, how many: the same of all clocks, when all
			       are idle */
	PV_SAY_WAKE_CLOCKS, /* crawl, clocks */
	PV_SAY_DROP_LINKS,  /* numbers */
	PV_SAY_PUT_REFUSED, /* crawl, worker, policy's number, fingerprints,
				 reasons, clocks, hosts, rows */

	/* What is taken over */
	PV_SAY_CLAIM, /* crawl, worker, how many, activity: clocks, whether
				  they were given for it, and were owned before */
	PV_SAY_CLAIM_GIVEN, /* the same of those alone that were given for it */
	PV_SAY_CLAIM_NAMED, /* crawl, worker, clocks, activity: those of them that
				  were free, or are its own: whether that,
				  whether they were owned before, and whether
				  they were given for us */
	PV_SAY_WANT_CLOCKS, /* crawl, worker, clocks: those that others own, and
			       who; those of higher numbers are marked */
	PV_SAY_WANTED_CLOCKS, /* worker: clock of ours, by whom */
	PV_SAY_CLAIMED,       /* crawl, worker, behind which, how many: clocks
				 that it owns, by name */
	PV_SAY_HOSTS_OF,  /* crawl, clocks, behind which name, how many: name,
				 left, rest, row */
	PV_SAY_ROBOTS_OF, /* the same, how many bytes: host, authority, row */
	PV_SAY_NOTES_OF,  /* crawl, hosts, how many of each: host, kind, key,
				  row */
	PV_SAY_REDIRECTS, /* crawl, behind, how many: number, address */
	PV_SAY_ADDRESSES_OF, /* crawl, hosts, behind which of each, how many of
				  each: its place among the hosts (from 1),
				  and of its addresses the fingerprints, in
				  their order, the states and the rows */
	PV_SAY_LINKS_OF,     /* crawl, clocks, behind, how many: number, host,
				  row, whether it is a voucher */
	PV_SAY_LINKS_TO,     /* worker, how many: the same */

	/* What is given away, and addresses */
	PV_SAY_GIVE_CLOCKS, /* crawl, worker, clocks, for whom (0: anybody) */
	PV_SAY_CLAIM_ADDRESSES, /* crawl, worker, addresses, rests */
	PV_SAY_FIND_ADDRESSES,  /* crawl, addresses: address, owner (0: nobody),
				   left, rest */
	PV_SAY_WANT_ADDRESSES,  /* crawl, worker, addresses of higher numbers */
	PV_SAY_WANTED,          /* worker: address of ours, by whom */
	PV_SAY_GIVE_ADDRESSES,  /* crawl, worker, addresses */
	PV_SAY_COUNT,
};

extern const struct pv_fleet_statement pv_fleet_statements[PV_SAY_COUNT];

#endif
