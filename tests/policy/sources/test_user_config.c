#include "policy/sources/user_config.h"

#include <sys/stat.h>
#include <unistd.h>

#include "policy/scratch.h"
#include "synced_names.h"
#include "tap.h"

static void test_dir(void)
{
	static const struct {
		const char *xdg;
		const char *home;
		const char *dir; /* NULL for none */
	} cases[] = {
	    {"/x", "/home/a", "/x/pavane"},
	    {NULL, "/home/a", "/home/a/.config/pavane"},
	    {"", "/home/a", "/home/a/.config/pavane"},
	    {"relative", "/home/a", "/home/a/.config/pavane"},
	    {"/x", NULL, "/x/pavane"},
	    {NULL, NULL, NULL},
	    {NULL, "", NULL},
	    {"relative", "relative", NULL},
	};
	struct pv_buf dir;
	pv_buf_init(&dir, 4096);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		pv_buf_clear(&dir);
		bool is_found =
		    pv_user_config_dir(cases[i].xdg, cases[i].home, &dir);
		ok(is_found == (cases[i].dir != NULL),
		    "environment %zu %s a directory", i,
		    cases[i].dir ? "names" : "does not name");
		is_text(pv_buf_str(&dir), cases[i].dir ? cases[i].dir : "",
		    "and the right one");
	}
	pv_buf_finish(&dir);
}

static void test_state_dir(void)
{
	struct pv_buf dir;
	pv_buf_init(&dir, 4096);
	pv_user_state_dir("/var/state", "/home/me", &dir);
	is_text(pv_buf_str(&dir), "/var/state/pavane",
	    "what crawls share is where XDG_STATE_HOME says");
	pv_buf_clear(&dir);
	pv_user_state_dir("relative", "/home/me", &dir);
	is_text(pv_buf_str(&dir), "/home/me/.local/state/pavane",
	    "or at home, where it says nothing that counts");
	ok(!pv_user_state_dir(NULL, NULL, &dir),
	    "and without either it is nowhere");
	pv_buf_finish(&dir);
}

/* What a configuration becomes when a contact is saved; NULL where nothing may
 * be changed. */
static const struct {
	const char *claim;
	const char *before; /* NULL if it is not there */
	const char *after;
} cases[] = {
    {"a missing file is made", NULL, "identity:\n  contact: me@host.example\n"},
    {"an empty file is filled", "", "identity:\n  contact: me@host.example\n"},
    {"other keys stay", "rate: {max_rate: 5}\n",
	"rate: {max_rate: 5}\nidentity:\n  contact: me@host.example\n"},
    {"so do comments", "# mine\nrate:\n  max_rate: 5 # slow\n\n",
	"# mine\nrate:\n  max_rate: 5 # slow\n\nidentity:\n"
	"  contact: me@host.example\n"},
    {"a last line without its end gets one", "rate: {max_rate: 5}",
	"rate: {max_rate: 5}\nidentity:\n  contact: me@host.example\n"},
    {"an identity gets a line",
	"identity: # me\n  agent: a/1\nrate: {max_rate: 5}\n",
	"identity: # me\n  contact: me@host.example\n  agent: a/1\n"
	"rate: {max_rate: 5}\n"},
    {"indented like its neighbours", "identity:\n      agent: a/1\n",
	"identity:\n      contact: me@host.example\n      agent: a/1\n"},
    {"lines end as they did", "rate: {max_rate: 5}\r\n",
	"rate: {max_rate: 5}\r\nidentity:\n  contact: me@host.example\n"},
    {"an identity in braces is left alone", "identity: {agent: a/1}\n", NULL},
    {"so is one in quotes", "\"identity\":\n  agent: a/1\n", NULL},
    {"so is one that has a contact", "identity:\n  contact: you@host.example\n",
	NULL},
    {"so is all that is in braces", "{rate: {max_rate: 5}}\n", NULL},
    {"so is a file that is wrong", "rate: {max_rate: 0}\n", NULL},
    {"so is one that is no YAML", "rate: [\n", NULL},
};

static void test_saving(struct scratch *scratch)
{
	struct pv_buf text;
	pv_buf_init(&text, 65536);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_why why;
		char dir[256];
		snprintf(dir, sizeof(dir), "%s", scratch->dir);
		unlink(scratch_path(scratch, "config.yaml"));
		if (cases[i].before)
			scratch_write(
			    scratch, "config.yaml", pv_str_of(cases[i].before));
		pv_why_init(&why);
		bool is_saved =
		    pv_user_config_save_contact(dir, "me@host.example", &why);
		ok(is_saved == (cases[i].after != NULL) &&
			is_saved != pv_why_has_problems(&why),
		    "%s: it is %s", cases[i].claim,
		    cases[i].after ? "done" : "told");
		pv_buf_clear(&text);
		scratch_read(scratch, "config.yaml", &text);
		is_text(pv_buf_str(&text),
		    cases[i].after ? cases[i].after : cases[i].before, "%s",
		    cases[i].claim);
		ok(scratch_count(scratch, "") == 1, "no other file is left");
		pv_why_finish(&why);
	}
	unlink(scratch_path(scratch, "config.yaml"));
	pv_buf_finish(&text);
}

static void test_contacts(struct scratch *scratch)
{
	static const struct {
		const char *contact;
		const char *line; /* NULL if it is refused */
	} contacts[] = {
	    {"mailto:me@host.example", "contact: me@host.example\n"},
	    {"https://host.example/bot", "contact: https://host.example/bot\n"},
	    {"https://host.example/#me", "contact: \"https://host.example/"
					 "#me\"\n"},
	    {"nonsense", NULL},
	    {"", NULL},
	    {"a@b.example\nrate: {max_rate: 1000}", NULL},
	    {"ftp://host.example/", NULL},
	};
	for (size_t i = 0; i < sizeof(contacts) / sizeof(*contacts); i++) {
		struct pv_why why;
		struct pv_buf text;
		pv_why_init(&why);
		pv_buf_init(&text, 65536);
		unlink(scratch_path(scratch, "config.yaml"));
		bool is_saved = pv_user_config_save_contact(
		    scratch->dir, contacts[i].contact, &why);
		scratch_read(scratch, "config.yaml", &text);
		ok(is_saved == (contacts[i].line != NULL), "contact %zu is %s",
		    i, is_saved ? "saved" : "refused");
		ok(contacts[i].line ? pv_str_ends(pv_buf_str(&text),
					  pv_str_of(contacts[i].line))
				    : !text.len,
		    "as it must be");
		pv_buf_finish(&text);
		pv_why_finish(&why);
	}
	unlink(scratch_path(scratch, "config.yaml"));
}

/* What a configuration names is found from its own directory. */
static void test_files(struct scratch *scratch)
{
	struct pv_why why;
	pv_why_init(&why);
	scratch_write(scratch, "ca.pem", PV_STR("x"));
	scratch_write(
	    scratch, "config.yaml", PV_STR("fetch: {tls: {ca: ca.pem}}\n"));
	ok(pv_user_config_save_contact(scratch->dir, "me@host.example", &why),
	    "a configuration that names a file beside it takes a contact");
	unlink(scratch_path(scratch, "ca.pem"));
	unlink(scratch_path(scratch, "config.yaml"));
	pv_why_finish(&why);
}

/* Who keeps a configuration elsewhere and links to it keeps doing so, and who
 * let others read it does too. */
static void test_links(struct scratch *scratch)
{
	struct pv_why why;
	struct stat info;
	struct pv_buf text;
	char target[256];
	pv_why_init(&why);
	pv_buf_init(&text, 65536);
	snprintf(target, sizeof(target), "%s",
	    scratch_write(scratch, "mine.yaml", PV_STR("# mine\n")));
	ok(chmod(target, 0644) == 0 &&
		symlink(target, scratch_path(scratch, "config.yaml")) == 0,
	    "a configuration may be a link");
	ok(pv_user_config_save_contact(scratch->dir, "me@host.example", &why),
	    "a contact is saved");
	ok(lstat(scratch_path(scratch, "config.yaml"), &info) == 0 &&
		S_ISLNK(info.st_mode),
	    "the link stays a link");
	scratch_read(scratch, "mine.yaml", &text);
	ok(pv_str_starts(pv_buf_str(&text), PV_STR("# mine\nidentity:")),
	    "and what it leads to has the line");
	ok(stat(target, &info) == 0 && (info.st_mode & 07777) == 0644,
	    "with its permissions");
	unlink(scratch_path(scratch, "config.yaml"));
	unlink(scratch_path(scratch, "mine.yaml"));
	pv_buf_finish(&text);
	pv_why_finish(&why);
}

static void test_directories(struct scratch *scratch)
{
	struct pv_why why;
	struct stat info;
	char dir[256];
	pv_why_init(&why);
	snprintf(dir, sizeof(dir), "%s/a/pavane", scratch->dir);
	ok(pv_user_config_save_contact(dir, "me@host.example", &why) &&
		scratch_count(scratch, "a/pavane") == 1,
	    "directories that are missing are made");
	ok(stat(dir, &info) == 0 && (info.st_mode & 07777) == 0700,
	    "for nobody else to look into");
	scratch_write(scratch, "file", PV_STR("x"));
	snprintf(dir, sizeof(dir), "%s/file/pavane", scratch->dir);
	ok(!pv_user_config_save_contact(dir, "me@host.example", &why) &&
		why.problems.count == 1,
	    "that one cannot be made is told");
	pv_why_finish(&why);
}

/* P3, for what a person has said. */
static void test_power_cut(struct scratch *scratch)
{
	char dir[4096];
	struct pv_why why;
	pv_why_init(&why);
	snprintf(dir, sizeof(dir), "%s/cut", scratch->dir);
	mkdir(dir, 0700);
	unsigned before = synced_names.syncs, files = synced_names.files;
	ok(pv_user_config_save_contact(dir, "me@host.example", &why) &&
		synced_names.syncs == before + 1 && synced_names.files > files,
	    "the name of what is saved is put on the disk");
	synced_names.error = EIO;
	ok(!pv_user_config_save_contact(dir, "you@host.example", &why) &&
		why.problems.count == 1,
	    "that this fails is told");
	synced_names.error = 0;
	pv_why_finish(&why);
}

int main(void)
{
	struct scratch scratch;
	if (!scratch_open(&scratch)) {
		perror("mkdtemp");
		return 1;
	}
	test_dir();
	test_state_dir();
	test_saving(&scratch);
	test_contacts(&scratch);
	test_files(&scratch);
	test_links(&scratch);
	test_directories(&scratch);
	test_power_cut(&scratch);
	scratch_close(&scratch);
	return tap_done();
}
