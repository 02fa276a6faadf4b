#ifndef PAVANE_TESTS_TORTURE_MAZE_H
#define PAVANE_TESTS_TORTURE_MAZE_H

#include <stdatomic.h>

#include "server/server.h"

/* A site of some 250 addresses on eighteen hosts, made to be crawled by somebody
 * who is killed on the way: it has something of all that a crawl has to
 * remember.
 *
 * Pages in levels, of which a limit of depth cuts the last; redirects, in
 * chains, in circles, too many in a row, to other hosts, of a seed; traps;
 * pictures and style sheets that import others, from other hosts too; hosts
 * that are busy, that fail once or twice and then do not, that break off in the
 * midst of a page; pages that are gone, or fail for ever; robots.txt that
 * forbids, that asks for slowness, that fails once, that is a redirect; hosts
 * that ask for more patience than we have, that do not want us, or are not
 * there; sitemaps that have pages of their own; pages that are all the same.
 *
 * What is served under an address depends on nothing but the address and the
 * day, a number that the test may change before an update: on the second day
 * some pages are others, some are gone, some are new, and some are found nearer
 * to where it begins. What fails first and then does not goes by how often it
 * was asked for. In particular:
 *
 * - nothing comes so often that what a crawl counts "give or take what was in
 *   flight" would decide anything: same bodies and hosts of a site stay far
 *   below their limits, and all session identifiers are links of one page, by
 *   which alone the other page is found that has them;
 * - each address is as deep as the first link to it makes it, and no host has
 *   five failures in a row, so that what is asked, and how often, does not
 *   depend on the order of the answers, nor on that in which a host's pages
 *   are asked for, which is another after a new start: the host that refuses is
 *   left after just as many as it has, and further ones are found when that is
 *   long past.
 */
struct maze {
	atomic_int day; /* from 1 */
};

/* For server_plan; the context is a struct maze. The hosts are at addresses of
 * their own, so the server is to listen at 127.0.0.0/8. */
bool maze_answer(void *ctx, const struct server_request *request,
    struct server_answer *answer);

/* Appends the policy of a crawl of the site on the server of that port, which
 * shares its clocks with others or not. */
void maze_write_policy(
    uint16_t port, bool has_shared_clocks, struct pv_buf *policy);

/* Appends what an address, such as "http://a.test/tree/1", serves on a day when
 * all is well; false if that is nothing that is to be kept. */
bool maze_write_body(struct pv_str url, int day, struct pv_buf *body);

/* Its hosts, by number; NULL behind the last. */
const char *maze_host(size_t number);

/* How long a host must be left alone between two requests at least, or between
 * two for pages, when its robots.txt has been read. */
int64_t maze_delay_ms(struct pv_str host, bool is_page);

/* What a busy host of it asks for, in its Retry-After. */
#define MAZE_RETRY_AFTER_MS 1000

#endif
