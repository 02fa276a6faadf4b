#include "base/glob.h"

#include "base/arena.h"
#include "tap.h"

static const struct {
	const char *glob;
	const char *text;
	bool is_match;
} matches[] = {
    {"", "", true},
    {"", "a", false},
    {"a", "", false},
    {"/logout", "/logout", true},
    {"/logout", "/logout/", false},
    {"/logout", "/Logout", false},
    {"*", "", true},
    {"*", "/a/b", true},
    {"**", "", true},
    {"/logout*", "/logout", true},
    {"/logout*", "/logout/now", true},
    {"/logout*", "/a/logout", false},
    {"*/print", "/a/b/print", true},
    {"*/print", "/print", true},
    {"*/print", "print", false},
    {"*/print", "/a/print/b", false},
    {"/a/*/c", "/a/b/c", true},
    {"/a/*/c", "/a/b/b/c", true},
    {"/a/*/c", "/a//c", true},
    {"/a/*/c", "/a/c", false},
    {"aba*aba", "aba", false},
    {"aba*aba", "ababa", false},
    {"aba*aba", "abaaba", true},
    {"*ab*ab*", "ab", false},
    {"*ab*ab*", "aabab", true},
    {"*a*b*c*", "xcxbxaxbxcx", true},
    {"*a*b*c", "abcabd", false},
    {"*a*b*c", "abcabdc", true},
    {"a*b*", "ac", false},
    {"utm_*", "utm_", true},
    {"utm_*", "utm_source", true},
    {"utm_*", "utm", false},
    {"a?c", "abc", false},
    {"a?c", "a?c", true},
    {"[ab]", "a", false},
    {"[ab]", "[ab]", true},
    {"\\*", "\\anything", true},
    {"\\*", "*", false},
};

static void test_matching(void)
{
	for (size_t i = 0; i < sizeof(matches) / sizeof(*matches); i++)
		ok(pv_glob_match(pv_str_of(matches[i].glob),
		       pv_str_of(matches[i].text)) == matches[i].is_match,
		    "\"%s\" %s \"%s\"", matches[i].glob,
		    matches[i].is_match ? "matches" : "does not match",
		    matches[i].text);
	struct pv_str none = {NULL, 0};
	ok(pv_glob_match(none, none), "no glob is an empty one");
	ok(pv_glob_match(PV_STR("*"), none), "and no text an empty one");
	ok(!pv_glob_match(PV_STR("a*"), none), "in which nothing stands");
	ok(pv_glob_match(PV_STR("a*c"), PV_STR("a\0c")),
	    "a NUL is a byte like others");
}

/* A matcher that goes back to its last star would need a billion steps for
 * each of these, one that goes back to all of them more than anybody has. */
static void test_costs(struct pv_arena *arena)
{
	enum { LEN = 65536 };
	char *text = pv_arena_give(arena, LEN);
	char *glob = pv_arena_give(arena, LEN);
	memset(text, 'a', LEN);
	memset(glob, 'a', LEN);
	for (size_t i = 0; i < LEN; i += 2)
		glob[i] = '*';
	struct pv_str whole = {text, LEN};
	ok(pv_glob_match((struct pv_str){glob, LEN}, whole),
	    "P5: 32,768 stars cost no more than the text is long");
	glob[LEN - 1] = 'b';
	ok(!pv_glob_match((struct pv_str){glob, LEN}, whole),
	    "also where nothing matches");
	memset(glob, 'a', LEN / 2);
	glob[0] = '*';
	glob[LEN / 2 - 2] = 'b';
	glob[LEN / 2 - 1] = '*';
	int found = 0;
	for (int i = 0; i < 1000; i++)
		found += pv_glob_match((struct pv_str){glob, LEN / 2}, whole);
	ok(found == 0, "P5: nor does a long piece that almost fits everywhere");
}

int main(void)
{
	struct pv_arena arena;
	pv_arena_init(&arena);
	test_matching();
	test_costs(&arena);
	pv_arena_finish(&arena);
	return tap_done();
}
