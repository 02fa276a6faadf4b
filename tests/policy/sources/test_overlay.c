#include "policy/sources/overlay.h"

#include "policy/option.h"
#include "policy/sources/load.h"
#include "record/verdict.h"
#include "tap.h"

#define BASE                                                               \
	"seeds: [\"http://localhost/\"]\nrate: {max_rate: 10}\n"           \
	"politeness: {delay: 2s}\ndomains: {\"localhost\": {delay: 5s}}\n" \
	"limits: {pages: 7}\n"

static struct pv_policy *base_of(const char *text)
{
	struct pv_why why;
	pv_why_init(&why);
	struct pv_policy *base =
	    pv_policy_load_text("p.yaml", pv_str_of(text), &why);
	if (pv_why_has_problems(&why))
		ok(false, "%s", why.problems.kept[0].text);
	pv_why_finish(&why);
	return base;
}

static struct pv_set_value of(const char *key, const char *value)
{
	return (struct pv_set_value){pv_str_of(key), pv_str_of(value)};
}

static void test_values(void)
{
	struct pv_policy *base = base_of(BASE);
	const struct pv_set_value values[] = {of("rate.max_rate", "3"),
	    of("politeness.delay", "9s"), of("limits.pages", "none"),
	    of("politeness.allowed_hours", "[\"22:00-06:00\"]"),
	    of("politeness.delay_from", "start")};
	struct pv_why why;
	struct pv_host_manners manners;
	pv_why_init(&why);
	struct pv_policy *overlay = pv_overlay_create(
	    base, values, sizeof(values) / sizeof(*values), &why);
	ok(!pv_why_has_problems(&why) && overlay->rate.max_rate == 3 &&
		overlay->manners.delay_ms == 9000 &&
		overlay->limits.pages == PV_NONE,
	    "what is set has other values");
	ok(overlay->rate.burst == 3 && overlay->rate.concurrency == 3,
	    "and so has what follows from it");
	ok(base->rate.max_rate == 10 && base->rate.burst == 10 &&
		base->manners.delay_ms == 2000,
	    "the policy below stays as it is");
	pv_policy_manners(overlay, PV_STR("localhost"), NULL, &manners);
	ok(manners.manners.delay_ms == 5000 &&
		manners.manners.delay_from == PV_DELAY_FROM_START,
	    "what it says for a host holds for that, all else is set");
	ok(pv_overlay_exceptions(base, PV_STR("politeness.delay")) == 1 &&
		!pv_overlay_exceptions(base, PV_STR("politeness.jitter")) &&
		!pv_overlay_exceptions(base, PV_STR("rate.max_rate")),
	    "and it is known for how many hosts it does so");
	ok(pv_policy_is_given(overlay, "limits.pages") &&
		!pv_policy_is_given(overlay, "rate.burst"),
	    "and it is known what was given");
	pv_overlay_destroy(overlay);
	pv_overlay_destroy(NULL);
	pv_why_finish(&why);
	pv_policy_destroy(base);
}

static void test_followers(void)
{
	struct pv_policy *base =
	    base_of("seeds: [\"http://localhost/\"]\n"
		    "rate: {max_rate: 10, burst: 30, concurrency: 4}\n");
	const struct pv_set_value value = of("rate.max_rate", "20");
	struct pv_why why;
	pv_why_init(&why);
	struct pv_policy *overlay = pv_overlay_create(base, &value, 1, &why);
	ok(!pv_why_has_problems(&why) && overlay->rate.burst == 30 &&
		overlay->rate.concurrency == 4,
	    "what the policy says itself does not follow");
	pv_overlay_destroy(overlay);
	pv_why_finish(&why);
	pv_policy_destroy(base);
}

static void test_mistakes(void)
{
	static const struct {
		const char *key;
		const char *value;
		const char *said;
	} cases[] = {
	    {"scope.depth", "3", "cannot be set while a crawl runs"},
	    {"seeds", "[\"http://a.test/\"]",
		"cannot be set while a crawl runs"},
	    {"robots", "{ttl: 1h}", "is a section: set its keys one by one"},
	    {"rate.max_rat", "3", "did you mean rate.max_rate?"},
	    {"domains.a.test.delay", "3s",
		"values of single hosts cannot be set"},
	    {"domains", "{}", "values of single hosts cannot be set"},
	    {"rate.max_rate", "0", ""},
	    {"rate.max_rate", "[1", ""},
	    {"politeness.delay", "soon", "found soon"},
	    {"rate.burst", "1", ""},
	};
	struct pv_policy *base = base_of(BASE);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct pv_set_value value =
		    of(cases[i].key, cases[i].value);
		struct pv_why why;
		pv_why_init(&why);
		struct pv_policy *overlay =
		    pv_overlay_create(base, &value, 1, &why);
		ok(why.problems.count == 1 &&
			strstr(why.problems.kept[0].text, cases[i].said),
		    "P4: %s=%s is refused: %s", cases[i].key, cases[i].value,
		    why.problems.count ? why.problems.kept[0].text : "not");
		pv_overlay_destroy(overlay);
		pv_why_finish(&why);
	}
	pv_policy_destroy(base);
}

static bool is_within(const char *path, const char *section)
{
	size_t len = strlen(section);
	return strncmp(path, section, len) == 0 &&
	       (path[len] == '\0' || path[len] == '.');
}

/* What was refused for a reason would be judged anew. */
static void test_reasons(void)
{
	size_t count = 0;
	const char *wrong = NULL;
	for (size_t i = 0; i < pv_names_of_policy.count; i++) {
		if (!(pv_names_of_policy.options[i].flags & PV_MAY_BE_SET))
			continue;
		count++;
		for (unsigned reason = 0; reason < PV_REASON_COUNT; reason++) {
			const char *const *key = pv_reason_get(reason)->keys;
			for (; *key; key++) {
				if (is_within(
					pv_names_of_policy.options[i].path,
					*key))
					wrong =
					    pv_names_of_policy.options[i].path;
			}
		}
	}
	ok(count > 30 && !wrong,
	    "no address is judged by a key that can be set (%s)",
	    wrong ? wrong : "none");
}

int main(void)
{
	test_values();
	test_followers();
	test_mistakes();
	test_reasons();
	return tap_done();
}
