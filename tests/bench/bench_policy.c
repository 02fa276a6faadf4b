#include "policy/sources/load.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/reader.h"
#include "policy/document/document.h"
#include "policy/domain_entry.h"

/* What a host's manners cost to look up in a large domain table, and what the
 * worst policies of 1 MiB cost to load: each in a process of its own, whose
 * largest size is told beside that of one which loads an empty policy. */

#define ENTRIES 100000
#define NETWORKS 1000
#define LOOKUPS 1000000
#define NAMES 4096

/* Of the processor, for others use it as well. */
static double now_ns(void)
{
	struct timespec time;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Looking up */

static void add_entry(
    struct pv_policy *policy, struct pv_reading *reading, const char *name)
{
	struct pv_node node = {.kind = PV_NODE_TEXT, .text = PV_STR("2s")};
	const struct pv_option *option =
	    pv_option_get(PV_STR("delay"), &pv_names_of_domain);
	union pv_value value;
	bool is_new;
	struct pv_domain_entry *entry = pv_domains_entry(
	    &policy->domains, reading, &node, pv_str_of(name), &is_new);
	if (!entry || !option->kind->read(reading, option, &node, &value))
		abort();
	pv_domain_entry_set(entry, &policy->arena, option, &value,
	    pv_reading_origin(reading, &node));
}

/* Names, suffixes and networks of every length from /16 to /31. */
static void fill(struct pv_policy *policy, struct pv_why *why)
{
	struct pv_reading reading;
	char name[64];
	pv_reading_init(
	    &reading, &policy->arena, why, "bench", PV_LAYER_POLICY);
	for (unsigned i = 0; i < ENTRIES; i++) {
		unsigned prefix = 16 + i % 16;
		unsigned address =
		    (10u << 24 | i << 13) >> (32 - prefix) << (32 - prefix);
		if (i < NETWORKS)
			snprintf(name, sizeof(name), "%u.%u.%u.%u/%u",
			    address >> 24, address >> 16 & 255,
			    address >> 8 & 255, address & 255, prefix);
		else if (i % 2)
			snprintf(name, sizeof(name), "www.host%u.example", i);
		else
			snprintf(name, sizeof(name), "*.host%u.example", i);
		add_entry(policy, &reading, name);
	}
	pv_reading_finish(&reading);
}

static void measure_lookups(const struct pv_policy *policy, const char *what,
    const char *before, bool has_address)
{
	static char names[NAMES][64];
	static struct pv_address addresses[NAMES];
	struct pv_host_manners manners;
	int64_t sum = 0;
	for (unsigned i = 0; i < NAMES; i++) {
		unsigned entry = NETWORKS + i * 23 % (ENTRIES - NETWORKS);
		if (entry % 2 !=
		    pv_str_equal(pv_str_of(before), PV_STR("www.host")))
			entry ^= 1;
		snprintf(
		    names[i], sizeof(names[i]), "%s%u.example", before, entry);
		addresses[i] = (struct pv_address){.bits = 32};
		addresses[i].bytes[0] = 10;
		addresses[i].bytes[1] = (uint8_t)(i >> 3);
		addresses[i].bytes[2] = (uint8_t)(i << 5);
	}
	double start = now_ns();
	for (unsigned i = 0; i < LOOKUPS; i++) {
		pv_policy_manners(policy, pv_str_of(names[i % NAMES]),
		    has_address ? &addresses[i % NAMES] : NULL, &manners);
		sum += manners.manners.delay_ms;
	}
	double ns = (now_ns() - start) / LOOKUPS;
	printf("policy: %-14s of %d %6.0f ns a look-up (mean delay %.2f s)\n",
	    what, ENTRIES, ns, (double)sum / LOOKUPS / 1000);
}

static void measure_table(void)
{
	struct pv_why why;
	pv_why_init(&why);
	struct pv_policy *policy =
	    pv_policy_load_text("bench", PV_STR("version: 1\n"), &why);
	fill(policy, &why);
	measure_lookups(policy, "exact names", "www.host", false);
	measure_lookups(policy, "suffixes", "a.b.c.host", false);
	measure_lookups(policy, "no name", "docs.other", false);
	measure_lookups(policy, "networks", "docs.other", true);
	pv_policy_destroy(policy);
	pv_why_finish(&why);
}

/* Loading: each shape is a beginning, a piece that is repeated (its @
 * counts), and an end. */

/* A part of a pattern. */
#define LONG                                                        \
	"((a{1,9}b{1,9}c?){1,9}|[^a-f]+?[\\w-]*(?=x)){1,5}(abcdefg" \
	"hijkl|[a-z]{5,500}){1,3}"

static const struct {
	const char *name;
	unsigned most; /* pieces; 0 for as many as there is room for */
	const char *start;
	const char *piece;
	const char *end;
} shapes[] = {
    {"nothing", 0, "version: 1", "", "\n"},
    {"domains", 0, "domains: {", "a@.b: {delay: 1},", "}\n"},
    {"domains, empty", 0, "domains: {", "a@: {},", "}\n"},
    {"domains, on lines", 0, "domains:\n", " \"*.a@\": {delay: 1}\n", ""},
    {"domains, every key", 0, "domains:\n",
	" a@: {delay: 1, jitter: 0, max_delay: 1, interval: 1, ip_delay: 1, "
	"max_rate: 1, bandwidth: 1kB/s, connections: 1, delay_factor: 0, "
	"blocked: {after: 1}, backoff: {factor: 1, max: 1d, failure: 1, "
	"overload: 1}, robots: obey, share: false, tls: {verify: true}}\n",
	""},
    {"domains, settings over", 0, "", "domains: {a: {delay: 1}}\n", ""},
    {"networks", 10000, "domains: {", "\"2001:db8:1:@::/64\": {},", "}\n"},
    {"seeds", 0, "seeds:\n", "- http:a@\n", ""},
    {"seeds, one line", 0, "seeds: [", "http:@,", "]\n"},
    {"seeds, templates", 0, "seeds:\n", "- http://localhost/{1..9999}\n", ""},
    {"seeds, hosts", 0, "seeds:\n", "- http://{1..9999}.localhost/\n", ""},
    {"seeds, many places", 0, "seeds:\n",
	"- http://localhost/{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}\n",
	""},
    {"seeds, a list of one place", 0, "seeds: [\"http://localhost/{", ",",
	"}\"]\n"},
    {"seeds, a list of hosts", 0, "seeds: [\"http://localhost{", ",",
	"}/\"]\n"},
    {"rules", 1000, "scope: {rules: [", "{deny: {path: /}},", "]}\n"},
    {"rules, large patterns", 1000, "scope:\n rules:\n",
	" - {deny: {url: '(?:a?){999}(?:b?){999}(?:c?){899}@'}}\n", ""},
    {"rules, long patterns", 1000, "scope:\n rules:\n",
	" - {deny: {url: '" LONG LONG LONG LONG LONG LONG LONG LONG LONG LONG
	"@'}}\n",
	""},
    {"rules, refused patterns", 0, "scope:\n rules:\n",
	" - {deny: {url: '(@'}}\n", ""},
    {"rules, endings", 0, "scope: {rules: [{deny: {ext: [", "a,", "]}}]}\n"},
    {"texts", 1000, "fetch: {accept: [", "a/a,", "]}\n"},
    {"headers", 100, "fetch: {headers: {", "a@: a,", "}}\n"},
    {"a flow list", 0, "name: [", "a,", "]\n"},
    {"a flow list, effective", 0, "# pavane: effective policy\nname: [", "a,",
	"]  # x\n"},
    {"domains, effective", 0, "# pavane: effective policy\ndomains:\n",
	" a@: {}  # x\n", ""},
    {"one line, effective", 0, "# pavane: effective policy\ndomains: {",
	"a@: {delay: 1},", "}  # x\n"},
    {"a long text", 0, "name: \"", "a", "\"\n"},
    {"a long key", 0, "\"", "a", "\": 1\n"},
    {"a long number", 0, "name: ", "1", "\n"},
    {"a comment", 0, "version: 1 #", "a", "\n"},
    {"empty lines", 0, "version: 1", "\n", ""},
    {"nesting", 0, "", "[", ""},
    {"nesting of mappings", 0, "", "{a: ", ""},
    {"nesting, in lines", 0, "", "- ", ""},
    {"nesting, again and again", 0, "a: [",
	"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]],", "]\n"},
    {"complex keys", 0, "", "? ", ""},
    {"unknown keys", 0, "", "a@: 1\n", ""},
    {"unknown keys, long", 0, "",
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@: 1\n", ""},
    {"unknown keys of a host", 0, "domains: {a: {", "d@: 1,", "}}\n"},
    {"the same key", 0, "", "rate: 1\n", ""},
    {"wrong values", 0, "seeds: [", "a,", "]\n"},
    {"addresses", 0, "domains: {", "?@: {},", "}\n"},
    {"aliases", 0, "name: [", "*a,", "]\n"},
    {"anchors", 0, "name: [", "&a a,", "]\n"},
    {"tags", 0, "name: [", "!!str a,", "]\n"},
    {"directives", 0, "", "%TAG !@! a\n", "---\nversion: 1\n"},
    {"directives, at the end", 0, "version: 1\n...\n", "%TAG !@! a\n", "---\n"},
    {"documents", 0, "", "---\na\n", ""},
    {"escapes", 0, "name: \"", "\\x41", "\"\n"},
    {"a folded text", 0, "name: \"", "a\n\n", "\"\n"},
    {"a block", 0, "name: |\n", " a\n", ""},
};

#define SHAPES (sizeof(shapes) / sizeof(*shapes))

/* Appends a piece, its @ read as a number. */
static void append_piece(
    struct pv_buf *text, const char *piece, unsigned number)
{
	struct pv_reader reader = pv_reader_of(pv_str_of(piece));
	pv_buf_append(text, pv_reader_take_until(&reader, '@'));
	if (pv_reader_accept(&reader, '@'))
		pv_buf_append_format(text, "%u", number);
	pv_buf_append(text, pv_reader_rest(&reader));
}

static void write_shape(struct pv_buf *text, size_t shape)
{
	const char *end = shapes[shape].end;
	const char *piece = shapes[shape].piece;
	size_t most = PV_DOCUMENT_BYTES_MAX - strlen(end) - strlen(piece) - 10;
	pv_buf_append_text(text, shapes[shape].start);
	unsigned count = shapes[shape].most ? shapes[shape].most : UINT_MAX;
	for (unsigned i = 0; piece[0] && i < count && text->len < most; i++)
		append_piece(text, piece, i);
	pv_buf_append_text(text, end);
}

/* Loads the shape in a process of its own. */
static _Noreturn void load_shape(size_t shape, int answer)
{
	struct pv_buf text;
	struct pv_why why;
	double figures[2];
	pv_buf_init(&text, PV_DOCUMENT_BYTES_MAX);
	pv_why_init(&why);
	write_shape(&text, shape);
	double start = now_ns();
	struct pv_policy *policy =
	    pv_policy_load_text("bench", pv_buf_str(&text), &why);
	figures[0] = (now_ns() - start) / 1e6;
	figures[1] = (double)why.problems.count;
	pv_policy_destroy(policy);
	pv_why_finish(&why);
	pv_buf_finish(&text);
	if (write(answer, figures, sizeof(figures)) != sizeof(figures))
		exit(1);
	exit(0);
}

/* The largest size of the process, in MB. */
static double measure_shape(size_t shape, double figures[2])
{
	int ends[2];
	int status;
	struct rusage usage;
	fflush(stdout);
	if (pipe(ends) != 0)
		abort();
	pid_t child = fork();
	if (child == 0)
		load_shape(shape, ends[1]);
	close(ends[1]);
	if (read(ends[0], figures, 2 * sizeof(*figures)) !=
		(ssize_t)(2 * sizeof(*figures)) ||
	    wait4(child, &status, 0, &usage) != child || status)
		abort();
	close(ends[0]);
	return (double)usage.ru_maxrss * 1024 / 1e6;
}

int main(void)
{
	double figures[2];
	double least = measure_shape(0, figures);
	for (size_t shape = 0; shape < SHAPES; shape++) {
		double size = measure_shape(shape, figures);
		printf("policy: load %-28s %8.1f ms %6.1f MB more "
		       "(%.0f problems)\n",
		    shapes[shape].name, figures[0], size - least, figures[1]);
	}
	measure_table();
	return 0;
}
