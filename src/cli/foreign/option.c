#include "cli/foreign/option.h"

#include <string.h>

#define SET(key, value) false, PV_FOREIGN_SETS, PV_VALUE_NONE, key, value
#define TAKE(key, value) true, PV_FOREIGN_SETS, PV_VALUE_##value, key, NULL
#define SO(why) false, PV_FOREIGN_IS_SO, PV_VALUE_NONE, NULL, why
#define NOT(why) false, PV_FOREIGN_ANSWER, PV_VALUE_NONE, NULL, why
#define NOT_WITH(why) true, PV_FOREIGN_ANSWER, PV_VALUE_NONE, NULL, why
#define NOT_SECRET(why) true, PV_FOREIGN_ANSWER, PV_VALUE_SECRET, NULL, why

#define BOTH (PV_WGET | PV_CURL)

#define LOGIN                                                                 \
	"write name and password into the address, "                          \
	"https://name:password@host/, or leave the password to a variable: "  \
	"--domain HOST 'user=NAME:${PASSWORD}'"
#define NETRC "name the hosts that may have it: --domain HOST user=netrc"
#define BEARER                                                                \
	"put it into a variable and name the hosts that may have it: "        \
	"--domain HOST 'user=bearer ${TOKEN}'"
#define PROXY_LOGIN                                                           \
	"it belongs to the proxy's address: --set "                           \
	"'fetch.proxy=http://${LOGIN}@HOST:PORT'"

/* clang-format off */
const struct pv_foreign_option pv_foreign_options[] = {
/* Where to begin and to store */
{PV_WGET, "--input-file", 'i', true, PV_FOREIGN_LISTS, PV_VALUE_NONE, NULL, NULL},
{PV_WGET, "--directory-prefix", 'P', true, PV_FOREIGN_STORES, PV_VALUE_NONE, NULL, NULL},
{BOTH, "--output-document", 'O', NOT_WITH("all pages are files of a directory: use -o DIR")},
{PV_CURL, "--output-dir", 0, true, PV_FOREIGN_STORES, PV_VALUE_NONE, NULL, NULL},
{PV_CURL, "--remote-name", 0, SO("each page has a file of its own")},

/* What is fetched */
{PV_WGET, "--mirror", 'm', SO("a mirror is copied as a whole, and `pavane update` fetches what has changed")},
{PV_WGET, "--recursive", 'r', SO("links are followed")},
{PV_WGET, "--level", 'l', TAKE("scope.depth", DEPTH)},
{PV_WGET, "--no-parent", 0, SET("scope.below", "true")},
{PV_WGET, "-np", 0, SET("scope.below", "true")},
{PV_WGET, "--page-requisites", 'p', SET("scope.requisites", "true")},
{PV_WGET, "--span-hosts", 'H', SET("scope.hosts", "any")},
{PV_WGET, "--domains", 'D', TAKE("scope.hosts", HOSTS)},
{PV_WGET, "--exclude-domains", 0, TAKE("scope.rules", DENIED)},
{PV_WGET, "--reject", 'R', TAKE("scope.rules", ENDINGS)},
{PV_WGET, "--exclude-directories", 'X', TAKE("scope.rules", PLACES)},
{PV_WGET, "--accept", 'A', NOT_WITH("a rule says so: --set 'scope.rules=[{deny: {...}}]'; `man pavane-policy` describes rules")},
{PV_WGET, "--accept-regex", 0, NOT_WITH("a rule says so: --set 'scope.rules=[{allow: {url: ...}}]'; `man pavane-policy` describes rules")},
{PV_WGET, "--reject-regex", 0, NOT_WITH("a rule says so: --set 'scope.rules=[{deny: {url: ...}}]'; `man pavane-policy` describes rules")},
{PV_WGET, "--include-directories", 'I', NOT_WITH("name each directory as an address of its own")},
{PV_WGET, "--relative", 'L', NOT("whole addresses of the same host are links like others")},
{PV_WGET, "--follow-ftp", 0, NOT("only http and https are fetched")},
{PV_WGET, "--quota", 'Q', TAKE("limits.bytes", SIZE)},
{PV_CURL, "--location", 'L', SO("redirects are followed")},
{BOTH, "--max-redirect", 0, TAKE("fetch.redirects", AS_IS)},
{PV_CURL, "--max-redirs", 0, TAKE("fetch.redirects", AS_IS)},
{PV_WGET, "--spider", 0, NOT("to check links, mirror the site and run `pavane links DIR --broken`")},

/* How fast */
{PV_WGET, "--wait", 'w', TAKE("politeness.delay", SECONDS)},
{PV_WGET, "--random-wait", 0, SET("politeness.jitter", "0.5")},
{PV_WGET, "--waitretry", 0, TAKE("politeness.backoff.failure", SECONDS)},
{BOTH, "--limit-rate", 0, TAKE("rate.bandwidth", RATE)},
{PV_WGET, "--max-threads", 0, TAKE("rate.concurrency", AS_IS)},
{PV_CURL, "--parallel", 'Z', NOT("several hosts are asked at a time anyhow; at one host: --set politeness.connections=2")},
{PV_WGET, "--tries", 't', TAKE("fetch.retries", TRIES)},
{PV_CURL, "--retry", 0, TAKE("fetch.retries", AS_IS)},
{PV_CURL, "--retry-delay", 0, TAKE("politeness.backoff.failure", SECONDS)},
{PV_WGET, "--timeout", 'T', TAKE("fetch.timeout.stall", SECONDS)},
{BOTH, "--connect-timeout", 0, TAKE("fetch.timeout.connect", SECONDS)},
{PV_WGET, "--read-timeout", 0, TAKE("fetch.timeout.stall", SECONDS)},
{PV_CURL, "--max-time", 'm', TAKE("fetch.timeout.total", SECONDS)},

/* Who asks */
{PV_WGET, "--user-agent", 'U', TAKE("identity.agent", QUOTED)},
{PV_CURL, "--user-agent", 'A', TAKE("identity.agent", QUOTED)},
{BOTH, "--header", 0, TAKE("fetch.headers", HEADER)},
{PV_CURL, "--header", 'H', TAKE("fetch.headers", HEADER)},
{BOTH, "--referer", 0, NOT_WITH("no page is named to another")},
{PV_CURL, "--referer", 'e', NOT_WITH("no page is named to another")},
{BOTH, "--random-agent", 0, NOT("never: servers are told who asks")},
{PV_WGET, "--load-cookies", 0, TAKE("fetch.cookie_file", QUOTED)},
{PV_CURL, "--cookie", 'b', TAKE("fetch.cookie_file", QUOTED)},
{PV_WGET, "--save-cookies", 0, NOT_WITH("cookies stay in the crawl: --set fetch.cookies=true")},
{BOTH, "--netrc", 0, NOT(NETRC)},
{PV_CURL, "--netrc", 'n', NOT(NETRC)},
{PV_CURL, "--netrc-file", 0, NOT_WITH("name the hosts that may have it: --domain HOST 'user=netrc ./FILE'")},
{PV_CURL, "--oauth2-bearer", 0, NOT_SECRET(BEARER)},
{BOTH, "--user", 0, NOT_SECRET(LOGIN)},
{BOTH, "--http-user", 0, NOT_SECRET(LOGIN)},
{BOTH, "--password", 0, NOT_SECRET(LOGIN)},
{BOTH, "--http-password", 0, NOT_SECRET(LOGIN)},
{PV_CURL, "--user", 'u', NOT_SECRET(LOGIN)},
{PV_WGET, "--execute", 'e', NOT_WITH("robots.txt is obeyed; of a host of yours, --domain HOST robots=ignore leaves it aside")},
{PV_WGET, "--no-robots", 0, NOT("robots.txt is obeyed; of a host of yours, --domain HOST robots=ignore leaves it aside")},
{BOTH, "--ignore-robots", 0, NOT("robots.txt is obeyed; of a host of yours, --domain HOST robots=ignore leaves it aside")},
{BOTH, "--post-data", 0, NOT_WITH("pages are only requested, nothing is sent")},
{PV_CURL, "--data", 'd', NOT_WITH("pages are only requested, nothing is sent")},
{PV_CURL, "--request", 'X', NOT_WITH("pages are only requested, nothing is sent")},

/* Connections */
{BOTH, "--no-check-certificate", 0, SET("fetch.tls.verify", "false")},
{PV_CURL, "--insecure", 'k', SET("fetch.tls.verify", "false")},
{PV_WGET, "--ca-certificate", 0, TAKE("fetch.tls.ca", QUOTED)},
{PV_CURL, "--cacert", 0, TAKE("fetch.tls.ca", QUOTED)},
{PV_CURL, "--proxy", 'x', TAKE("fetch.proxy", QUOTED)},
{BOTH, "--proxy-user", 0, NOT_SECRET(PROXY_LOGIN)},
{PV_WGET, "--proxy-password", 0, NOT_SECRET(PROXY_LOGIN)},
{PV_WGET, "--http-proxy", 0, NOT_WITH("--set fetch.proxy=http://HOST:PORT")},
{PV_WGET, "--https-proxy", 0, NOT_WITH("--set fetch.proxy=http://HOST:PORT")},
{PV_CURL, "--socks5", 0, NOT_WITH("--set fetch.proxy=socks5h://HOST:PORT")},
{PV_CURL, "--socks5-hostname", 0, NOT_WITH("--set fetch.proxy=socks5h://HOST:PORT")},
{PV_CURL, "--noproxy", 0, NOT_WITH("name the hosts: --domain HOST proxy=none")},
{PV_WGET, "--no-proxy", 0, SO("proxies of the environment are not used")},
{PV_CURL, "--compressed", 0, SO("compressed answers are asked for")},
{BOTH, "--no-http2", 0, SET("fetch.http2", "false")},
{PV_CURL, "--http1.1", '0', SET("fetch.http2", "false")},
{BOTH, "--inet4-only", '4', NOT("addresses are taken as name servers give them; --set fetch.resolve={...} chooses them")},
{BOTH, "--inet6-only", '6', NOT("addresses are taken as name servers give them; --set fetch.resolve={...} chooses them")},

/* Files */
{PV_WGET, "--convert-links", 'k', SET("output.mirror.rewrite", "true")},
{PV_WGET, "--adjust-extension", 'E', SO("files get the name that fits their content")},
{PV_WGET, "--html-extension", 0, SO("files get the name that fits their content")},
{PV_WGET, "--backup-converted", 'K', NOT("the pages as they came are not kept beside the mirror")},
{PV_WGET, "--timestamping", 'N', SO("`pavane update` fetches only what has changed")},
{PV_WGET, "--continue", 'c', SO("the same command goes on where it was stopped")},
{PV_WGET, "--no-clobber", 0, SO("what is there is not fetched again")},
{PV_WGET, "-nc", 0, SO("what is there is not fetched again")},
{PV_WGET, "--force-directories", 'x', SO("each host has its directory")},
{PV_WGET, "--no-host-directories", 0, NOT("each host has its directory")},
{PV_WGET, "-nH", 0, NOT("each host has its directory")},
{PV_WGET, "--no-directories", 0, NOT("pages keep their directories, so that none is in the way of another")},
{PV_WGET, "-nd", 0, NOT("pages keep their directories, so that none is in the way of another")},
{PV_WGET, "--cut-dirs", 0, NOT_WITH("pages keep their directories, so that none is in the way of another")},
{PV_WGET, "--restrict-file-names", 0, NOT_WITH("use --portable for names that Windows and macOS allow")},
{PV_WGET, "--delete-after", 0, NOT("without files: `pavane crawl` with output: {}")},
{PV_WGET, "--warc-file", 0, NOT_WITH("archives are not written yet")},

/* What is said */
{PV_WGET, "--no-verbose", 0, SO("only the end is told where nobody looks on")},
{PV_WGET, "-nv", 0, SO("only the end is told where nobody looks on")},
{PV_CURL, "--silent", 's', SO("use -q")},
{PV_CURL, "--show-error", 'S', SO("errors are told")},
{PV_CURL, "--fail", 'f', SO("errors are told, and kept out of the mirror")},
{PV_WGET, "--show-progress", 0, SO("progress is shown on a terminal")},
{PV_WGET, "--progress", 0, NOT_WITH("a terminal shows a display, other output plain lines, --json objects")},
{PV_WGET, "--background", 'b', NOT("run it by nohup or as a service; `pavane status DIR` tells how far it is")},
{PV_WGET, "--output-file", 0, NOT_WITH("send the standard error there: 2>FILE")},
};
/* clang-format on */

const size_t pv_foreign_option_count =
    sizeof(pv_foreign_options) / sizeof(*pv_foreign_options);

const struct pv_foreign_option *pv_foreign_find_name(
    unsigned tools, const char *name, size_t len)
{
	for (size_t i = 0; i < pv_foreign_option_count; i++) {
		const struct pv_foreign_option *option = &pv_foreign_options[i];
		if (option->tools & tools && strlen(option->name) == len &&
		    strncmp(option->name, name, len) == 0)
			return option;
	}
	return NULL;
}

const struct pv_foreign_option *pv_foreign_find_letter(
    unsigned tools, char letter)
{
	const struct pv_foreign_option *found = NULL;
	for (size_t i = 0; i < pv_foreign_option_count; i++) {
		const struct pv_foreign_option *option = &pv_foreign_options[i];
		if (!(option->tools & tools) || option->letter != letter)
			continue;
		if (found && strcmp(found->name, option->name) != 0)
			return NULL;
		found = option;
	}
	return found;
}
