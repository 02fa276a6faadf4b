#include "cli/run/start_page.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/terminal/sheet.h"
#include "scratch.h"
#include "tap.h"

/* A tree of directories, which end in a slash, and files, made and removed. */

static void make(const struct scratch *scratch, const char *const *names)
{
	for (; *names; names++) {
		const char *path = scratch_file(scratch, *names);
		if ((*names)[strlen(*names) - 1] == '/')
			mkdir(path, 0777);
		else
			fclose(fopen(path, "w"));
	}
}

static void unmake(const struct scratch *scratch, const char *const *names)
{
	size_t count = 0;
	while (names[count])
		count++;
	while (count--)
		remove(scratch_file(scratch, names[count]));
}

static void is_found(const struct scratch *scratch, const char *address,
    const char *wanted, const char *claim)
{
	struct pv_start_page page;
	bool is_there = pv_start_page_find(&page, scratch->path, address);
	const char *path =
	    is_there ? page.path + strlen(scratch->path) + 1 : "";
	is_text(pv_str_of(path), wanted, "%s", claim);
}

static void test_one_host(const struct scratch *scratch)
{
	static const char *const names[] = {"site/", "site/.tmp",
	    "site/docs.example.org/", "site/docs.example.org/guide/",
	    "site/docs.example.org/guide/index.html", NULL};
	make(scratch, names);
	is_found(scratch, NULL, "site/docs.example.org/guide/index.html",
	    "the only index there is");
	unmake(scratch, names);
}

static void test_several_hosts(const struct scratch *scratch)
{
	static const char *const names[] = {"site/", "site/cdn.example.net/",
	    "site/docs.example.org^8080/",
	    "site/docs.example.org^8080/index.html",
	    "site/docs.example.org^8080/guide/",
	    "site/docs.example.org^8080/guide/page^.html",
	    "site/docs.example.org^8080/guide/other.html",
	    "site/docs.example.org^8080/guide/index^^.html",
	    "site/docs.example.org^8080/v1.2^/",
	    "site/docs.example.org^8080/v1.2^/index.html", NULL};
	make(scratch, names);
	is_found(
	    scratch, NULL, "site", "where several hosts are, it is not clear");
	is_found(scratch, "http://docs.example.org:8080",
	    "site/docs.example.org^8080/index.html",
	    "the start's host makes it clear");
	is_found(scratch, "http://me:secret@docs.example.org:8080/?a=/",
	    "site/docs.example.org^8080/index.html",
	    "whatever else its address holds");
	is_found(scratch, "http://docs.example.org:8080/guide/",
	    "site/docs.example.org^8080/guide",
	    "a path without an index is a directory");
	is_found(scratch, "http://docs.example.org:8080/guide/page",
	    "site/docs.example.org^8080/guide/page^.html",
	    "a page is found under the name it has as a file");
	is_found(scratch, "http://docs.example.org:8080/guide/other.html#x",
	    "site/docs.example.org^8080/guide/other.html",
	    "or under its own name");
	is_found(scratch, "http://docs.example.org:8080/guide/index.html",
	    "site/docs.example.org^8080/guide/index^^.html",
	    "or under that of an index that was asked for by its name");
	is_found(scratch, "http://docs.example.org:8080/v1.2/",
	    "site/docs.example.org^8080/v1.2^/index.html",
	    "a directory that looks like a file is found as well");
	is_found(scratch, "http://docs.example.org:8080/../../",
	    "site/docs.example.org^8080/index.html",
	    "no address leads out of the mirror");
	is_found(scratch, "http://../", "site", "nor does a host");
	is_found(scratch, "http://elsewhere.example.org/", "site",
	    "what is not there is not");
	unmake(scratch, names);
}

/* As the sink that keeps files names the directories of hosts. */
static void test_hosts(const struct scratch *scratch)
{
	static const char *const names[] = {"site/", "site/a.example/",
	    "site/a.example/x.html", "site/a.example^80/",
	    "site/a.example^80/x.html", "site/a.example^https8443/",
	    "site/a.example^https8443/x.html", "site/::1^8080/",
	    "site/::1^8080/x.html", NULL};
	static const char *const cases[][2] = {
	    {"https://a.example/x.html", "site/a.example/x.html"},
	    {"https://a.example:443/x.html", "site/a.example/x.html"},
	    {"https://a.example:8443/x.html",
		"site/a.example^https8443/x.html"},
	    {"http://a.example/x.html", "site/a.example^80/x.html"},
	    {"http://[::1]:8080/x.html", "site/::1^8080/x.html"},
	};
	make(scratch, names);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		is_found(scratch, cases[i][0], cases[i][1], cases[i][0]);
	unmake(scratch, names);
}

static void test_nothing(const struct scratch *scratch)
{
	static const char *const names[] = {"site/", "site/a.example/", NULL};
	make(scratch, names);
	is_found(scratch, "https://a.example/", "",
	    "where nothing was kept there is nothing to look at");
	unmake(scratch, names);
}

static void test_addresses(void)
{
	struct pv_sheet sheet;
	pv_sheet_open(&sheet);
	pv_file_address_write(sheet.file, "/no/such dir/\xc3\xa9%#?");
	pv_sheet_close(&sheet);
	is_text(pv_str_of(sheet.text), "file:///no/such%20dir/%C3%A9%25%23%3F",
	    "a path becomes an address");
	pv_sheet_finish(&sheet);
	pv_sheet_open(&sheet);
	pv_file_address_write(sheet.file, ".");
	pv_sheet_close(&sheet);
	ok(strncmp(sheet.text, "file:///", 8) == 0,
	    "a path from here becomes an absolute one");
	pv_sheet_finish(&sheet);
}

int main(void)
{
	struct scratch scratch;
	ok(scratch_make(&scratch), "there is a directory");
	is_found(&scratch, NULL, "", "where nothing was mirrored is no page");
	test_one_host(&scratch);
	test_several_hosts(&scratch);
	test_hosts(&scratch);
	test_nothing(&scratch);
	test_addresses();
	scratch_remove(&scratch);
	return tap_done();
}
