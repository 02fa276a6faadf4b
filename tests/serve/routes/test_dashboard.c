#include "crawl/patience.h"
#include "serve/service_scene.h"
#include "tap.h"

/* The files of the page for people, and what they may do in a browser. What it does
 * there: test_dashboard.sh. */

#define SECONDS 100
#define SCRIPTS_MAX 40

/* The scripts of the page, each of which names those that it needs. */
struct scripts {
	char names[SCRIPTS_MAX][40];
	size_t count;
};

static void add_script(struct scripts *scripts, const char *name, size_t len)
{
	char added[40];
	snprintf(added, sizeof(added), "%.*s", (int)len, name);
	for (size_t i = 0; i < scripts->count; i++) {
		if (strcmp(scripts->names[i], added) == 0)
			return;
	}
	if (scripts->count < SCRIPTS_MAX)
		memcpy(scripts->names[scripts->count++], added, sizeof(added));
}

static void add_imports(struct scripts *scripts, const char *script)
{
	static const char from[] = " from \"./";
	while ((script = strstr(script, from))) {
		script += strlen(from);
		add_script(scripts, script, strcspn(script, "\""));
	}
}

/* What they must not say: what would read a text as HTML, or ask somebody
 * else. */
static bool is_script_harmless(struct scene *scene, const char *name)
{
	static const char *const wrong[] = {
	    "innerHTML", "outerHTML", "insertAdjacent", "eval(", "https://"};
	char path[100];
	snprintf(path, sizeof(path), "/dashboard/%s", name);
	bool is_right = ask(scene, "GET", path, NULL) == 200 &&
			says(scene, "text/javascript") &&
			says(scene, "default-src 'none'");
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		is_right = is_right && !strstr(body_of(scene), wrong[i]);
	return is_right;
}

static void test_dashboard(void)
{
	struct scene scene;
	struct scripts scripts = {.count = 0};
	open_scene(&scene, NULL);
	open_service(&scene, NULL, 0);
	ok(ask(&scene, "GET", "/", NULL) == 200 && says(&scene, "text/html") &&
		says(&scene, "dashboard/page.js") &&
		says(&scene, "default-src 'none'; script-src 'self'"),
	    "there is a page for people, which runs its own script alone");
	ok(!strstr(pv_buf_text(&scene.reply), "<style") &&
		!strstr(pv_buf_text(&scene.reply), " style=") &&
		!strstr(pv_buf_text(&scene.reply), " on"),
	    "P7: it has none within it");
	add_script(&scripts, "page.js", strlen("page.js"));
	for (size_t i = 0; i < scripts.count; i++) {
		ok(is_script_harmless(&scene, scripts.names[i]),
		    "P7: %s sets texts, and asks nobody else",
		    scripts.names[i]);
		add_imports(&scripts, body_of(&scene));
	}
	ok(scripts.count > 5, "all of its scripts are looked at");
	ok(ask(&scene, "GET", "/dashboard/dashboard.css", NULL) == 200 &&
		says(&scene, "text/css"),
	    "it has a style");
	ok(ask(&scene, "GET", "/dashboard/", NULL) == 404 &&
		ask(&scene, "GET", "/dashboard/../openapi.json", NULL) == 404 &&
		ask(&scene, "GET", "/dashboard/other.js", NULL) == 404,
	    "and no other file");
	ok(ask(&scene, "GET", "/session", NULL) == 200 &&
		says(&scene, "\"tokens\":false") &&
		says(&scene, "[\"read\",\"submit\",\"control\"]") &&
		says(&scene, "\"ending\":false"),
	    "it can tell what may be done without tokens");
	pavane_service_drain(scene.service);
	ok(ask(&scene, "GET", "/session", NULL) == 200 &&
		says(&scene, "\"ending\":true"),
	    "and that the service ends");
	close_scene(&scene);
}

int main(void)
{
	end_after(SECONDS);
	test_dashboard();
	end_after(0);
	return tap_done();
}
