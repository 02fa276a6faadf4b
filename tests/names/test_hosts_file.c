#include "names/hosts_file.h"

#include "scratch.h"
#include "tap.h"

static const char text[] = "# the system's own\n"
			   "127.0.0.1\tlocalhost vm\n"
			   "::1 localhost\r\n"
			   "  192.0.2.1   Docs.Example.ORG   docs # a comment\n"
			   "192.0.2.2 docs.example.org. #192.0.2.9 docs\n"
			   "192.0.2.3#not.a.name\n"
			   "192.0.2.4\n"
			   "fe80::1%eth0 zone\n"
			   "not.an.address name\n"
			   "192.0.2.5 last";

static const struct {
	const char *host;
	const char *wanted; /* NULL: it is not there */
} cases[] = {
    {"localhost", "::1 127.0.0.1 "},
    {"vm", "127.0.0.1 "},
    {"docs.example.org", "192.0.2.2 192.0.2.1 "},
    {"docs.example.org.", "192.0.2.2 192.0.2.1 "},
    {"docs", "192.0.2.1 "},
    {"last", "192.0.2.5 "},
    {"a", NULL},
    {"comment", NULL},
    {"not.a.name", NULL},
    {"zone", NULL},
    {"name", NULL},
    {"not.an.address", NULL},
    {"", NULL},
};

static void on_address(void *ctx, const struct pv_address *address)
{
	struct pv_buf *buf = ctx;
	pv_address_write(address, buf);
	pv_buf_append_char(buf, ' ');
}

static void test_names(const struct pv_hosts_file *file)
{
	struct pv_buf found;
	pv_buf_init(&found, 4096);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		pv_buf_clear(&found);
		bool is_there = pv_hosts_file_each(
		    file, pv_str_of(cases[i].host), on_address, &found);
		ok(is_there == (cases[i].wanted != NULL),
		    "whether \"%s\" is there", cases[i].host);
		is_text(pv_buf_str(&found),
		    cases[i].wanted ? cases[i].wanted : "", "where \"%s\" is",
		    cases[i].host);
	}
	pv_buf_finish(&found);
}

int main(void)
{
	struct scratch scratch;
	struct pv_hosts_file file;
	ok(scratch_make(&scratch), "a directory");
	const char *path = scratch_file(&scratch, "hosts");
	FILE *stream = fopen(path, "w");
	ok(stream && fputs(text, stream) >= 0 && fclose(stream) == 0,
	    "a table of hosts");
	pv_hosts_file_init(&file, path);
	test_names(&file);
	pv_hosts_file_finish(&file);
	pv_hosts_file_init(&file, scratch_file(&scratch, "none"));
	ok(!pv_hosts_file_each(&file, PV_STR("vm"), on_address, NULL),
	    "a file that is not there names nobody");
	pv_hosts_file_finish(&file);
	pv_hosts_file_init(&file, scratch.path);
	ok(!pv_hosts_file_each(&file, PV_STR("vm"), on_address, NULL),
	    "nor does a directory");
	pv_hosts_file_finish(&file);
	pv_hosts_file_init(&file, NULL);
	ok(!pv_hosts_file_each(&file, PV_STR("vm"), on_address, NULL),
	    "nor does no path");
	pv_hosts_file_finish(&file);
	scratch_remove(&scratch);
	return tap_done();
}
