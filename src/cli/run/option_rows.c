#include "cli/run/option_rows.h"

#include <stddef.h>

#define FLAG(field) PV_SETS_FLAG, offsetof(struct pv_options, field), NULL, NULL
#define TEXT(field) PV_SETS_TEXT, offsetof(struct pv_options, field), NULL, NULL
#define SETS(key, value) PV_SETS_KEY, 0, key, value

/* clang-format off */

/* The word behind the option. */
#define NO_WORD {NULL, PV_IS_TEXT, NULL}
#define ANY(name) {name, PV_IS_TEXT, NULL}
#define FILE_NAME(name) {name, PV_IS_FILE, NULL}
#define DIRECTORY(name) {name, PV_IS_DIRECTORY, NULL}
#define KEY(name) {name, PV_IS_KEY, NULL}
#define HOST_KEY(name) {name, PV_IS_HOST_KEY, NULL}

const struct pv_option_row pv_option_rows[] = {
{'o', true, "--output", DIRECTORY("DIR"),
 "the crawl's directory; the default is named after the policy or the host",
 TEXT(output)},
{'f', false, "--fresh", NO_WORD,
 "delete the crawl in the directory, and start again", FLAG(is_fresh)},
{'y', false, "--yes", NO_WORD, "do so without confirmation", FLAG(is_agreed)},

{'i', true, "--input-file", FILE_NAME("FILE"),
 "also the addresses that this file lists, one a line; - is the standard input",
 TEXT(input)},
{'G', false, "--shard", ANY("I/N"),
 "request only the hosts of shard I of N, such as 2/4; links to others are "
 "written to DIR/outbound/",
 TEXT(shard)},
{'I', false, "--inbound", FILE_NAME("PATH"),
 "also what another shard has found for this one: a file of its outbound/, or "
 "the directory of its crawl; may be repeated; not with --fleet",
 PV_ADDS_INBOUND, 0, NULL, NULL},
{'d', false, "--delay", ANY("TIME"),
 "rest after each answer of a host, such as 2s; for less than 250ms, also "
 "--set politeness.ip_delay",
 SETS("politeness.delay", NULL)},
{'R', false, "--rate", ANY("N"),
 "at most N requests a second in the whole crawl",
 SETS("rate.max_rate", NULL)},
{'n', false, "--depth", ANY("N"), "follow at most N links from the start",
 SETS("scope.depth", NULL)},
{'b', false, "--below", NO_WORD,
 "only pages below the path of the start, the default",
 SETS("scope.below", "true")},
{'B', false, "--no-below", NO_WORD, "all pages of the host of the start",
 SETS("scope.below", "false")},
{'t', false, "--site", NO_WORD,
 "all hosts of the start's site, such as www. and docs.example.org",
 SETS("scope.hosts", "site")},
{'p', false, "--limit-pages", ANY("N"), "stop after N pages",
 SETS("limits.pages", NULL)},
{'Q', false, "--no-requisites", NO_WORD,
 "no images, styles and scripts outside the scope of the pages",
 SETS("scope.requisites", "false")},
{'w', false, "--portable", NO_WORD,
 "use only file names that Windows and macOS allow",
 SETS("output.mirror.portable", "true")},
{'a', false, "--agent", ANY("NAME"),
 "name and version of the crawler, such as examplebot/1.0",
 SETS("identity.agent", NULL)},
{'K', false, "--contact", ANY("WHOM"),
 "how site owners reach you: an e-mail address or a page",
 SETS("identity.contact", NULL)},
{'P', false, "--print-policy", NO_WORD,
 "print the policy for these options, and do nothing",
 FLAG(is_policy_wanted)},
{'N', false, "--dry-run", NO_WORD,
 "print what would be requested, and make no request", FLAG(is_dry)},

{'c', true, "--config", FILE_NAME("FILE"),
 "the configuration of the service; - is the standard input", TEXT(config)},
{'e', false, "--effective", NO_WORD,
 "print the policy with all defaults and the source of each value",
 FLAG(is_effective)},
{'l', false, "--limits", NO_WORD, "print every limit and its value",
 FLAG(is_limits)},
{'s', false, "--schema", NO_WORD, "print the JSON Schema of policies",
 FLAG(is_schema)},
{'S', false, "--set", KEY("KEY=VALUE"),
 "set a key of the policy, such as rate.max_rate=5",
 PV_ADDS_SET, 0, NULL, NULL},
{'D', false, "--domain", HOST_KEY("HOST KEY=VALUE"),
 "set a key for a host, such as docs.example.org delay=200ms",
 PV_ADDS_DOMAIN, 0, NULL, NULL},
{'r', false, "--robots", FILE_NAME("FILE"),
 "use this file as the robots.txt of the host", TEXT(robots)},
{'O', false, "--offline", NO_WORD,
 "don't request robots.txt; the answer stays open",
 FLAG(is_offline)},
{'U', false, "--url", ANY("URL"), "the address that the file counts as",
 TEXT(url)},
{'A', false, "--as", ANY("KIND"), "the kind of page that it counts as",
 TEXT(kind)},
{'Y', false, "--carry", ANY("JSON"),
 "what its link brings along, such as '{\"category\": \"Books\"}'",
 TEXT(carry)},
{'E', false, "--encoding", ANY("NAME"),
 "the encoding of the page that has the link", TEXT(encoding)},
{'H', false, "--host", ANY("NAME"), "only this host", TEXT(host)},
{'u', false, "--until", ANY("TIME"),
 "when the pause ends: after 2h, at 14:30, or on 2026-11-27", TEXT(until)},
{'k', false, "--broken", NO_WORD,
 "list broken links, and the pages that have them", FLAG(is_broken)},
{'x', false, "--refused", NO_WORD,
 "also addresses that the policy or robots.txt left out", FLAG(has_refused)},
{'C', false, "--csv", NO_WORD, "print CSV, for spreadsheets", FLAG(is_csv)},
{'8', false, "--serve", ANY("PORT"),
 "only serve the site, at this port of this machine, until Ctrl+C",
 TEXT(serve)},
{'F', false, "--fleet", ANY("URL"),
 "the PostgreSQL database in which several machines share the crawl: "
 "postgresql://USER@HOST/DATABASE",
 TEXT(fleet)},
{'M', false, "--metrics", FILE_NAME("FILE"),
 "write figures for Prometheus there every 5 seconds", TEXT(metrics)},
{'T', false, "--stream", ANY("KIND"),
 "print the rows of that kind of page once they are saved", TEXT(stream)},
{'j', false, "--json", NO_WORD, "print JSON, for programs", FLAG(is_json)},
{'v', true, "--verbose", NO_WORD,
 "print more; in a crawl each event of a host, and with -vv each request",
 PV_COUNTS, offsetof(struct pv_options, verbosity), NULL, NULL},
{'q', true, "--quiet", NO_WORD, "print problems only", FLAG(is_quiet)},
{'h', true, "--help", NO_WORD, "print this help", FLAG(has_help)},
{'V', true, "--version", NO_WORD, "print the program's version",
 FLAG(has_version)},
};
/* clang-format on */

const size_t pv_option_row_count =
    sizeof(pv_option_rows) / sizeof(*pv_option_rows);

_Static_assert(
    sizeof(pv_option_rows) / sizeof(*pv_option_rows) < PV_OPTION_ROWS_MAX &&
	PV_OPTION_ROWS_MAX <= sizeof(((struct pv_options *)NULL)->given),
    "each letter may be given");

const struct pv_option_row *pv_option_row_of(int letter)
{
	for (size_t i = 0; i < pv_option_row_count; i++) {
		if (pv_option_rows[i].letter == letter)
			return &pv_option_rows[i];
	}
	return NULL;
}
