#include "crawl/hostile.h"
#include "server/hole.h"

/* Hosts that are not there, or go away, or show a certificate that is not
 * theirs (hostile.md, B2), each beside an innocent one. Their robots.txt is
 * left aside, for without it nothing else would be asked for
 * (test_robots_txt). */

#define UNREACHED .requests = NO_REQUESTS, .has_no_robots = true
#define HTTPS UNREACHED, .scheme = "https"

static char shut_end[32];
static char hole_end[32];

/* The first ones are at the doors' addresses. */
static const struct misdeed misdeeds[] = {
    {"resets", {.body = ""}, .outcome = "no-connection",
	.or_outcome = "broken-off", UNREACHED},
    {"closes", {.body = ""}, .outcome = "broken-off", UNREACHED},
    {"never-reads", {.body = ""}, .outcome = "timeout", UNREACHED},
    {"reset-once", {.body = "there"}, .outcome = "answered",
	.has_no_robots = true, .is_kept = true, .line = "\"attempt\":2"},
    /* 12, 14 */
    {"refused", {.body = ""}, .outcome = "no-connection", UNREACHED,
	.end = shut_end, .line = "\"attempt\":2"},
    {"black-hole", {.body = ""}, .outcome = "timeout", UNREACHED,
	.end = hole_end, .line = "\"attempt\":2"},
    /* 15, 16 */
    {"good", {.body = "good"}, .outcome = "answered", .scheme = "https",
	.is_kept = true},
    {"stalls", {.body = ""}, .outcome = "timeout", HTTPS,
	.line = "TLS handshake had not ended"},
    {"expired", {.body = ""}, .outcome = "tls", HTTPS, .line = "has expired"},
    {"early", {.body = ""}, .outcome = "tls", HTTPS, .line = "not valid yet"},
    {"self", {.body = ""}, .outcome = "tls", HTTPS, .line = "is self-signed"},
    {"unknown", {.body = ""}, .outcome = "tls", HTTPS, .line = "not known"},
    {"wrong", {.body = ""}, .outcome = "tls", HTTPS, .line = "another name"},
    {"tls-closes", {.body = ""}, .outcome = "no-connection", HTTPS},
    {"tls-resets", {.body = ""}, .outcome = "no-connection", HTTPS},
    {"trusted", {.body = "any"}, .outcome = "answered", .scheme = "https",
	.is_kept = true},
    /* 21 */
    {"tls-plain", {.body = ""}, .outcome = "tls", HTTPS},
    {"plain-port", {.body = ""}, .outcome = "tls", HTTPS, .is_tls_port = true},
    {"tls-port", {.body = ""}, .outcome = "broken-off", UNREACHED,
	.is_tls_port = true},
};

static const struct server_door doors[] = {
    {.address = "127.66.0.1", .kind = SERVER_DOOR_RESETS},
    {.address = "127.66.0.2", .kind = SERVER_DOOR_CLOSES},
    {.address = "127.66.0.3", .kind = SERVER_DOOR_NEVER_READS},
    {.address = "127.66.0.4", .kind = SERVER_DOOR_RESETS, .times = 1},
};

static const struct server_tls_name tls_names[] = {
    {"stalls.test", SERVER_TLS_STALLS},
    {"expired.test", SERVER_TLS_EXPIRED},
    {"early.test", SERVER_TLS_NOT_YET_VALID},
    {"self.test", SERVER_TLS_SELF_SIGNED},
    {"unknown.test", SERVER_TLS_UNKNOWN_AUTHORITY},
    {"wrong.test", SERVER_TLS_WRONG_NAME},
    {"tls-closes.test", SERVER_TLS_CLOSES},
    {"tls-resets.test", SERVER_TLS_RESETS},
    {"tls-plain.test", SERVER_TLS_SPEAKS_PLAIN},
    {"trusted.test", SERVER_TLS_SELF_SIGNED},
};

int main(void)
{
	struct shut_port shut;
	struct hole hole;
	if (!shut_port_open(&shut) || !hole_open(&hole, "127.66.2.2")) {
		tap_skip("hosts that are not there", "no such ports are to be "
						     "had");
		return tap_done();
	}
	snprintf(
	    shut_end, sizeof(shut_end), "127.66.2.1:%u", (unsigned)shut.port);
	snprintf(
	    hole_end, sizeof(hole_end), "127.66.2.2:%u", (unsigned)hole.port);
	hostile_try(&(struct misdeeds){
	    MISDEEDS(misdeeds),
	    .plan = {SERVER_DOORS(doors), SERVER_TLS_NAMES(tls_names)},
	    .fetch = HOSTILE_FETCH,
	    .policy = "  trusted.test: {tls: {verify: false}}\n",
	    .status = 5,
	});
	hole_close(&hole);
	shut_port_close(&shut);
	return tap_done();
}
