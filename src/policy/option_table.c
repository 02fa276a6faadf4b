#include "policy/option.h"

#include "config.h"

#include "policy/policy.h"

#define FIELD(field) offsetof(struct pv_policy, field)
#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)
#define KIB INT64_C(1024)
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)
#define PIB (1024 * 1024 * GIB)
#define BILLION INT64_C(1000000000)

#define NONE PV_MAY_BE_NONE
#define DOMAIN PV_IN_DOMAIN
#define CEILING PV_IS_CEILING
#define SET PV_MAY_BE_SET

#define FREE PV_GUEST_FREE
#define MORE PV_GUEST_MORE
#define LESS PV_GUEST_LESS
#define SAME PV_GUEST_SAME

static const char *const delay_from[] = {"end", "start", NULL};
static const char *const robots_choices[] = {"obey", "ignore", NULL};
static const char *const gone_choices[] = {"move", "keep", "delete", NULL};
static const char *const fields_forms[] = {"jsonl", "csv", "sqlite", NULL};
static const char *const private_choices[] = {"named", "all", "none", NULL};

/* clang-format off */
static const struct pv_option options[] = {
{"version", &pv_kind_count, FIELD(version), "1", 1, 1,
 .by_guest = FREE, .sentence =
 "The version of this format."},
{"name", &pv_kind_text, FIELD(name), "none", .rule = &pv_rule_name,
 .flags = NONE | PV_NOT_IN_CONFIG, .by_guest = FREE, .sentence =
 "The name of the crawl, and of its directory."},
{"seeds", &pv_kind_seeds, FIELD(seeds), .flags = PV_NOT_IN_CONFIG,
 .by_guest = FREE, .sentence =
 "Where to start: addresses, in which {1..500}, [1-500] and {a,b} are expanded, "
 "sitemaps, and files with one address a line (\"-\": the standard input). "
 "depth limits how many links "
 "are followed from a seed (0: this page only); tag is written to all output; as "
 "names the kind of page (pages) that it is, or that a sitemap lists."},

{"identity.agent", &pv_kind_text, FIELD(identity.agent),
 "pavane/" PACKAGE_VERSION, .rule = &pv_rule_agent, .sentence =
 "Name and version of the crawler, sent as User-Agent; the part before the "
 "slash is matched with robots.txt."},
{"identity.contact", &pv_kind_text, FIELD(identity.contact), "none",
 .rule = &pv_rule_contact, .flags = NONE, .sentence =
 "A page or an e-mail address by which site owners can reach you; sent with "
 "each request. Required if a host is not on this machine or a private "
 "network."},
{"identity.from", &pv_kind_text, FIELD(identity.from), "none",
 .rule = &pv_rule_email, .flags = NONE, .sentence =
 "An e-mail address for the From header."},

{"rate.max_rate", &pv_kind_count, FIELD(rate.max_rate), "20", 1, 1000000,
 SET | CEILING, .by_guest = MORE, .sentence =
 "Requests started in each interval."},
{"rate.interval", &pv_kind_time, FIELD(rate.interval_ms), "1s", 1, DAY, SET,
 .by_guest = LESS, .sentence =
 "The interval of max_rate."},
{"rate.burst", &pv_kind_count, FIELD(rate.burst), NULL, 1, 1000000,
 SET | CEILING, .by_guest = MORE, .sentence =
 "At most this many requests may start at once after an idle time; the "
 "default is max_rate."},
{"rate.concurrency", &pv_kind_count, FIELD(rate.concurrency), NULL, 1, 100000,
 SET | CEILING, .by_guest = MORE, .sentence =
 "At most this many requests in flight; the default is max_rate."},
{"rate.bandwidth", &pv_kind_bandwidth, FIELD(rate.bandwidth), "none",
 1 * KIB, PIB, SET | NONE | CEILING, .by_guest = MORE, .sentence =
 "At most this many bytes a second, for all answers together, as "
 "transferred: answers are read more slowly, each with the same share."},

{"politeness.delay", &pv_kind_time, FIELD(manners.delay_ms), "1s", 0, 30 * DAY,
 SET | DOMAIN, .by_guest = LESS, .sentence =
 "The rest of a host between two requests."},
{"politeness.delay_from", &pv_kind_choice, FIELD(manners.delay_from), "end",
 .choices = delay_from, .flags = SET | DOMAIN, .by_guest = MORE, .sentence =
 "Whether the rest begins at the end of an answer (end) or at the start of a "
 "request (start)."},
{"politeness.delay_factor", &pv_kind_number, FIELD(manners.delay_factor), "1",
 0, 1000, SET | DOMAIN, .by_guest = LESS, .sentence =
 "A host rests at least this many times as long as its last answer took."},
{"politeness.max_delay", &pv_kind_time, FIELD(manners.max_delay_ms), "30s", 0,
 30 * DAY, SET | DOMAIN, .by_guest = LESS, .sentence =
 "The longest rest that delay_factor, or a slow-down after 429 or 503, can "
 "cause."},
{"politeness.jitter", &pv_kind_number, FIELD(manners.jitter), "0", 0, 10,
 SET | DOMAIN, .by_guest = LESS, .sentence =
 "With 0.5, each delay is random between 1 and 1.5 times the delay; never "
 "less than the delay."},
{"politeness.connections", &pv_kind_count, FIELD(manners.connections), "1", 1,
 100000, SET | DOMAIN, .by_guest = MORE, .sentence =
 "How many requests to a host may run at the same time; the delay between "
 "their starts applies too."},
{"politeness.max_rate", &pv_kind_count, FIELD(manners.max_rate), "none", 1,
 1000000, SET | DOMAIN | NONE, .by_guest = MORE, .sentence =
 "Requests to the host started in each politeness.interval."},
{"politeness.interval", &pv_kind_time, FIELD(manners.interval_ms), "1s", 1,
 30 * DAY, SET | DOMAIN, .by_guest = LESS, .sentence =
 "The interval of politeness.max_rate."},
{"politeness.bandwidth", &pv_kind_bandwidth, FIELD(manners.bandwidth), "none",
 1 * KIB, PIB, SET | DOMAIN | NONE | CEILING, .by_guest = MORE, .sentence =
 "At most this many bytes a second, for the answers of a host. Time that "
 "this costs counts neither for timeouts nor for delay_factor."},
{"politeness.ip_delay", &pv_kind_time, FIELD(manners.ip_delay_ms), "250ms", 0,
 30 * DAY, SET | DOMAIN, .by_guest = LESS, .sentence =
 "The rest between two starts of requests to one IP address, whatever the "
 "host names; an address range in the domain table sets it for a network."},
{"politeness.crawl_delay.give_up_over", &pv_kind_time,
 FIELD(manners.crawl_delay_give_up_ms), "none", 1 * SECOND, 3650 * DAY,
 DOMAIN | NONE, .by_guest = FREE, .sentence =
 "A host with a longer Crawl-delay is given up, with that reason."},
{"politeness.retry_after.give_up_over", &pv_kind_time,
 FIELD(manners.retry_after_give_up_ms), "1d", 1 * SECOND, 3650 * DAY,
 DOMAIN | NONE, .by_guest = FREE, .sentence =
 "A host with a longer Retry-After is given up, with that reason."},
{"politeness.backoff.failure", &pv_kind_time, FIELD(manners.backoff.failure_ms),
 "5s", 1, 30 * DAY, SET | DOMAIN, .by_guest = LESS, .sentence =
 "The rest after a failure: no connection, no answer, a 5xx other than 503."},
{"politeness.backoff.overload", &pv_kind_time,
 FIELD(manners.backoff.overload_ms), "60s", 1, 30 * DAY, SET | DOMAIN,
 .by_guest = LESS, .sentence =
 "The rest after 429 or 503."},
{"politeness.backoff.factor", &pv_kind_number, FIELD(manners.backoff.factor),
 "2", 1, 100, SET | DOMAIN, .by_guest = LESS, .sentence =
 "Each further failure in a row, at another page, makes the rest this many "
 "times as long."},
{"politeness.backoff.max", &pv_kind_time, FIELD(manners.backoff.max_ms), "1d",
 1, 365 * DAY, SET | DOMAIN, .by_guest = LESS, .sentence =
 "The longest rest after failures."},
{"politeness.backoff.forgive", &pv_kind_time,
 FIELD(manners.backoff.forgive_ms), "30m", 1, 365 * DAY, SET | DOMAIN,
 .by_guest = LESS, .sentence =
 "After this time without a failure, the rest is short again."},
{"politeness.blocked.after", &pv_kind_count, FIELD(manners.blocked_after), "20",
 1, 1000000, DOMAIN | NONE, .by_guest = MORE, .sentence =
 "A host that answers 401, 403 or 451 this many times in a row is given up, "
 "with that reason."},
{"politeness.allowed_hours", &pv_kind_texts, FIELD(manners.allowed_hours),
 .most = 24, .rule = &pv_rule_hours, .flags = SET | DOMAIN,
 .by_guest = SAME, .sentence =
 "When requests may start, such as [\"22:00-06:00\"]; [] is always."},
{"politeness.timezone", &pv_kind_text, FIELD(manners.timezone), "local",
 .rule = &pv_rule_zone, .flags = SET | DOMAIN, .by_guest = SAME, .sentence =
 "The time zone of allowed_hours: local, UTC, +02:00 or a zone such as "
 "Europe/Berlin."},
{"politeness.shared_clocks", &pv_kind_bool, FIELD(shared_clocks), "true",
 .by_guest = LESS, .sentence =
 "Share the pace with your other crawls on this machine: requests of all "
 "crawls to a host or an IP address count together, and the longest rest "
 "applies."},

{"domains", &pv_kind_domains, FIELD(domains), .by_guest = FREE, .sentence =
 "Other values for some hosts, by name (docs.example.org), by all names "
 "below one (\"*.example.com\", in quotes) or by address range "
 "(\"10.0.0.0/8\"); for each key the most specific entry counts."},
{"domains.*.robots", &pv_kind_choice, FIELD(manners.robots), "obey",
 .choices = robots_choices, .flags = DOMAIN | PV_ONLY_IN_DOMAIN, .sentence =
 "Whether robots.txt is obeyed; ignore is for your own hosts, so it is "
 "allowed only for exact names and private address ranges."},
{"domains.*.headers", &pv_kind_pairs, FIELD(manners.headers), .most = 100,
 .name_rule = &pv_rule_header_name, .rule = &pv_rule_header_value,
 .flags = DOMAIN | PV_ONLY_IN_DOMAIN, .sentence =
 "Headers of the requests to these hosts alone, in the place of those of the "
 "same name in fetch.headers. They go to a seed's scheme, host and port; to a "
 "host that is no seed's, to a seed's scheme and port or to https. They are "
 "not written into the crawl's directory."},
{"domains.*.user", &pv_kind_user, FIELD(manners.user), "none",
 .rule = &pv_rule_user, .flags = NONE | DOMAIN | PV_ONLY_IN_DOMAIN, .sentence =
 "As whom these hosts are asked: NAME:PASSWORD, \"NAME:${VARIABLE}\", \"basic "
 "${VARIABLE}\", \"bearer ${VARIABLE}\", netrc, or one of these words with a "
 "file (\"bearer ./token\"). Variables of the environment and files are read "
 "when the crawl starts. It goes where headers of these hosts go."},
{"domains.*.share", &pv_kind_bool, FIELD(manners.share), "false",
 .flags = DOMAIN | PV_ONLY_IN_DOMAIN, .by_guest = LESS, .sentence =
 "One clock for all hosts that a *. name matches, instead of one for each "
 "host."},

{"robots.ttl", &pv_kind_time, FIELD(robots.ttl_ms), "24h", 1 * MINUTE, 7 * DAY,
 .by_guest = MORE, .sentence =
 "How long a robots.txt is valid, at most a day; it is requested again after "
 "three quarters of this time. If it cannot be fetched then, the last copy "
 "is valid until it is a day old."},
{"robots.give_up", &pv_kind_time, FIELD(robots.give_up_ms), "30d", 1 * MINUTE,
 3650 * DAY, .by_guest = FREE, .sentence =
 "A host whose robots.txt cannot be fetched, or whose name cannot be resolved, "
 "for this time is given up."},
{"robots.give_up_silent", &pv_kind_time, FIELD(robots.give_up_silent_ms),
 "none", 1 * SECOND, 3650 * DAY, NONE, .by_guest = FREE, .sentence =
 "The same for a host that has never answered at all."},
{"robots.meta", &pv_kind_bool, FIELD(robots.meta), "true",
 .by_guest = LESS, .sentence =
 "Honour nofollow in <meta name=robots> and X-Robots-Tag."},
{"robots.nofollow", &pv_kind_bool, FIELD(robots.nofollow), "true",
 .by_guest = LESS, .sentence =
 "Don't follow links whose rel is nofollow, ugc or sponsored."},

{"scope.hosts", &pv_kind_hosts, FIELD(scope.hosts), "same",
 .rule = &pv_rule_host, .most = 10000, .by_guest = FREE, .sentence =
 "Hosts in scope: same (those of the seeds), site (their registrable "
 "domains), any, or a list of names and \"*.name\"."},
{"scope.below", &pv_kind_bool, FIELD(scope.below), "false",
 .by_guest = FREE, .sentence =
 "Only pages below the path of a seed."},
{"scope.depth", &pv_kind_count, FIELD(scope.depth), "none", 0, 1000000,
 NONE | CEILING, .by_guest = FREE, .sentence =
 "Follow at most this many links from a seed."},
{"scope.hops", &pv_kind_count, FIELD(scope.hops), "0", 0, 1000,
 .by_guest = FREE, .sentence =
 "How many links out of scope are followed from a page in scope."},
{"scope.requisites", &pv_kind_bool, FIELD(scope.requisites), "true",
 .by_guest = FREE, .sentence =
 "Fetch images, styles and scripts of a page in scope, also from other hosts. "
 "Where only rows of pages are written the default is false."},
{"scope.rules", &pv_kind_rules, FIELD(scope.rules), .most = 1000,
 .by_guest = FREE, .sentence =
 "allow and deny rules by path (glob), ext (list), host (glob) and url "
 "(PCRE2); the first match decides, and an allow admits wherever the page "
 "lies."},
{"scope.strip_query", &pv_kind_texts, FIELD(manners.strip_query), .most = 1000,
 .rule = &pv_rule_glob, .flags = DOMAIN, .by_guest = FREE, .sentence =
 "Query parameters that do not change the page, such as [\"utm_*\"]: they "
 "are removed from each address."},
{"scope.sort_query", &pv_kind_bool, FIELD(scope.sort_query), "false",
 .by_guest = FREE, .sentence =
 "Sort the parameters of each query by name, if their order makes no "
 "difference."},
{"scope.aliases", &pv_kind_pairs, FIELD(scope.aliases), .most = 1000,
 .name_rule = &pv_rule_alias, .rule = &pv_rule_alias_target,
 .by_guest = FREE, .sentence =
 "Hosts with several names, such as {www.example.org: example.org}, or "
 "{\"www.*\": \"*\"} for each name with this beginning: only the second name "
 "is requested."},
{"scope.default_documents", &pv_kind_texts, FIELD(scope.default_documents),
 .most = 100, .rule = &pv_rule_document, .by_guest = FREE, .sentence =
 "The pages that a server sends for a directory, such as [index.html]: this "
 "name is removed from the end of a path."},
{"scope.max_url", &pv_kind_count, FIELD(scope.max_url), "2000", 16, 65536,
 CEILING, .by_guest = MORE, .sentence =
 "Longer addresses, in bytes, are left out."},
{"scope.traps.repeats", &pv_kind_count, FIELD(scope.traps.repeats), "3", 1,
 1000, NONE | CEILING, .by_guest = MORE, .sentence =
 "How often one segment may occur in a path, one parameter in a query, and a "
 "query within itself; and how many times an address may be escaped."},
{"scope.traps.segments", &pv_kind_count, FIELD(scope.traps.segments), "20", 1,
 10000, NONE | CEILING, .by_guest = MORE, .sentence =
 "How many segments a path may have."},
{"scope.traps.parameters", &pv_kind_count, FIELD(scope.traps.parameters), "30",
 1, 10000, NONE | CEILING, .by_guest = MORE, .sentence =
 "How many parameters a query may have."},
{"scope.traps.calendar.ahead", &pv_kind_time,
 FIELD(scope.traps.calendar.ahead_ms), "730d", 1 * DAY, 1000000 * DAY,
 NONE | CEILING, .by_guest = MORE, .sentence =
 "How far in the future a date in an address may be, such as /2031/05 or "
 "year=2031; numbers that only look like a date are treated as one."},
{"scope.traps.calendar.back", &pv_kind_time,
 FIELD(scope.traps.calendar.back_ms), "36500d", 1 * DAY, 1000000 * DAY,
 NONE | CEILING, .by_guest = MORE, .sentence =
 "How far in the past such a date may be."},
{"scope.traps.same_body", &pv_kind_count, FIELD(scope.traps.same_body), "100",
 1, 1000000, NONE | CEILING, .by_guest = MORE, .sentence =
 "How many addresses of one pattern may have the same body."},
{"scope.traps.sessions", &pv_kind_count, FIELD(scope.traps.sessions), "5", 1,
 1000000, NONE | CEILING, .by_guest = MORE, .sentence =
 "How many different session identifiers are followed on a host."},
{"scope.traps.subdomains", &pv_kind_count, FIELD(scope.traps.subdomains), "500",
 1, 1000000, NONE | CEILING, .by_guest = MORE, .sentence =
 "How many hosts of one site are fetched."},
{"scope.sitemaps", &pv_kind_bool, FIELD(scope.sitemaps), "true",
 .by_guest = FREE, .sentence =
 "Read the sitemaps that robots.txt names, and /sitemap.xml."},
{"scope.sitemap_guess", &pv_kind_bool, FIELD(scope.sitemap_guess), "true",
 .by_guest = FREE, .sentence =
 "If sitemaps are read, request /sitemap.xml from each host, even if "
 "robots.txt does not name it. pavane mirror does not."},

{"limits.pages", &pv_kind_count, FIELD(limits.pages), "none", 1, BILLION * 1000,
 SET | NONE | CEILING, .by_guest = MORE, .sentence =
 "Stop after this many pages."},
{"limits.bytes", &pv_kind_size, FIELD(limits.bytes), "none", 1, PIB,
 SET | NONE | CEILING, .by_guest = MORE, .sentence =
 "Stop after this many bytes."},
{"limits.time", &pv_kind_time, FIELD(limits.time_ms), "none", 1 * SECOND,
 3650 * DAY, SET | NONE | CEILING, .by_guest = MORE, .sentence =
 "Start no request after this time, and end within stop.drain_timeout."},
{"limits.host_pages", &pv_kind_count, FIELD(limits.host_pages), "none", 1,
 BILLION * 1000, NONE | CEILING, .by_guest = MORE, .sentence =
 "Give up a host after this many pages."},
{"limits.host_bytes", &pv_kind_size, FIELD(limits.host_bytes), "none", 1,
 PIB, NONE | CEILING, .by_guest = MORE, .sentence =
 "Give up a host after this many bytes."},
{"limits.known", &pv_kind_count, FIELD(limits.known), "none", 1,
 BILLION * 1000, NONE | CEILING, .by_guest = MORE, .sentence =
 "Store at most this many addresses; further links are left out. Their pages "
 "are read again when there is room."},
{"limits.host_traps", &pv_kind_count, FIELD(limits.host_traps), "10000", 1,
 BILLION, NONE | CEILING, .by_guest = MORE, .sentence =
 "Store at most this many addresses of traps for each host that links to "
 "them. Further ones are not recorded, and the crawl is complete without "
 "them, since none would be fetched. Their pages are read again if this "
 "limit is raised or scope.traps has changed."},
{"limits.wait", &pv_kind_time, FIELD(limits.wait_ms), "1h", 1 * SECOND,
 3650 * DAY, SET | NONE | CEILING, .by_guest = MORE, .sentence =
 "If all pending addresses must wait longer than this, stop with the state "
 "saved."},

{"fetch.timeout.connect", &pv_kind_time, FIELD(fetch.timeout.connect_ms), "20s",
 100, 1 * DAY, SET | CEILING, .by_guest = MORE, .sentence =
 "Time to connect, including TLS."},
{"fetch.timeout.first_byte", &pv_kind_time, FIELD(fetch.timeout.first_byte_ms),
 "60s", 100, 1 * DAY, SET | CEILING, .by_guest = MORE, .sentence =
 "Time from the request to the first byte of the answer."},
{"fetch.timeout.stall", &pv_kind_time, FIELD(fetch.timeout.stall_ms), "60s",
 100, 1 * DAY, SET | CEILING, .by_guest = MORE, .sentence =
 "Time without a further byte."},
{"fetch.timeout.total", &pv_kind_time, FIELD(fetch.timeout.total_ms), "10m",
 100, 30 * DAY, SET | NONE | CEILING, .by_guest = MORE, .sentence =
 "Time for the whole answer."},
{"fetch.max_size", &pv_kind_size, FIELD(fetch.max_size), "100MiB", 1 * KIB,
 PIB, NONE | CEILING, .by_guest = MORE, .sentence =
 "Larger bodies are not stored; they are listed."},
{"fetch.retries", &pv_kind_count, FIELD(fetch.retries), "3", 0, 100,
 SET | CEILING, .by_guest = MORE, .sentence =
 "How often a failed request is retried."},
{"fetch.host_retries", &pv_kind_count, FIELD(manners.host_retries), "100", 0,
 1000000, SET | NONE | DOMAIN | CEILING, .by_guest = MORE, .sentence =
 "Limits the retries for a host to this number plus a tenth of its good "
 "answers; after that failures are final, and the log says so."},
{"fetch.redirects", &pv_kind_count, FIELD(fetch.redirects), "10", 0, 50,
 CEILING, .by_guest = MORE, .sentence =
 "How many redirects in a row are followed."},
{"fetch.accept", &pv_kind_texts, FIELD(fetch.accept), .most = 1000,
 .rule = &pv_rule_media, .by_guest = FREE, .sentence =
 "Media types to store, such as [text/html, \"image/*\"]; [] is all. "
 "Resources with a file extension of another type are not requested."},
{"fetch.headers", &pv_kind_pairs, FIELD(fetch.headers), .most = 100,
 .name_rule = &pv_rule_header_name, .rule = &pv_rule_header_value, .sentence =
 "Additional headers of each request, such as {Accept-Language: en}."},
{"fetch.cookies", &pv_kind_bool, FIELD(fetch.cookies), "false",
 .by_guest = FREE, .sentence =
 "Store cookies, and send them back to their host."},
{"fetch.cookie_file", &pv_kind_file, FIELD(fetch.cookie_file), "none",
 .rule = &pv_rule_file, .flags = NONE, .sentence =
 "A file of cookies to begin with, as browsers' extensions, curl and wget write "
 "it (Netscape's format). Each is sent only where its line says; none is written "
 "into the crawl's directory. What servers set is kept as well."},
{"fetch.http2", &pv_kind_bool, FIELD(fetch.http2), "false",
 .by_guest = FREE, .sentence =
 "Use HTTP/2 over TLS if the host supports it."},
{"fetch.proxy", &pv_kind_proxies, FIELD(manners.proxies), "none", .least = 1,
 .most = 100, .rule = &pv_rule_proxy, .flags = NONE | DOMAIN, .sentence =
 "A proxy for all requests, or a list: the hosts are spread over them, and "
 "where one cannot be reached they go by another. A login may be in the "
 "environment: \"http://${LOGIN}@proxy.test:3128\". Proxies of the environment "
 "are not used."},
{"fetch.tls.verify", &pv_kind_bool, FIELD(manners.tls_verify), "true",
 .flags = DOMAIN, .sentence =
 "Whether certificates are checked; false is for your own hosts."},
{"fetch.tls.ca", &pv_kind_file, FIELD(manners.tls_ca), "none",
 .rule = &pv_rule_file, .flags = NONE | DOMAIN, .sentence =
 "A file of certificates (PEM) that are trusted instead of the system's."},
{"fetch.resolve", &pv_kind_pairs, FIELD(fetch.resolve), .most = 1000,
 .name_rule = &pv_rule_host, .rule = &pv_rule_socket, .sentence =
 "Addresses of host names, used instead of a name server, such as "
 "{\"*.test\": \"127.0.0.1:8080\"}."},
{"fetch.name_servers", &pv_kind_texts, FIELD(fetch.name_servers), .most = 8,
 .rule = &pv_rule_socket, .sentence =
 "Name servers to ask, such as [\"127.0.0.1:5353\"]; [] is the system's."},
{"fetch.private", &pv_kind_choice, FIELD(fetch.private), "named",
 .choices = private_choices, .sentence =
 "Requests to private and local addresses: named (only if seeds, domains or "
 "resolve name them), all, or none."},

{"pages", &pv_kind_pages, FIELD(pages), NULL, 0, PV_PAGES_MAX,
 PV_NOT_IN_CONFIG, .by_guest = FREE, .sentence =
 "Kinds of pages, by their names: match says which addresses are of a kind, "
 "fields what its rows hold, each which elements are a row each, and follow "
 "which links lead on, and to which kind. Try them with `pavane try`."},

{"output.min_free", &pv_kind_size, FIELD(output.min_free), "1GiB", 1 * MIB,
 PIB, SET | NONE | CEILING, .sentence =
 "Pause while the disk has less free space than this; the default is the "
 "smaller of 1GiB and a hundredth of the disk. Setting only this key does "
 "not choose what is stored."},
{"output.fields.forms", &pv_kind_choices, FIELD(output.fields.forms),
 "jsonl", .choices = fields_forms, .sentence =
 "In which files the rows of pages are written, below fields/: jsonl "
 "(KIND.jsonl), csv (KIND.csv), sqlite (fields.db)."},
{"output.fields.max_page", &pv_kind_size, FIELD(output.fields.max_page), "4MiB",
 64 * KIB, 64 * MIB, CEILING, .sentence =
 "Of a longer page only the beginning is read for its fields, and a problem is "
 "written for it."},
{"output.fields.max_value", &pv_kind_size, FIELD(output.fields.max_value),
 "64KiB", 16, 4 * MIB, CEILING, .sentence =
 "A longer value is left out, and a problem is written for it."},
{"output.fields.max_rows", &pv_kind_count, FIELD(output.fields.max_rows),
 "10000", 1, 1000000, CEILING, .sentence =
 "At most this many rows of one page, records of one row, and values of one "
 "field; a problem is written for a page that has more."},
{"output.mirror", &pv_kind_switch, FIELD(output.has_mirror), "none",
 .flags = NONE, .sentence =
 "Store each page as a file below site/. This is the default if neither output "
 "nor pages is given; `output: {}` stores no pages."},
{"output.mirror.rewrite", &pv_kind_bool, FIELD(output.mirror.rewrite), "true",
 .sentence =
 "Rewrite the links of stored pages to each other, for reading offline."},
{"output.mirror.portable", &pv_kind_bool, FIELD(output.mirror.portable), "false",
 .sentence =
 "Use only file names that Windows and macOS allow, and that differ by more "
 "than upper and lower case."},
{"output.mirror.gone", &pv_kind_choice, FIELD(output.mirror.gone), "move",
 .choices = gone_choices, .sentence =
 "What happens to the file of a deleted page (404, 410 or a permanent "
 "redirect) at the end of the update: move it from site/ to gone/, keep it, "
 "or delete it."},
{"output.mirror.shrink_alarm", &pv_kind_share,
 FIELD(output.mirror.shrink_alarm), "20%", 0, 100, NONE | CEILING, .sentence =
 "If more than this share of the files of a mirror would be removed at once, "
 "all of them stay, a warning is printed, and the next update decides again. "
 "A single file is removed without alarm, unless it is the only one."},

{"recrawl.after", &pv_kind_time, FIELD(recrawl.after_ms), "0s", 0,
 3650 * DAY, .by_guest = FREE, .sentence =
 "How old a copy must be before `pavane update` requests it again."},

{"stop.drain_timeout", &pv_kind_time, FIELD(stop.drain_timeout_ms), "30s", 0,
 1 * DAY, SET | CEILING, .by_guest = MORE, .sentence =
 "How long a stop waits for the requests in flight."},
};
/* clang-format on */

static const struct pv_section sections[] = {
    {"identity", "The name and contact that site owners see."},
    {"rate", "For the whole crawl."},
    {"politeness",
	"For each host; all of these keys are allowed in the domain table."},
    {"politeness.crawl_delay", "The Crawl-delay of robots.txt is obeyed."},
    {"politeness.retry_after", "A Retry-After is obeyed."},
    {"politeness.backoff", "After failures a host rests, longer each time."},
    {"politeness.blocked", "When a host rejects all requests."},
    {"robots", "robots.txt, and the rules for robots in pages."},
    {"scope", "Which links are followed."},
    {"scope.traps", "Addresses without end."},
    {"scope.traps.calendar",
	"Calendars without end, by the dates in addresses."},
    {"limits", "When to stop; reaching a limit is not an error."},
    {"fetch", "How a request is made."},
    {"fetch.timeout", "How long to wait for a server."},
    {"fetch.tls", "Certificates; also allowed in the domain table."},
    {"output", "What is stored."},
    {"output.fields", "Rows of the kinds of pages that `pages` describes."},
    {"recrawl", "What an update requests."},
    {"stop", "After Ctrl+C."},
};

static const char *name_in_policy(const struct pv_option *option)
{
	return option->flags & PV_ONLY_IN_DOMAIN ? NULL : option->path;
}

static const char *name_in_domain(const struct pv_option *option)
{
	if (!(option->flags & PV_IN_DOMAIN))
		return NULL;
	/* Where a section's keys begin; their first letters tell them apart. */
	switch (option->path[0]) {
	case 'p':
		return option->path + sizeof("politeness.") - 1;
	case 'f':
		return option->path + sizeof("fetch.") - 1;
	case 's':
		return option->path + sizeof("scope.") - 1;
	default:
		return option->path + sizeof("domains.*.") - 1;
	}
}

#define TABLE                                                            \
	.options = options, .count = sizeof(options) / sizeof(*options), \
	.sections = sections,                                            \
	.section_count = sizeof(sections) / sizeof(*sections)

const struct pv_names pv_names_of_policy = {TABLE, .name_of = name_in_policy};
const struct pv_names pv_names_of_domain = {TABLE, .name_of = name_in_domain};
