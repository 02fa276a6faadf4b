#include "parse/rel.h"

#include "tap.h"

static const struct {
	const char *words;
	struct pv_rel rel;
} rels[] = {
    {"", {.is_empty = true}},
    {" , ", {.is_empty = true}},
    {"author", {0}},
    {"canonical", {.is_page = true}},
    {"x,NEXT", {.is_page = true}},
    {"prev\tprerender", {.is_page = true}},
    {"alternate", {.is_page = true}},
    {"alternates", {0}},
    {"stylesheet", {.is_resource = true}},
    {"alternate\nStyleSheet", {.is_resource = true}},
    {"alternate icon", {.is_resource = true}},
    {"shortcut icon", {.is_resource = true}},
    {"preload", {.is_resource = true}},
    {"modulepreload nofollow", {.is_resource = true, .is_nofollow = true}},
    {"manifest", {.is_resource = true}},
    {"prefetch dns-prefetch", {.is_resource = true, .is_ahead = true}},
    {"prerender", {.is_resource = true, .is_ahead = true}},
    {"prefetch stylesheet", {.is_resource = true}},
    {"prefetch next", {.is_page = true}},
    {"dns-prefetch preconnect", {.is_hint = true}},
    {"preconnect author", {0}},
    {"pingback", {.is_hint = true}},
    {"nofollow", {.is_nofollow = true}},
    {"ugc", {.is_nofollow = true}},
    {"external Sponsored", {.is_nofollow = true}},
    {"ugcs unsponsored", {0}},
    {"next noFollow", {.is_page = true, .is_nofollow = true}},
};

static const struct {
	const char *words;
	const char *as;
	bool is_ahead;
	const char *target;
} kinds[] = {
    {"prefetch", "", false, "/assets/chunk.js?1"},
    {"prefetch", "", false, "a.woff2#x"},
    {"prefetch", "", true, "/a?b.js"},
    {"prefetch", "document", true, "/a.js"},
    {"prefetch", "", true, ""},
    {"prerender nofollow", "", true, ""},
    {"prefetch", "Document", true, ""},
    {"preload", "document", true, ""},
    {"prefetch", "script", false, ""},
    {"preload", "", false, ""},
    {"prefetch stylesheet", "", false, ""},
    {"stylesheet", "document", false, ""},
    {"icon preload", "document", false, ""},
    {"manifest", "document", false, ""},
    {"next", "", false, ""},
    {"alternate prefetch", "", false, ""},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(rels) / sizeof(*rels); i++) {
		const struct pv_rel *wanted = &rels[i].rel;
		struct pv_rel rel = pv_rel_read(pv_str_of(rels[i].words));
		ok(rel.is_page == wanted->is_page &&
			rel.is_resource == wanted->is_resource &&
			rel.is_ahead == wanted->is_ahead &&
			rel.is_hint == wanted->is_hint &&
			rel.is_empty == wanted->is_empty &&
			rel.is_nofollow == wanted->is_nofollow,
		    "\"%s\" %s", rels[i].words,
		    wanted->is_page       ? "leads to a page"
		    : wanted->is_resource ? "leads to a resource"
		    : wanted->is_hint     ? "leads nowhere"
					  : "says nothing of that");
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct pv_rel rel = pv_rel_read(pv_str_of(kinds[i].words));
		pv_rel_see(
		    &rel, pv_str_of(kinds[i].as), pv_str_of(kinds[i].target));
		ok(rel.is_ahead == kinds[i].is_ahead,
		    "\"%s\" as \"%s\" is %s page that is fetched ahead",
		    kinds[i].words, kinds[i].as,
		    kinds[i].is_ahead ? "a" : "no");
	}
	return tap_done();
}
