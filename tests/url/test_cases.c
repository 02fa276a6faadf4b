#include "url/url.h"

#include <jansson.h>
#include <stdlib.h>

#include "tap.h"
#include "url/encoder.h"

/* The cases of the web-platform-tests that concern us, where somebody has put
 * them: $PAVANE_SHARED/spec/url-cases.json. */

#define CEILING 65536

static struct pv_str text_of(const json_t *value)
{
	return (struct pv_str){
	    json_string_value(value), json_string_length(value)};
}

/* One line of printable ASCII. */
static const char *shown(struct pv_str text, char *line, size_t size)
{
	size_t at = 0;
	for (size_t i = 0; i < text.len && at + 5 < size; i++) {
		unsigned char byte = (unsigned char)text.ptr[i];
		bool is_plain = byte > ' ' && byte < 0x7f && byte != '#';
		at += (size_t)snprintf(
		    line + at, size - at, is_plain ? "%c" : "<%02x>", byte);
	}
	return line;
}

static enum pv_url_result join(
    struct pv_url *url, struct pv_url *base, const json_t *entry)
{
	struct pv_encoder encoder;
	const json_t *encoding = json_object_get(entry, "encoding");
	const json_t *base_text = json_object_get(entry, "base");
	struct pv_str input = text_of(json_object_get(entry, "input"));
	bool has_base = json_is_string(base_text);
	if (has_base && pv_url_parse(base, text_of(base_text)) != PV_URL_OK)
		return PV_URL_INVALID;
	pv_encoder_init(&encoder, encoding ? text_of(encoding) : PV_STR(""));
	enum pv_url_result result =
	    pv_url_join(url, has_base ? base : NULL, input, &encoder);
	pv_encoder_finish(&encoder);
	return result;
}

static void test_entry(
    struct pv_url *url, struct pv_url *base, const json_t *entry)
{
	char input[200] = "", found[300] = "";
	shown(text_of(json_object_get(entry, "input")), input, sizeof(input));
	bool is_ok = join(url, base, entry) == PV_URL_OK;
	const json_t *href = json_object_get(entry, "href");
	bool is_wanted =
	    href ? is_ok && pv_str_equal(pv_url_text(url), text_of(href))
		 : !is_ok;
	if (!is_wanted && json_object_get(entry, "unstable"))
		return tap_skip(input, "the standard has changed here");
	if (!ok(is_wanted, "reads %s", input))
		printf("#  found: %s\n# wanted: %s\n",
		    is_ok ? shown(pv_url_text(url), found, sizeof(found))
			  : "no address",
		    href ? json_string_value(href) : "no address");
}

static json_t *load(char *path, size_t size)
{
	const char *shared = getenv("PAVANE_SHARED");
	const char *source = getenv("srcdir");
	if (shared)
		snprintf(path, size, "%s/spec/url-cases.json", shared);
	else
		snprintf(path, size, "%s/../shared/spec/url-cases.json",
		    source ? source : ".");
	return json_load_file(path, JSON_ALLOW_NUL, NULL);
}

int main(void)
{
	char path[4096];
	struct pv_url url, base;
	json_t *cases = load(path, sizeof(path));
	if (!json_is_array(cases)) {
		printf("1..0 # SKIP no cases: %s is not there\n", path);
		return 0;
	}
	pv_url_init(&url, CEILING);
	pv_url_init(&base, CEILING);
	for (size_t i = 0; i < json_array_size(cases); i++)
		test_entry(&url, &base, json_array_get(cases, i));
	pv_url_finish(&base);
	pv_url_finish(&url);
	json_decref(cases);
	return tap_done();
}
