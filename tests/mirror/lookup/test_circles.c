#include "mirror/lookup/circles.h"

#include "mirror/scene.h"

/* Redirects that never lead to an end, one by one and all at once. */

static const struct {
	const char *name;
	const char *to; /* NULL: it is a page */
	bool circles;
} addresses[] = {
    {"page", NULL, false},
    {"a", "b", false},
    {"b", "page", false},
    {"before", "a", false},
    {"c", "d", true},
    {"d", "e", true},
    {"e", "c", true},
    {"into", "d", true},
    {"two", "into", true},
    {"itself", "itself", false},
    {"to-itself", "itself", false},
    {"away", "nowhere", false},
};

#define COUNT (sizeof(addresses) / sizeof(*addresses))

static const char *url_of(char text[64], const char *name)
{
	snprintf(text, 64, "http://localhost/%s", name);
	return text;
}

static void fill(struct mirror_scene *scene)
{
	struct pv_redirects redirects;
	char url[64];
	pv_redirects_open(&redirects, scene->database);
	for (size_t i = 0; i < COUNT; i++) {
		bool is_page = !addresses[i].to;
		mirror_add(scene, (struct mirror_address){.id = (int64_t)i + 1,
				      .url = url_of(url, addresses[i].name),
				      .state = PV_STATE_DONE,
				      .outcome = PV_OUTCOME_ANSWERED,
				      .status = is_page ? 200 : 301});
		struct pv_fingerprint from = mirror_key(scene, url);
		if (!is_page)
			pv_redirects_keep(&redirects, from,
			    pv_str_of(url_of(url, addresses[i].to)));
	}
	pv_redirects_close(&redirects);
}

static bool is_found(const struct pv_circles *circles, uint64_t id)
{
	size_t count = 0;
	for (size_t i = 0; i < circles->count; i++)
		count += circles->ids[i] == id;
	return count == 1;
}

static void test_all(struct pv_fates *fates)
{
	struct pv_circles circles;
	pv_circles_find(&circles, fates);
	for (size_t i = 0; i < COUNT; i++)
		ok(is_found(&circles, i + 1) == addresses[i].circles, "%s %s",
		    addresses[i].name,
		    addresses[i].circles ? "leads on and on"
					 : "is found in no circle");
	ok(!circles.has_too_many, "there are not too many");
	pv_circles_finish(&circles);
}

static void test_each(struct pv_fates *fates)
{
	struct pv_fate from, at;
	pv_fate_init(&from);
	pv_fate_init(&at);
	for (size_t i = 0; i < COUNT; i++) {
		if (!addresses[i].to)
			continue;
		pv_fates_get(fates, i + 1, &from);
		ok(pv_circles_follow(fates, &from, &at) != addresses[i].circles,
		    "%s %s", addresses[i].name,
		    addresses[i].circles ? "has no end" : "has an end");
	}
	pv_fate_finish(&from);
	pv_fate_finish(&at);
}

int main(void)
{
	struct mirror_scene scene;
	struct pv_fates fates;
	if (!mirror_scene_open(&scene))
		return 1;
	mirror_look(&scene); /* by which addresses are known */
	fill(&scene);
	pv_fates_init(&fates, mirror_look(&scene));
	test_all(&fates);
	test_each(&fates);
	pv_fates_finish(&fates);
	mirror_scene_close(&scene);
	return tap_done();
}
