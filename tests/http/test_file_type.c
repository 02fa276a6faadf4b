#include "http/file_type.h"

#include "http/media_type.h"
#include "tap.h"

static const struct {
	const char *claim;
	const char *path;
	const char *type; /* the first; NULL: nothing is told */
} cases[] = {
    {"an image tells its type", "/a/b.png", "image/png"},
    {"in capitals too", "/B.JPeG", "image/jpeg"},
    {"a font", "/x.woff2", "font/woff2"},
    {"the last end counts", "/x.html.gz", "application/gzip"},
    {"the first of the table", "/a.7z", "application/x-7z-compressed"},
    {"the last of the table", "/a.zst", "application/zstd"},
    {"a program's is none", "/x.png.php", NULL},
    {"what may be anything is none", "/feed.xml", NULL},
    {"TypeScript is no video", "/a.ts", NULL},
    {"nor is a page", "/a.html", NULL},
    {"a directory has none", "/a.png/", NULL},
    {"only the last segment counts", "/a.png/b", NULL},
    {"a name that is nothing but an end has none", "/.png", NULL},
    {"a dot alone is none", "/a.", NULL},
    {"without a dot there is none", "/png", NULL},
    {"what begins so is none", "/a.pn", NULL},
    {"what goes on is none", "/a.pngx", NULL},
    {"a longer one is none", "/a.pngpngpng", NULL},
    {"percent signs are not read", "/a.pn%67", NULL},
    {"nothing tells nothing", "", NULL},
};

static void test_cases(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *const *types =
		    pv_file_types(pv_str_of(cases[i].path));
		is_text(pv_str_of(types ? types[0] : "(none)"),
		    cases[i].type ? cases[i].type : "(none)", "%s: %s",
		    cases[i].claim, cases[i].path);
	}
}

static bool are_types(const char *const *types)
{
	struct pv_media_type type;
	size_t count = 0;
	for (; types[count]; count++) {
		struct pv_str text = pv_str_of(types[count]);
		if (count + 1 == PV_FILE_TYPES_MAX ||
		    !pv_media_type_read(text, &type) ||
		    type.name.len != text.len)
			return false;
	}
	return count > 0;
}

static void test_table(void)
{
	const char *const *types;
	const char *last = "";
	const char *end;
	unsigned wrong = 0;
	size_t count = 0;
	while ((end = pv_file_types_at(count, &types))) {
		char path[16];
		snprintf(path, sizeof(path), "/a.%s", end);
		wrong += pv_file_types(pv_str_of(path)) != types ||
			 strcmp(last, end) >= 0 || !are_types(types);
		last = end;
		count++;
	}
	ok(count > 50 && wrong == 0,
	    "each of %zu ends is in its order, is found, and has types", count);
}

int main(void)
{
	test_cases();
	test_table();
	return tap_done();
}
