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

static const char *const delay_from[] = {"end", "start", NULL};
static const char *const robots_choices[] = {"obey", "ignore", NULL};
static const char *const gone_choices[] = {"move", "keep", "delete", NULL};
static const char *const private_choices[] = {"named", "all", "none", NULL};

/* clang-format off */
const struct pv_option pv_options[] = {
{"version", &pv_kind_count, FIELD(version), "1", 1, 1, .sentence =
 "The version of this format."},
{"name", &pv_kind_text, FIELD(name), "none", .rule = &pv_rule_name,
 .flags = NONE | PV_NOT_IN_CONFIG, .sentence =
 "What the crawl is called; its directory is called so too."},
{"seeds", &pv_kind_seeds, FIELD(seeds), .flags = PV_NOT_IN_CONFIG, .sentence =
 "Where to begin: addresses, in which {1..500} and {a,b} are expanded, "
 "sitemaps, and files with an address a line. depth limits how far a seed "
 "leads (0: this page only); tag stands in all output."},

{"identity.agent", &pv_kind_text, FIELD(identity.agent),
 "pavane/" PACKAGE_VERSION, .rule = &pv_rule_agent, .sentence =
 "Who we say we are; the part before the slash is what robots.txt is matched "
 "with."},
{"identity.contact", &pv_kind_text, FIELD(identity.contact), "none",
 .rule = &pv_rule_contact, .flags = NONE, .sentence =
 "A page or an e-mail address by which the owner of a site can reach you; "
 "sent with each request. Required as soon as a host is not on this machine "
 "or a private network."},
{"identity.from", &pv_kind_text, FIELD(identity.from), "none",
 .rule = &pv_rule_email, .flags = NONE, .sentence =
 "An e-mail address for the From header."},

{"rate.max_rate", &pv_kind_count, FIELD(rate.max_rate), "20", 1, 1000000,
 CEILING, .sentence =
 "Jobs released each interval."},
{"rate.interval", &pv_kind_time, FIELD(rate.interval_ms), "1s", 1, DAY,
 .sentence =
 "How often the bucket is filled."},
{"rate.burst", &pv_kind_count, FIELD(rate.burst), NULL, 1, 1000000, CEILING,
 .sentence =
 "Tokens kept at most; as many as max_rate where it is not given."},
{"rate.concurrency", &pv_kind_count, FIELD(rate.concurrency), NULL, 1, 100000,
 CEILING, .sentence =
 "Requests in flight at most; as many as max_rate where it is not given."},
{"rate.bandwidth", &pv_kind_bandwidth, FIELD(rate.bandwidth), "none",
 1 * KIB, PIB, NONE | CEILING, .sentence =
 "Bytes a second at most, of all answers together, as they come over the wire: "
 "they are read more slowly, each with the same share."},

{"politeness.delay", &pv_kind_time, FIELD(manners.delay_ms), "1s", 0, 30 * DAY,
 DOMAIN, .sentence =
 "The rest that a host gets between two requests."},
{"politeness.delay_from", &pv_kind_choice, FIELD(manners.delay_from), "end",
 .choices = delay_from, .flags = DOMAIN, .sentence =
 "Rest after an answer (end), or between starts (start)."},
{"politeness.delay_factor", &pv_kind_number, FIELD(manners.delay_factor), "1",
 0, 1000, DOMAIN, .sentence =
 "Rest at least this many times what the last answer took."},
{"politeness.max_delay", &pv_kind_time, FIELD(manners.max_delay_ms), "30s", 0,
 30 * DAY, DOMAIN, .sentence =
 "What delay_factor asks for is never longer than this, nor is the rest of a "
 "host that was slowed because of 429 or 503."},
{"politeness.jitter", &pv_kind_number, FIELD(manners.jitter), "0", 0, 10,
 DOMAIN, .sentence =
 "With 0.5 the delay is drawn between 1 and 1.5 times; never under the "
 "delay."},
{"politeness.connections", &pv_kind_count, FIELD(manners.connections), "1", 1,
 100000, DOMAIN, .sentence =
 "How many requests to a host may overlap; the delay between starts holds all "
 "the same."},
{"politeness.max_rate", &pv_kind_count, FIELD(manners.max_rate), "none", 1,
 1000000, DOMAIN | NONE, .sentence =
 "A bucket of the host's own: requests released each politeness.interval."},
{"politeness.interval", &pv_kind_time, FIELD(manners.interval_ms), "1s", 1,
 30 * DAY, DOMAIN, .sentence =
 "How often the host's own bucket is filled."},
{"politeness.bandwidth", &pv_kind_bandwidth, FIELD(manners.bandwidth), "none",
 1 * KIB, PIB, DOMAIN | NONE | CEILING, .sentence =
 "Bytes a second at most, of the answers of a host. What this slows down is cut "
 "short by no timeout and does not count for delay_factor."},
{"politeness.ip_delay", &pv_kind_time, FIELD(manners.ip_delay_ms), "250ms", 0,
 30 * DAY, DOMAIN, .sentence =
 "The rest between two starts to one address, whatever the names; an address "
 "range in the domain table sets it for a network."},
{"politeness.crawl_delay.give_up_over", &pv_kind_time,
 FIELD(manners.crawl_delay_give_up_ms), "none", 1 * SECOND, 3650 * DAY,
 DOMAIN | NONE, .sentence =
 "A longer Crawl-delay is not waited out: the host is left, with that "
 "reason."},
{"politeness.retry_after.give_up_over", &pv_kind_time,
 FIELD(manners.retry_after_give_up_ms), "1d", 1 * SECOND, 3650 * DAY,
 DOMAIN | NONE, .sentence =
 "A longer Retry-After is not waited out: the host is left, with that "
 "reason."},
{"politeness.backoff.failure", &pv_kind_time, FIELD(manners.backoff.failure_ms),
 "5s", 1, 30 * DAY, DOMAIN, .sentence =
 "The rest after a failure: no connection, no answer, a 5xx other than 503."},
{"politeness.backoff.overload", &pv_kind_time,
 FIELD(manners.backoff.overload_ms), "60s", 1, 30 * DAY, DOMAIN, .sentence =
 "The rest after 429 or 503."},
{"politeness.backoff.factor", &pv_kind_number, FIELD(manners.backoff.factor),
 "2", 1, 100, DOMAIN, .sentence =
 "Each further failure in a row, at another address, makes the rest this many "
 "times as long."},
{"politeness.backoff.max", &pv_kind_time, FIELD(manners.backoff.max_ms), "1d",
 1, 365 * DAY, DOMAIN, .sentence =
 "The longest rest for this reason."},
{"politeness.backoff.forgive", &pv_kind_time,
 FIELD(manners.backoff.forgive_ms), "30m", 1, 365 * DAY, DOMAIN, .sentence =
 "After so long without a failure the rest begins small again."},
{"politeness.blocked.after", &pv_kind_count, FIELD(manners.blocked_after), "20",
 1, 1000000, DOMAIN | NONE, .sentence =
 "So many 401, 403 or 451 in a row say that the host does not want us: it is "
 "left, with that reason."},
{"politeness.allowed_hours", &pv_kind_texts, FIELD(manners.allowed_hours),
 .most = 24, .rule = &pv_rule_hours, .flags = DOMAIN, .sentence =
 "When requests may start, such as [\"22:00-06:00\"]; [] is always."},
{"politeness.timezone", &pv_kind_text, FIELD(manners.timezone), "local",
 .rule = &pv_rule_zone, .flags = DOMAIN, .sentence =
 "Whose clock allowed_hours are read on: local, UTC, +02:00 or a zone such as "
 "Europe/Berlin."},
{"politeness.shared_clocks", &pv_kind_bool, FIELD(shared_clocks), "true",
 .sentence =
 "Keep one pace together with your other crawls on this machine: each counts "
 "what the others ask a host or an address for, and waits as long as any of "
 "them has to."},

{"domains", &pv_kind_domains, FIELD(domains), .sentence =
 "Other manners for some hosts, by name (docs.example.org), by all names below "
 "one (\"*.example.com\", in quotes) or by address range (\"10.0.0.0/8\"); the "
 "most specific entry wins, key by key."},
{"domains.*.robots", &pv_kind_choice, FIELD(manners.robots), "obey",
 .choices = robots_choices, .flags = DOMAIN | PV_ONLY_IN_DOMAIN, .sentence =
 "Whether robots.txt counts; ignore is for hosts of your own, so only for "
 "exact names and private address ranges."},
{"domains.*.share", &pv_kind_bool, FIELD(manners.share), "false",
 .flags = DOMAIN | PV_ONLY_IN_DOMAIN, .sentence =
 "One clock for all hosts that a *. name matches, instead of one for each."},

{"robots.ttl", &pv_kind_time, FIELD(robots.ttl_ms), "24h", 1 * MINUTE, 7 * DAY,
 .sentence =
 "How long a robots.txt is believed, a day at most; it is asked for again at "
 "three quarters of that. Where it cannot be fetched then, the last one counts until "
 "it is a day old."},
{"robots.give_up", &pv_kind_time, FIELD(robots.give_up_ms), "30d", 1 * MINUTE,
 3650 * DAY, .sentence =
 "Pages of a host whose robots.txt cannot be reached for so long are given "
 "up."},
{"robots.give_up_silent", &pv_kind_time, FIELD(robots.give_up_silent_ms),
 "none", 1 * SECOND, 3650 * DAY, NONE, .sentence =
 "The same for a host that has never answered at all."},
{"robots.meta", &pv_kind_bool, FIELD(robots.meta), "true", .sentence =
 "Honour nofollow in <meta name=robots> and X-Robots-Tag."},
{"robots.nofollow", &pv_kind_bool, FIELD(robots.nofollow), "true", .sentence =
 "Leave links alone whose rel is nofollow, ugc or sponsored."},

{"scope.hosts", &pv_kind_hosts, FIELD(scope.hosts), "same",
 .rule = &pv_rule_host, .most = 10000, .sentence =
 "Which hosts are ours: same (those of the seeds), site (their registrable "
 "domains), any, or a list of names and \"*.name\"."},
{"scope.below", &pv_kind_bool, FIELD(scope.below), "false", .sentence =
 "Only what lies below a seed's path."},
{"scope.depth", &pv_kind_count, FIELD(scope.depth), "none", 0, 1000000,
 NONE | CEILING, .sentence =
 "How many links away from a seed, at most."},
{"scope.hops", &pv_kind_count, FIELD(scope.hops), "0", 0, 1000, .sentence =
 "How many pages off scope may be visited from a page in scope."},
{"scope.requisites", &pv_kind_bool, FIELD(scope.requisites), "true", .sentence =
 "Images, styles and scripts of a page in scope, wherever they are."},
{"scope.rules", &pv_kind_rules, FIELD(scope.rules), .most = 1000, .sentence =
 "allow and deny rules by path (glob), ext (list), host (glob) and url "
 "(PCRE2); the first match decides, and an allow admits wherever the page "
 "lies."},
{"scope.strip_query", &pv_kind_texts, FIELD(manners.strip_query), .most = 1000,
 .rule = &pv_rule_glob, .flags = DOMAIN, .sentence =
 "Query parameters that say nothing about the page, such as [\"utm_*\"]: they "
 "are left out of each address."},
{"scope.sort_query", &pv_kind_bool, FIELD(scope.sort_query), "false", .sentence =
 "Put the parameters of each query in the order of their names, where theirs "
 "makes no difference."},
{"scope.aliases", &pv_kind_pairs, FIELD(scope.aliases), .most = 1000,
 .name_rule = &pv_rule_alias, .rule = &pv_rule_alias_target, .sentence =
 "Hosts with several names, such as {www.example.org: example.org}, or "
 "{\"www.*\": \"*\"} for each name that begins so: only the second name is "
 "asked."},
{"scope.default_documents", &pv_kind_texts, FIELD(scope.default_documents),
 .most = 100, .rule = &pv_rule_document, .sentence =
 "What a server gives for a directory, such as [index.html]: a path that ends "
 "in it becomes the directory's."},
{"scope.max_url", &pv_kind_count, FIELD(scope.max_url), "2000", 16, 65536,
 CEILING, .sentence =
 "Longer addresses, in bytes, are left out."},
{"scope.traps.repeats", &pv_kind_count, FIELD(scope.traps.repeats), "3", 1,
 1000, NONE | CEILING, .sentence =
 "How often one segment may stand in a path, one parameter in a query, and a "
 "query within itself; how often over an address may be escaped."},
{"scope.traps.segments", &pv_kind_count, FIELD(scope.traps.segments), "20", 1,
 10000, NONE | CEILING, .sentence =
 "How many segments a path may have."},
{"scope.traps.parameters", &pv_kind_count, FIELD(scope.traps.parameters), "30",
 1, 10000, NONE | CEILING, .sentence =
 "How many parameters a query may have."},
{"scope.traps.calendar.ahead", &pv_kind_time,
 FIELD(scope.traps.calendar.ahead_ms), "730d", 1 * DAY, 1000000 * DAY,
 NONE | CEILING, .sentence =
 "How far ahead of today a date in an address may lie, such as /2031/05 or "
 "year=2031; numbers that only look like a date cannot be told apart."},
{"scope.traps.calendar.back", &pv_kind_time,
 FIELD(scope.traps.calendar.back_ms), "36500d", 1 * DAY, 1000000 * DAY,
 NONE | CEILING, .sentence =
 "How far back of today such a date may lie."},
{"scope.traps.same_body", &pv_kind_count, FIELD(scope.traps.same_body), "100",
 1, 1000000, NONE | CEILING, .sentence =
 "Under how many addresses of one pattern the same body may come."},
{"scope.traps.sessions", &pv_kind_count, FIELD(scope.traps.sessions), "5", 1,
 1000000, NONE | CEILING, .sentence =
 "How many different session identifiers are followed on a host."},
{"scope.traps.subdomains", &pv_kind_count, FIELD(scope.traps.subdomains), "500",
 1, 1000000, NONE | CEILING, .sentence =
 "How many hosts of one site are visited."},
{"scope.sitemaps", &pv_kind_bool, FIELD(scope.sitemaps), "true", .sentence =
 "Read the sitemaps that robots.txt names, and /sitemap.xml."},
{"scope.sitemap_guess", &pv_kind_bool, FIELD(scope.sitemap_guess), "true",
 .sentence =
 "Where sitemaps are read, ask each host for /sitemap.xml, though nobody named it. "
 "pavane mirror asks for none that is not named."},

{"limits.pages", &pv_kind_count, FIELD(limits.pages), "none", 1, BILLION * 1000,
 NONE | CEILING, .sentence =
 "Stop after so many pages."},
{"limits.bytes", &pv_kind_size, FIELD(limits.bytes), "none", 1, PIB,
 NONE | CEILING, .sentence =
 "Stop after so many bytes."},
{"limits.time", &pv_kind_time, FIELD(limits.time_ms), "none", 1 * SECOND,
 3650 * DAY, NONE | CEILING, .sentence =
 "Begin nothing after so long, and end within stop.drain_timeout."},
{"limits.host_pages", &pv_kind_count, FIELD(limits.host_pages), "none", 1,
 BILLION * 1000, NONE | CEILING, .sentence =
 "Leave a host after so many pages."},
{"limits.host_bytes", &pv_kind_size, FIELD(limits.host_bytes), "none", 1,
 PIB, NONE | CEILING, .sentence =
 "Leave a host after so many bytes."},
{"limits.known", &pv_kind_count, FIELD(limits.known), "none", 1,
 BILLION * 1000, NONE | CEILING, .sentence =
 "Know so many addresses: links beyond are left out. The pages that they stand "
 "on are read again when there is room."},
{"limits.host_traps", &pv_kind_count, FIELD(limits.host_traps), "10000", 1,
 BILLION, NONE | CEILING, .sentence =
 "Know so many addresses that a trap refused, of those that a host's pages link "
 "to: further ones are not recorded, and the crawl is complete without them, as "
 "none of them would be fetched. The pages that they stand on are read again "
 "when this is raised or scope.traps has changed."},
{"limits.wait", &pv_kind_time, FIELD(limits.wait_ms), "1h", 1 * SECOND,
 3650 * DAY, NONE | CEILING, .sentence =
 "When all that is left must wait longer than this, stop with the state "
 "saved."},

{"fetch.timeout.connect", &pv_kind_time, FIELD(fetch.timeout.connect_ms), "20s",
 100, 1 * DAY, CEILING, .sentence =
 "For connecting, TLS included."},
{"fetch.timeout.first_byte", &pv_kind_time, FIELD(fetch.timeout.first_byte_ms),
 "60s", 100, 1 * DAY, CEILING, .sentence =
 "From the request to the first byte of the answer."},
{"fetch.timeout.stall", &pv_kind_time, FIELD(fetch.timeout.stall_ms), "60s",
 100, 1 * DAY, CEILING, .sentence =
 "Without a further byte."},
{"fetch.timeout.total", &pv_kind_time, FIELD(fetch.timeout.total_ms), "10m",
 100, 30 * DAY, NONE | CEILING, .sentence =
 "For the whole of an answer."},
{"fetch.max_size", &pv_kind_size, FIELD(fetch.max_size), "100MiB", 1 * KIB,
 PIB, NONE | CEILING, .sentence =
 "Larger bodies are skipped and listed."},
{"fetch.retries", &pv_kind_count, FIELD(fetch.retries), "3", 0, 100, CEILING,
 .sentence =
 "How often a failed request is made again."},
{"fetch.host_retries", &pv_kind_count, FIELD(manners.host_retries), "100", 0,
 1000000, NONE | DOMAIN | CEILING, .sentence =
 "How many more failed requests of a host are made again than a tenth of its "
 "good answers; beyond that they are final at once, and the log says so."},
{"fetch.redirects", &pv_kind_count, FIELD(fetch.redirects), "10", 0, 50,
 CEILING, .sentence =
 "How many redirects in a row are followed."},
{"fetch.accept", &pv_kind_texts, FIELD(fetch.accept), .most = 1000,
 .rule = &pv_rule_media, .sentence =
 "Media types to keep, such as [text/html, \"image/*\"]; [] is all. Parts of "
 "pages whose names tell another type are not asked for."},
{"fetch.headers", &pv_kind_pairs, FIELD(fetch.headers), .most = 100,
 .name_rule = &pv_rule_header_name, .rule = &pv_rule_header_value, .sentence =
 "Further headers of each request, such as {Accept-Language: en}."},
{"fetch.cookies", &pv_kind_bool, FIELD(fetch.cookies), "false", .sentence =
 "Keep cookies, and send them back where they came from."},
{"fetch.http2", &pv_kind_bool, FIELD(fetch.http2), "false", .sentence =
 "Over TLS, speak HTTP/2 where the host does."},
{"fetch.proxy", &pv_kind_text, FIELD(fetch.proxy), "none",
 .rule = &pv_rule_proxy, .flags = NONE, .sentence =
 "A proxy for all requests; the environment's proxies are not used."},
{"fetch.tls.verify", &pv_kind_bool, FIELD(manners.tls_verify), "true",
 .flags = DOMAIN, .sentence =
 "Whether a certificate must be right; false is for a host of your own."},
{"fetch.tls.ca", &pv_kind_file, FIELD(manners.tls_ca), "none",
 .rule = &pv_rule_file, .flags = NONE | DOMAIN, .sentence =
 "A file of certificates (PEM) that are trusted instead of the system's."},
{"fetch.resolve", &pv_kind_pairs, FIELD(fetch.resolve), .most = 1000,
 .name_rule = &pv_rule_host, .rule = &pv_rule_socket, .sentence =
 "Where names are to be found, asking no name server, such as {\"*.test\": "
 "\"127.0.0.1:8080\"}."},
{"fetch.name_servers", &pv_kind_texts, FIELD(fetch.name_servers), .most = 8,
 .rule = &pv_rule_socket, .sentence =
 "Name servers to ask, such as [\"127.0.0.1:5353\"]; [] is the system's."},
{"fetch.private", &pv_kind_choice, FIELD(fetch.private), "named",
 .choices = private_choices, .sentence =
 "Private and local addresses: only where seeds, domains or resolve name them, "
 "all, or none."},

{"output.min_free", &pv_kind_size, FIELD(output.min_free), "1GiB", 1 * MIB,
 PIB, NONE | CEILING, .sentence =
 "Pause while the disk has less room than this; where nobody says how much, a "
 "hundredth of the disk will do if that is less. Alone it leaves open what is "
 "kept."},
{"output.mirror", &pv_kind_switch, FIELD(output.has_mirror), "none",
 .flags = NONE, .sentence =
 "Keep each page as a file under site/. Where nobody writes output at all it "
 "is done all the same; `output: {}` keeps no page."},
{"output.mirror.rewrite", &pv_kind_bool, FIELD(output.mirror.rewrite), "true",
 .sentence =
 "Point the links of kept pages at each other, for reading offline."},
{"output.mirror.portable", &pv_kind_bool, FIELD(output.mirror.portable), "false",
 .sentence =
 "Give files names that Windows and macOS can have as well, and that differ by "
 "more than the case of letters."},
{"output.mirror.gone", &pv_kind_choice, FIELD(output.mirror.gone), "move",
 .choices = gone_choices, .sentence =
 "What becomes of the file of a page that is gone (404, 410, or moved for good), "
 "at the end of the update that found it so: move it from site/ to gone/, keep it "
 "where it is, or delete it."},
{"output.mirror.shrink_alarm", &pv_kind_share,
 FIELD(output.mirror.shrink_alarm), "20%", 0, 100, NONE | CEILING, .sentence =
 "If more than this share of the mirror's files would go at once, all of them "
 "stay, a warning says so, and the next update decides anew. One file "
 "alone goes without alarm, unless it is all that there is."},

{"recrawl.after", &pv_kind_time, FIELD(recrawl.after_ms), "0s", 0,
 3650 * DAY, .sentence =
 "How old what there is must be before `pavane update` asks for it again."},

{"stop.drain_timeout", &pv_kind_time, FIELD(stop.drain_timeout_ms), "30s", 0,
 1 * DAY, CEILING, .sentence =
 "How long a stop waits for the requests in flight."},
};
/* clang-format on */

const size_t pv_option_count = sizeof(pv_options) / sizeof(*pv_options);

const struct pv_section pv_sections[] = {
    {"identity", "Who visits: an honest visitor says so."},
    {"rate", "The whole crawl."},
    {"politeness",
	"Each host; all of these may stand in the domain table too."},
    {"politeness.crawl_delay", "The Crawl-delay of robots.txt is waited out."},
    {"politeness.retry_after", "A Retry-After is waited out."},
    {"politeness.backoff",
	"Failures at a host make it rest longer, and longer each time."},
    {"politeness.blocked", "When a host does not want us."},
    {"robots", "robots.txt, and what pages say to robots."},
    {"scope", "Which links are ours."},
    {"scope.traps", "Addresses without end."},
    {"scope.traps.calendar",
	"Calendars that never end, by the dates in addresses."},
    {"limits", "Where to stop; none of them counts as an error."},
    {"fetch", "How a request is made."},
    {"fetch.timeout", "How long is waited for a server."},
    {"fetch.tls", "Certificates; may stand in the domain table too."},
    {"output", "What is kept."},
    {"recrawl", "What an update asks for."},
    {"stop", "After Ctrl+C."},
};

const size_t pv_section_count = sizeof(pv_sections) / sizeof(*pv_sections);
