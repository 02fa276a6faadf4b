#include "policy/option.h"

#include "pavane/pavane.h"
#include "policy/policy.h"
#include "tap.h"

static void test_rows(void)
{
	for (size_t i = 0; i < pv_names_of_policy.count; i++) {
		const struct pv_option *option = &pv_names_of_policy.options[i];
		struct pv_str path = pv_str_of(option->path);
		struct pv_str sentence = pv_str_of(option->sentence);
		unsigned same = 0;
		for (size_t j = 0; j < pv_names_of_policy.count; j++)
			same += pv_str_equal(path,
			    pv_str_of(pv_names_of_policy.options[j].path));
		ok(same == 1, "%s stands once in the table", option->path);
		ok(sentence.len > 10 && pv_str_ends(sentence, PV_STR(".")),
		    "%s has a sentence", option->path);
		ok(option->least <= option->most, "%s has a range",
		    option->path);
		ok(option->offset + option->kind->size <=
			    sizeof(struct pv_policy) &&
			option->kind->size <=
			    sizeof(union pv_value) +
				(option->kind == &pv_kind_domains ? 1024 : 0),
		    "%s has a field", option->path);
	}
}

/* Each default is read by its own kind, without a problem. */
static void test_presets(void)
{
	struct pv_arena arena;
	struct pv_why why;
	struct pv_reading reading;
	pv_arena_init(&arena);
	pv_why_init(&why);
	pv_reading_init(&reading, &arena, &why, "default", PV_LAYER_DEFAULT);
	for (size_t i = 0; i < pv_names_of_policy.count; i++) {
		const struct pv_option *option = &pv_names_of_policy.options[i];
		struct pv_node node = {.kind = PV_NODE_TEXT};
		union pv_value value = {0};
		if (!option->preset)
			continue;
		node.text = pv_str_of(option->preset);
		ok(option->kind->read(&reading, option, &node, &value) &&
			!pv_why_has_problems(&why),
		    "%s takes its default, %s", option->path, option->preset);
		struct pv_buf buf;
		pv_buf_init(&buf, 1024);
		option->kind->write(option, &value, &buf);
		struct pv_node again = {
		    .kind = PV_NODE_TEXT, .text = pv_buf_str(&buf)};
		ok(option->kind->read(&reading, option, &again, &value),
		    "%s takes %s, as it writes it", option->path,
		    pv_buf_text(&buf));
		pv_buf_finish(&buf);
	}
	pv_reading_finish(&reading);
	pv_why_finish(&why);
	pv_arena_finish(&arena);
}

/* What is offered to a person is taken. */
static void test_words(void)
{
	struct pv_arena arena;
	struct pv_why why;
	struct pv_reading reading;
	unsigned count = 0;
	pv_arena_init(&arena);
	pv_why_init(&why);
	pv_reading_init(&reading, &arena, &why, "word", PV_LAYER_COMMAND);
	for (size_t i = 0; i < pv_names_of_policy.count; i++) {
		const char *words[PV_OPTION_WORDS_MAX + 1];
		pv_option_words(&pv_names_of_policy.options[i], words);
		for (size_t j = 0; words[j]; j++) {
			struct pv_node node = {
			    .kind = PV_NODE_TEXT, .text = pv_str_of(words[j])};
			union pv_value value = {0};
			bool is_none = strcmp(words[j], "none") == 0;
			count++;
			ok((is_none && (pv_names_of_policy.options[i].flags &
					   PV_MAY_BE_NONE)) ||
				pv_names_of_policy.options[i].kind->read(
				    &reading, &pv_names_of_policy.options[i],
				    &node, &value),
			    "%s takes the word %s",
			    pv_names_of_policy.options[i].path, words[j]);
		}
	}
	ok(count > 60, "many options take words (%u)", count);
	pv_reading_finish(&reading);
	pv_why_finish(&why);
	pv_arena_finish(&arena);
}

static void test_keys(void)
{
	struct pavane_key key = PAVANE_INIT(struct pavane_key);
	size_t count = 0;
	unsigned wrong = 0;
	while (pavane_key_get(PAVANE_KEYS_OF_POLICY, count, &key)) {
		struct pv_str name = pv_str_of(key.name);
		wrong += !pv_option_get(name, &pv_names_of_policy);
		count++;
	}
	ok(count > 70 && !wrong, "a program gets each key of a policy");
	for (count = 0; pavane_key_get(PAVANE_KEYS_OF_HOST, count, &key);)
		wrong +=
		    !pv_option_get(pv_str_of(key.name), &pv_names_of_domain) ||
		    count++ > pv_names_of_policy.count;
	ok(count > 20 && !wrong, "and each of a host");
	for (count = 0; pavane_key_get(PAVANE_KEYS_OF_RUNNING, count, &key);)
		wrong +=
		    !(pv_option_get(pv_str_of(key.name), &pv_names_of_policy)
			    ->flags &
			PV_MAY_BE_SET) ||
		    count++ > pv_names_of_policy.count;
	ok(count > 10 && !wrong, "and each that a running crawl takes");
}

static void test_names(void)
{
	static const struct pv_names *const both[] = {
	    &pv_names_of_policy, &pv_names_of_domain};
	for (size_t i = 0; i < pv_names_of_policy.count; i++) {
		const struct pv_option *option = &pv_names_of_policy.options[i];
		for (size_t j = 0; j < 2; j++) {
			const char *name = pv_option_name(option, both[j]);
			ok(!name || pv_option_get(pv_str_of(name), both[j]) ==
					option,
			    "%s is found by its name %s", option->path,
			    name ? name : "(none)");
		}
	}
	static const struct {
		const char *path;
		const char *in_domain;
	} cases[] = {
	    {"politeness.delay", "delay"},
	    {"politeness.backoff.max", "backoff.max"},
	    {"fetch.tls.verify", "tls.verify"},
	    {"domains.*.share", "share"},
	    {"domains.*.robots", "robots"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct pv_option *option = pv_option_get(
		    pv_str_of(cases[i].in_domain), &pv_names_of_domain);
		ok(option && strcmp(option->path, cases[i].path) == 0,
		    "in the domain table %s is called %s", cases[i].path,
		    cases[i].in_domain);
	}
	ok(!pv_option_get(PV_STR("max_rate"), &pv_names_of_policy) &&
		!pv_option_get(PV_STR("rate.max_rate"), &pv_names_of_domain) &&
		!pv_option_get(PV_STR("share"), &pv_names_of_policy) &&
		!pv_option_get(PV_STR(""), &pv_names_of_policy) &&
		!pv_option_get(PV_STR("rate"), &pv_names_of_policy),
	    "what is no key there is not found");
}

/* Manners are what both places can say, so that an entry's key has a field. */
static void test_manners(void)
{
	size_t start = offsetof(struct pv_policy, manners);
	for (size_t i = 0; i < pv_names_of_policy.count; i++) {
		const struct pv_option *option = &pv_names_of_policy.options[i];
		bool is_in = option->offset >= start &&
			     option->offset + option->kind->size <=
				 start + sizeof(struct pv_manners);
		ok(is_in == ((option->flags & PV_IN_DOMAIN) != 0),
		    "%s %s of the manners of a host", option->path,
		    is_in ? "is one" : "is none");
	}
}

static void test_sections(void)
{
	static const char *const sections[] = {"rate", "politeness",
	    "politeness.backoff", "fetch.tls", "output", "output.mirror"};
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++)
		ok(pv_option_is_section(
		       pv_str_of(sections[i]), &pv_names_of_policy),
		    "%s is a section", sections[i]);
	ok(!pv_option_is_section(PV_STR("rat"), &pv_names_of_policy) &&
		!pv_option_is_section(PV_STR("name"), &pv_names_of_policy) &&
		!pv_option_is_section(PV_STR("rate."), &pv_names_of_policy) &&
		!pv_option_is_section(PV_STR("rate"), &pv_names_of_domain) &&
		!pv_option_is_section(PV_STR("domains"), &pv_names_of_policy),
	    "what is none is none");
	ok(pv_option_is_section(PV_STR("backoff"), &pv_names_of_domain) &&
		pv_option_is_section(PV_STR("tls"), &pv_names_of_domain),
	    "a host has sections too");
	for (size_t i = 0; i < pv_names_of_policy.section_count; i++)
		ok(pv_option_is_section(
		       pv_str_of(pv_names_of_policy.sections[i].path),
		       &pv_names_of_policy) &&
			pv_names_of_policy.sections[i].sentence[0],
		    "%s has a sentence and keys",
		    pv_names_of_policy.sections[i].path);
}

static const struct {
	const struct pv_names *names;
	const char *section;
	const char *key;
	const char *nearest; /* NULL for none */
} nears[] = {
    {&pv_names_of_policy, "", "seed", "seeds"},
    {&pv_names_of_policy, "", "Rate", "rate"},
    {&pv_names_of_policy, "", "limit", "limits"},
    {&pv_names_of_policy, "rate", "max-rate", "rate.max_rate"},
    {&pv_names_of_policy, "rate", "maxrate", "rate.max_rate"},
    {&pv_names_of_policy, "rate", "brust", "rate.burst"},
    {&pv_names_of_policy, "rate", "delay", "politeness.delay"},
    {&pv_names_of_policy, "", "max_size", "fetch.max_size"},
    {&pv_names_of_policy, "politeness.backoff", "faliure",
	"politeness.backoff.failure"},
    {&pv_names_of_policy, "", "quux", NULL},
    {&pv_names_of_policy, "", "", NULL},
    {&pv_names_of_domain, "", "dealy", "delay"},
    {&pv_names_of_domain, "", "robot", "robots"},
    {&pv_names_of_domain, "tls", "verfy", "tls.verify"},
    {&pv_names_of_domain, "", "verify", "tls.verify"},
};

static void test_nearest(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 128);
	for (size_t i = 0; i < sizeof(nears) / sizeof(*nears); i++) {
		const char *found =
		    pv_option_nearest(pv_str_of(nears[i].section),
			pv_str_of(nears[i].key), nears[i].names, &buf);
		is_text(pv_str_of(found ? found : "(none)"),
		    nears[i].nearest ? nears[i].nearest : "(none)",
		    "who writes %s below \"%s\" means %s", nears[i].key,
		    nears[i].section,
		    nears[i].nearest ? nears[i].nearest : "nothing known");
	}
	pv_buf_finish(&buf);
}

int main(void)
{
	test_rows();
	test_presets();
	test_words();
	test_keys();
	test_names();
	test_manners();
	test_sections();
	test_nearest();
	return tap_done();
}
