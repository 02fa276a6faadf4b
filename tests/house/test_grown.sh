#!/bin/sh
# A program of another release runs with this library: its structs are shorter,
# or longer, than those of today.

. "${top_srcdir:=.}/tests/house/planting.sh"

library=$top_builddir/.libs/libpavane.so
headers=$top_srcdir/include/pavane

[ -f "$library" ] || skip_all "there is no shared library"

cat >"$temporary/program.c" <<'PROGRAM'
#include "pavane/pavane.h"

#include <stdio.h>
#include <string.h>

/* Behind what the library fills: it must stay as it is. */
#define CANARY "behind the struct that the program knows"

#define GUARDED(type)                                                         \
	struct {                                                              \
		struct type it;                                               \
		char canary[sizeof(CANARY)];                                  \
	}

/* As a program leaves memory that it does not know of. */
#define BEGIN(object)                                                         \
	do {                                                                  \
		memset(&(object), FILLED, sizeof(object));                    \
		memset(&(object), 0, KNOWN(object));                          \
		(object).size = sizeof(object);                               \
	} while (0)

#ifdef LONGER
#define FILLED 0x5a
#define KNOWN(object) (sizeof(object) - sizeof((object).added))
#else
#define FILLED 0
#define KNOWN(object) sizeof(object)
#endif

static int faults;

static void check(const char *what, int is_good)
{
	if (!is_good)
		printf("%s\n", what);
	faults += !is_good;
}

static unsigned lines, progresses;

static void on_line(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	(void)level;
	(void)line;
	lines++;
}

static void on_progress(void *ctx, const struct pavane_progress *progress)
{
	(void)ctx;
	progresses += progress->known > 0;
}

static void on_refused(void *ctx, const struct pavane_refused *refused)
{
	(void)ctx;
	(void)refused;
}

static void ignore(void *ctx, const char *text, size_t len)
{
	(void)ctx;
	(void)text;
	(void)len;
}

static struct pavane_policy *load_seed(const char *seed, const char *setting)
{
	const char *addresses[] = {seed};
	struct pavane_setting settings[1] = {{NULL, setting}};
	struct pavane_sources sources;
	BEGIN(sources);
	sources.settings = settings;
	sources.setting_count = 1;
	sources.addresses = addresses;
	sources.address_count = 1;
	return pavane_policy_load(&sources);
}

static struct pavane_policy *load(const char *setting)
{
	return load_seed("http://127.0.0.1:1/", setting);
}

static void look_at_policy(void)
{
	GUARDED(pavane_problem) problem = {.canary = CANARY};
	GUARDED(pavane_key) key = {.canary = CANARY};
	struct pavane_policy *policy = load("rate.max_rate=none");
	BEGIN(problem.it);
	BEGIN(key.it);
	check("a problem", pavane_policy_problem(policy, 0, &problem.it) &&
		strcmp(problem.it.key, "rate.max_rate") == 0 &&
		strstr(problem.it.sentence, "rate.max_rate"));
	check("behind a problem", strcmp(problem.canary, CANARY) == 0);
	check("a key", pavane_key_get(PAVANE_KEYS_OF_HOST, 0, &key.it) &&
		key.it.name && key.it.sentence);
	check("behind a key", strcmp(key.canary, CANARY) == 0);
	pavane_policy_destroy(policy);
}

static bool recover(void *ctx, uint64_t length, struct pavane_fault *fault)
{
	(void)fault;
	++*(unsigned *)ctx;
	return length == 0;
}

static bool append(void *ctx, const struct pavane_entry *entry,
    struct pavane_fault *fault)
{
	(void)ctx;
	(void)entry;
	(void)fault;
	return true;
}

static bool sync_file(void *ctx, uint64_t *length, struct pavane_fault *fault)
{
	(void)ctx;
	(void)fault;
	*length = 0;
	return true;
}

static void add_sink(struct pavane_crawl_options *options,
    struct pavane_sink *sink, const struct pavane_sink **sinks,
    unsigned *recovered)
{
	BEGIN(*sink);
	sink->name = "kept";
	sink->ctx = recovered;
	sink->recover = recover;
	sink->append = append;
	sink->sync = sync_file;
	sinks[0] = sink;
	options->sinks = sinks;
	options->sink_count = 1;
}

static void speak(struct pavane_crawl *crawl)
{
	struct pavane_asking asking;
	GUARDED(pavane_reply) reply = {.canary = CANARY};
	GUARDED(pavane_host_look) look = {.canary = CANARY};
	BEGIN(asking);
	BEGIN(reply.it);
	BEGIN(look.it);
	asking.wait_ms = -1;
	asking.reply = &reply.it;
	check("an answer", crawl && pavane_crawl_look_host(crawl, "127.0.0.1",
		&look.it, &asking) == PAVANE_OVER);
	check("its sentence", reply.it.answer == PAVANE_OVER &&
		strstr(reply.it.sentence, "ended"));
	check("behind an answer", strcmp(reply.canary, CANARY) == 0);
	check("behind a host", strcmp(look.canary, CANARY) == 0);
}

static void run(struct pavane_policy *policy, const char *directory)
{
	struct pavane_crawl_options options;
	struct pavane_events events;
	struct pavane_sink sink;
	const struct pavane_sink *sinks[1];
	unsigned recovered = 0;
	BEGIN(options);
	BEGIN(events);
	events.on_refused = on_refused;
	options.events = &events;
	options.directory = directory;
	options.state_dir = directory;
	options.level = PAVANE_INFO;
	options.on_line = on_line;
	options.on_progress = on_progress;
	options.progress_ms = 1;
	options.is_attended = true;
	add_sink(&options, &sink, sinks, &recovered);
	struct pavane_crawl *crawl = pavane_crawl_open(policy, &options);
	check("a crawl", crawl && pavane_crawl_run(crawl) == PAVANE_NOT_BEGUN);
	check("its lines and its progress", lines && progresses);
	check("its sink", recovered == 1);
	speak(crawl);
	if (crawl)
		pavane_crawl_close(crawl);
}

static void look_at_crawl(const char *directory)
{
	struct pavane_order order;
	struct pavane_audit_options audit;
	struct pavane_relink_options relink;
	struct pavane_merge_options merge;
	struct pavane_fleet_order wish;
	struct pavane_fleet_status *status;
	GUARDED(pavane_merged) merged = {.canary = CANARY};
	GUARDED(pavane_relinked) relinked = {.canary = CANARY};
	BEGIN(merge);
	BEGIN(merged.it);
	merge.output = directory;
	merge.directories = &directory;
	merge.directory_count = 1;
	merge.on_line = on_line;
	BEGIN(order);
	BEGIN(audit);
	BEGIN(relink);
	BEGIN(relinked.it);
	order.directory = audit.directory = relink.directory = directory;
	audit.write = ignore;
	check("a pause", pavane_order_pause(&order) == PAVANE_YES);
	check("its end", pavane_order_resume(&order) == PAVANE_YES);
	check("an audit", pavane_audit(&audit) == PAVANE_KEPT);
	check("no merge", !pavane_merge(&merge, &merged.it) && !merged.it.lines);
	check("behind a merge", strcmp(merged.canary, CANARY) == 0);
	BEGIN(wish);
	wish.fleet = "postgresql://[";
	wish.name = "none";
	wish.on_line = on_line;
	check("no wish", pavane_fleet_stop(&wish) != PAVANE_YES);
	status = pavane_fleet_status_read(
	    wish.fleet, wish.name, on_line, NULL);
	check("no status", !status);
	check("links", pavane_relink(&relink, &relinked.it) &&
		!relinked.it.documents);
	check("behind links", strcmp(relinked.canary, CANARY) == 0);
}

static void look_in_mirror(const char *directory)
{
	struct pavane_links_options links;
	struct pavane_place_options place;
	struct pavane_fields_options fields;
	GUARDED(pavane_fields_made) made = {.canary = CANARY};
	struct pavane_places *places =
	    pavane_places_open(directory, on_line, NULL);
	BEGIN(links);
	BEGIN(place);
	BEGIN(fields);
	BEGIN(made.it);
	links.directory = fields.directory = directory;
	links.write = place.write = ignore;
	check("a link check", pavane_links_check(&links) == PAVANE_LINKS_WHOLE);
	check("a place", places &&
		pavane_places_find(places, "http://127.0.0.1:1/", &place) ==
		    PAVANE_NO);
	pavane_places_close(places);
	check("no rows", !pavane_fields(&fields, &made.it) && !made.it.rows);
	check("behind rows", strcmp(made.canary, CANARY) == 0);
}

static void look_closer(struct pavane_policy *policy, const char *directory)
{
	struct pavane_explain_options options;
	GUARDED(pavane_explanation) explanation = {.canary = CANARY};
	BEGIN(options);
	BEGIN(explanation.it);
	options.directory = directory;
	options.on_line = on_line;
	struct pavane_explainer *explainer =
	    pavane_explainer_open(policy, &options);
	check("an explainer", explainer != NULL);
	if (explainer)
		check("an explanation", pavane_explain_values(explainer,
		    "ftp:x", &explanation.it) == PAVANE_WRONG &&
			pavane_explain_values(explainer, "http://127.0.0.2/",
			    &explanation.it) == PAVANE_NO &&
			*explanation.it.step && explanation.it.lines);
	check("behind it", strcmp(explanation.canary, CANARY) == 0);
	pavane_explainer_close(explainer);
}

static void look_at_files(struct pavane_policy *policy)
{
	struct pavane_sitemap_options sitemap;
	struct pavane_try_options page;
	BEGIN(sitemap);
	BEGIN(page);
	sitemap.file = page.page = "/dev/null";
	sitemap.base = page.url = "http://127.0.0.1:1/";
	sitemap.write = page.write = ignore;
	check("no sitemap",
	    pavane_inspect_sitemap(&sitemap) == PAVANE_OTHER_TYPE);
	page.on_line = on_line;
	lines = 0;
	check("a policy without kinds of pages",
	    pavane_try(policy, &page) == PAVANE_WRONG && lines);
}

static void share(void)
{
	struct pavane_runtime_options options;
	BEGIN(options);
	options.threads = 1;
	struct pavane_runtime *runtime = pavane_runtime_open(&options);
	check("a runtime", runtime && pavane_runtime_close(runtime));
}

/* Of a site with a page that has links. */
static void on_page(void *ctx, const struct pavane_page *page)
{
	GUARDED(pavane_header) header = {.canary = CANARY};
	GUARDED(pavane_page_link) link = {.canary = CANARY};
	BEGIN(header.it);
	BEGIN(link.it);
	++*(unsigned *)ctx;
	check("a header", pavane_page_header_at(page, 0, &header.it) &&
		header.it.name_len);
	check("behind a header", strcmp(header.canary, CANARY) == 0);
	check("a link", pavane_page_link(page, 0, &link.it) &&
		strncmp(link.it.address, "http://", 7) == 0);
	check("behind a link", strcmp(link.canary, CANARY) == 0);
}

static void look_at_pages(const char *seed, const char *directory)
{
	struct pavane_crawl_options options;
	struct pavane_events events;
	unsigned pages = 0;
	struct pavane_policy *policy = load_seed(seed, "scope.depth=0");
	BEGIN(options);
	BEGIN(events);
	events.on_page = on_page;
	options.events = &events;
	options.ctx = &pages;
	options.directory = options.state_dir = directory;
	struct pavane_crawl *crawl = pavane_crawl_open(policy, &options);
	check("a page", crawl && pavane_crawl_run(crawl) == PAVANE_FINISHED &&
		pages == 1);
	pavane_crawl_close(crawl);
	pavane_policy_destroy(policy);
}

int main(int count, char **words)
{
	struct pavane_policy *policy = load("identity.contact=a@b.example");
	if (count < 4)
		return 2;
	look_at_policy();
	run(policy, words[1]);
	look_at_crawl(words[1]);
	look_in_mirror(words[1]);
	look_closer(policy, words[1]);
	look_at_files(policy);
	share();
	look_at_pages(words[3], words[2]);
	pavane_policy_destroy(policy);
	return faults != 0;
}
PROGRAM

# resize KIND: headers of another release.
resize() {
	mkdir -p "$temporary/$1/pavane"
	for header in "$headers"/*.h; do
		awk -v kind="$1" -f "$house/resize.awk" "$header" \
			>"$temporary/$1/pavane/${header##*/}"
	done
}

# build NAME HEADERS FLAG...: builds the program with those headers.
build() {
	name=$1
	include=$2
	shift 2
	# CC and the flags are lists of words.
	# shellcheck disable=SC2086
	${CC:-cc} ${house_flags:-} -Wall -Wextra -Werror "$@" -I"$include" \
		-o "$temporary/run-$name" "$temporary/program.c" "$library" \
		-Wl,-rpath,"$top_builddir/.libs"
}

# runs NAME CLAIM: the program finds nothing at fault.
runs() {
	XDG_CONFIG_HOME=$temporary "$temporary/run-$1" "$temporary/crawl-$1" \
		"$temporary/pages-$1" "http://127.0.0.1:$port/docs/" \
		>"$temporary/said" 2>&1
	ok $? "$2"
	sed 's/^/# /' "$temporary/said"
}

# A site, which is there until descriptor 3 is closed.
mkfifo "$temporary/hold"
"$top_builddir/tests/examples/serve" <"$temporary/hold" >"$temporary/site" &
server=$!
exec 3>"$temporary/hold"
while kill -0 $server && [ ! -s "$temporary/site" ]; do
	sleep 0.02
done
port=$(head -n 1 "$temporary/site")

# Prints the names of structs that begin with their size and that the program
# has none of.
untried() {
	cat "$headers"/*.h | awk '
		/^struct pavane_[a-z_]* {/ { name = $2; line = NR }
		/^\tsize_t size;/ && NR == line + 1 { print name }' |
		while read -r name; do
			grep -q "[ (]${name}[ )]" "$temporary/program.c" ||
				echo "$name"
		done
}

resize shorter
resize longer
lacking=$(cat "$temporary"/shorter/pavane/*.h | grep -c 'is_for_fleet;\|leaves_out_seeds;')
[ "$lacking" -eq 0 ]
ok $? "headers of a release before this one have shorter structs"
[ "$(grep -c 'long added' "$temporary"/longer/pavane/*.h |
	awk -F: '{ sum += $2 } END { print sum }')" -eq \
	"$(grep -c '^	size_t size;' "$headers"/*.h |
	awk -F: '{ sum += $2 } END { print sum }')" ]
ok $? "and those of a later one longer ones"
left=$(untried)
[ -z "$left" ]
ok $? "the program fills each of them"
remark "$left"
build today "${headers%/*}"
ok $? "a program is built with the headers of today"
runs today "it runs"
build shorter "$temporary/shorter"
ok $? "with those of a release before"
runs shorter "its structs are shorter, and nothing is written behind them"
build longer "$temporary/longer" -DLONGER
ok $? "with those of a later release"
runs longer "what this library does not know of is left alone"
exec 3>&-
wait $server

tap_done
