#include "serve/config/option_table.h"

#include "policy/option.h"
#include "serve/config/config.h"
#include "serve/config/kinds.h"
#include "serve/config/text_rules.h"

#define FIELD(field) offsetof(struct pv_service_config, field)
#define SECOND INT64_C(1000)
#define MIB (INT64_C(1) << 20)
#define PIB (INT64_C(1) << 50)
#define DAY (24 * 60 * 60 * SECOND)

#define NONE PV_MAY_BE_NONE

/* clang-format off */
static const struct pv_option options[] = {
{"directory", &pv_kind_directory, FIELD(directory),
 .rule = &pv_rule_directory, .sentence =
 "Where the service keeps its jobs: jobs.db, and a directory for each job. It "
 "is made if it is not there. One service at a time uses it."},
{"listen", &pv_kind_listen, FIELD(listen), "127.0.0.1:7117",
 .rule = &pv_rule_listen, .sentence =
 "Where the service answers: an IP address with a port, or unix: and the path "
 "of a socket. An address that other machines reach needs a tokens_file."},
{"tokens_file", &pv_kind_tokens, FIELD(tokens_file), "none",
 .rule = &pv_rule_file, .flags = NONE, .sentence =
 "A file of the tokens that requests may send, and of what each allows. "
 "Without it, all who reach the service may do all. Where systemd gives the "
 "service credentials, a name that does not begin with / is that of one of "
 "them (LoadCredential)."},
{"hosts", &pv_kind_texts, FIELD(hosts), .most = 100,
 .rule = &pv_rule_own_host, .sentence =
 "Further names that requests may use for the service in their Host header, "
 "such as that of a proxy in front of it."},
{"trusted_proxies", &pv_kind_texts, FIELD(trusted_proxies), .most = 100,
 .rule = &pv_rule_trusted_proxy, .sentence =
 "Addresses of proxies in front of the service, which may have more "
 "connections than other peers."},
{"profiles", &pv_kind_profiles, FIELD(profile_files), .most = 1000,
 .name_rule = &pv_rule_profile_name, .rule = &pv_rule_file, .sentence =
 "Policies by their names, each a file, such as {news: news.yaml}. A job is "
 "made from the profile that it names, else from the one called default, else "
 "from the built-in defaults."},

{"jobs.running", &pv_kind_count, FIELD(jobs.running), "8", 1, 1000,
 .sentence =
 "At most this many jobs run at once; fewer where this process may have too few "
 "files open, of which each job needs about 64."},
{"jobs.queued", &pv_kind_count, FIELD(jobs.queued), "10000", 0, 1000000,
 .sentence =
 "At most this many jobs wait for their turn; more are refused."},
{"jobs.per_token", &pv_kind_count, FIELD(jobs.per_token), "none", 1, 1000000,
 NONE, .sentence =
 "At most this many jobs of one token wait or run."},
{"jobs.disk", &pv_kind_size, FIELD(jobs.disk), "none", 1 * MIB, PIB, NONE,
 .sentence =
 "How much of the disk the directory of a job may take, with all that it stores. "
 "It is looked at about every second; a job that takes more ends what is in "
 "flight, and is limited. The crawl of a profile's fetches ends as well, and takes "
 "no more of them until this allows it."},
{"jobs.keep", &pv_kind_time, FIELD(jobs.keep_ms), "30d", 1 * SECOND,
 3650 * DAY, NONE, .sentence =
 "How long a job that has ended is kept, with all that it stored; none is for "
 "ever."},

{"rate.max_rate", &pv_kind_count, FIELD(rate.max_rate), "none", 1, 1000000,
 NONE, .sentence =
 "Requests that all jobs and fetches together start in each interval, beside "
 "the rate of each. Those that wait have equal parts, and nothing is kept of "
 "what is left over."},
{"rate.interval", &pv_kind_time, FIELD(rate.interval_ms), "1s", 1, DAY,
 .sentence =
 "The interval of max_rate."},

{"webhooks", &pv_kind_webhooks, FIELD(webhooks), .most = PV_WEBHOOKS_MAX,
 .name_rule = &pv_rule_profile_name, .sentence =
 "Programs that are told of jobs which name them, by name, such as {team: {url: "
 "\"https://example.org/pavane\", secrets_file: secrets}}."},

{"private", &pv_kind_texts, FIELD(private_hosts), .most = 1000,
 .rule = &pv_rule_domain, .sentence =
 "Private and local hosts that jobs may request: names, or address ranges "
 "such as \"127.0.0.0/8\". What a job itself names does not count."},
};
/* clang-format on */

static const struct pv_section sections[] = {
    {"jobs",
	"How many jobs there may be, how much they store, and for how long."},
    {"rate", "For all jobs and fetches together."},
};

static const char *name_of(const struct pv_option *option)
{
	return option->path;
}

const struct pv_names pv_names_of_service = {
    .options = options,
    .count = sizeof(options) / sizeof(*options),
    .sections = sections,
    .section_count = sizeof(sections) / sizeof(*sections),
    .name_of = name_of,
};
