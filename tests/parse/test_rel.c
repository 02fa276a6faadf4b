#include "parse/rel.h"

#include "tap.h"

static const struct {
	const char *words;
	struct pv_rel rel;
} rels[] = {
    {"", {0}},
    {" , ", {0}},
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
    {"prefetch dns-prefetch", {.is_resource = true, .may_be_page = true}},
    {"prerender", {.is_resource = true, .may_be_page = true}},
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

int main(void)
{
	for (size_t i = 0; i < sizeof(rels) / sizeof(*rels); i++) {
		const struct pv_rel *wanted = &rels[i].rel;
		struct pv_rel rel = pv_rel_read(pv_str_of(rels[i].words));
		ok(rel.is_page == wanted->is_page &&
			rel.is_resource == wanted->is_resource &&
			rel.may_be_page == wanted->may_be_page &&
			rel.is_hint == wanted->is_hint &&
			rel.is_nofollow == wanted->is_nofollow,
		    "\"%s\" %s", rels[i].words,
		    wanted->is_page       ? "leads to a page"
		    : wanted->is_resource ? "leads to a resource"
		    : wanted->is_hint     ? "leads nowhere"
					  : "says nothing of that");
	}
	return tap_done();
}
