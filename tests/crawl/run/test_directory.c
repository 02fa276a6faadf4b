#include "crawl/run/directory.h"

#include <errno.h>
#include <limits.h>

#include "crawl/conductor.h"
#include "policy/loaded.h"
#include "policy/scratch.h"

/* A crawl of which there is but a policy, a directory and a store. */
struct scene {
	struct scratch scratch;
	struct loaded loaded;
	struct pv_crawl crawl;
	struct pv_why why;
	char directory[PATH_MAX + 64]; /* as long as scratch_path gives it */
};

static void open_scene(struct scene *scene, const char *name)
{
	memset(scene, 0, sizeof(*scene));
	scratch_open(&scene->scratch);
	snprintf(scene->directory, sizeof(scene->directory), "%s",
	    scratch_path(&scene->scratch, name));
	scene->crawl.directory = scene->directory;
	pv_why_init(&scene->why);
}

static void open_store(struct scene *scene)
{
	struct pv_store_options options = {
	    .directory = scene->directory,
	    .cache_bytes = 1 << 20,
	    .count_ceiling = 100,
	    .bytes_ceiling = 1 << 20,
	};
	scene->crawl.store = pv_store_open(&options, &scene->why);
}

static void close_store(struct scene *scene)
{
	pv_store_close(scene->crawl.store);
	scene->crawl.store = NULL;
}

static void load(struct scene *scene, const char *text)
{
	loaded_finish(&scene->loaded);
	scene->loaded = load_text(text);
	ok(is_right(&scene->loaded), "a policy is right");
	scene->crawl.policy = scene->loaded.policy;
	scene->crawl.control.settings.given = scene->loaded.policy;
}

static void close_scene(struct scene *scene)
{
	close_store(scene);
	loaded_finish(&scene->loaded);
	pv_why_finish(&scene->why);
	scratch_close(&scene->scratch);
}

static bool make(struct scene *scene)
{
	return pv_directory_make(&scene->crawl, &scene->why);
}

static bool describe(struct scene *scene)
{
	return pv_directory_has_secrets(&scene->crawl, &scene->why) &&
	       pv_directory_describe(&scene->crawl, &scene->why);
}

/* Whether there is one problem, of which that is a part. */
static bool has_problem(const struct scene *scene, const char *part)
{
	return scene->why.problems.count == 1 &&
	       strstr(scene->why.problems.kept[0].text, part);
}

static bool is_there(struct scene *scene, const char *name)
{
	struct stat facts;
	return lstat(scratch_path(&scene->scratch, name), &facts) == 0;
}

static bool is_link(struct scene *scene, const char *name)
{
	struct stat facts;
	return lstat(scratch_path(&scene->scratch, name), &facts) == 0 &&
	       S_ISLNK(facts.st_mode);
}

static void write_file(struct scene *scene, const char *name)
{
	scratch_write(&scene->scratch, name, PV_STR("dear\n"));
}

static void make_directory(struct scene *scene, const char *name)
{
	mkdir(scratch_path(&scene->scratch, name), 0777);
}

/* A link to something in the scratch directory. */
static void make_link(struct scene *scene, const char *to, const char *name)
{
	char target[PATH_MAX];
	snprintf(
	    target, sizeof(target), "%s", scratch_path(&scene->scratch, to));
	(void)!symlink(target, scratch_path(&scene->scratch, name));
}

/* Making */

static void test_make(void)
{
	static const char *const names[] = {
	    "a", "b/c/d", "e//f/", "./g/../h", "i/"};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct scene scene;
		struct stat facts;
		open_scene(&scene, names[i]);
		if (i == 3)
			make_directory(&scene, "g");
		ok(make(&scene) && stat(scene.directory, &facts) == 0 &&
			S_ISDIR(facts.st_mode),
		    "a directory is made with all above it: %s", names[i]);
		ok(make(&scene) && !scene.why.problems.count,
		    "and is good if it is there");
		close_scene(&scene);
	}
}

static void test_make_in_vain(void)
{
	struct scene scene;
	open_scene(&scene, "file/below");
	write_file(&scene, "file");
	ok(!make(&scene) && has_problem(&scene, "cannot be created"),
	    "below a file there are no directories, which is told");
	close_scene(&scene);
	open_scene(&scene, "a");
	scene.crawl.directory = "";
	ok(!make(&scene) && has_problem(&scene, "cannot be created"),
	    "nor is there one without a name");
	close_scene(&scene);
}

/* Fresh */

static const char *const ours[] = {"d/site", "d/journal.jsonl", "d/policy.yaml",
    "d/state.db", "d/state.db-wal", "d/state.db-shm"};

static void write_crawl(struct scene *scene)
{
	make_directory(scene, "d");
	make_directory(scene, "d/site");
	make_directory(scene, "d/site/a.example");
	make_directory(scene, "d/site/a.example/deep");
	write_file(scene, "d/site/a.example/deep/index.html");
	write_file(scene, "d/site/a.example/index.html");
	for (size_t i = 1; i < sizeof(ours) / sizeof(*ours); i++)
		write_file(scene, ours[i]);
	write_file(scene, "d/notes.txt");
	make_directory(scene, "d/more");
	write_file(scene, "d/more/site");
	write_file(scene, "beside.txt");
}

static size_t count_ours(struct scene *scene)
{
	size_t count = 0;
	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		count += is_there(scene, ours[i]);
	return count;
}

static void test_fresh(void)
{
	struct scene scene;
	open_scene(&scene, "d");
	write_crawl(&scene);
	ok(make(&scene) && count_ours(&scene) == 6,
	    "P3: nothing is thrown away unless somebody asks for it");
	scene.crawl.options.is_fresh = true;
	ok(make(&scene) && count_ours(&scene) == 0,
	    "what a crawl had left is thrown away");
	ok(is_there(&scene, "d/notes.txt") && is_there(&scene, "d/more/site") &&
		is_there(&scene, "beside.txt"),
	    "and nothing else");
	ok(make(&scene) && !scene.why.problems.count,
	    "there need not be anything");
	close_scene(&scene);
}

static void test_links(void)
{
	struct scene scene;
	open_scene(&scene, "d");
	make_directory(&scene, "d");
	make_directory(&scene, "out");
	write_file(&scene, "out/dear.txt");
	make_directory(&scene, "d/site");
	make_link(&scene, "out", "d/site/link");
	make_link(&scene, "out/dear.txt", "d/journal.jsonl");
	make_link(&scene, "out/dear.txt", "d/state.db");
	scene.crawl.options.is_fresh = true;
	ok(make(&scene) && count_ours(&scene) == 0,
	    "links are thrown away as well");
	ok(is_there(&scene, "out/dear.txt"), "P5: but not what they lead to");
	make_link(&scene, "out", "d/site");
	ok(make(&scene) && !is_there(&scene, "d/site") &&
		is_there(&scene, "out/dear.txt"),
	    "nor if all of it was a link");
	close_scene(&scene);
}

static void test_cut_short(void)
{
	struct scene scene;
	open_scene(&scene, "d");
	write_crawl(&scene);
	unlink(scratch_path(&scene.scratch, "d/state.db"));
	write_file(&scene, "d/state.db.gone");
	unlink(scratch_path(&scene.scratch, "d/policy.yaml"));
	ok(make(&scene) && count_ours(&scene) == 0 &&
		!is_there(&scene, "d/state.db.gone"),
	    "P3: what was being thrown away when a process ended is, before "
	    "anything begins");
	close_scene(&scene);
}

static void test_held(void)
{
	struct scene scene;
	struct pv_lock lock;
	open_scene(&scene, "d");
	write_crawl(&scene);
	pv_lock_take(&lock, scene.directory, &scene.why);
	scene.crawl.options.is_fresh = true;
	ok(!make(&scene) && has_problem(&scene, "is at work") &&
		count_ours(&scene) == 6,
	    "P3: while somebody is at work there nothing is thrown away");
	pv_lock_give(&lock);
	close_scene(&scene);
}

/* policy.yaml */

#define POLICY                                                      \
	"name: docs\n"                                              \
	"seeds:\n"                                                  \
	"  - http://localhost/\n"                                   \
	"  - {url: \"http://localhost/{a,b}\", depth: 1, tag: x}\n" \
	"rate: {max_rate: 7}\n"                                     \
	"domains:\n"                                                \
	"  localhost: {delay: 3s}\n"                                \
	"scope: {rules: [{deny: {path: \"/no*\"}}]}\n"

#define SECRETS                                   \
	"fetch:\n"                                \
	"  headers:\n"                            \
	"    Accept-Language: en\n"               \
	"    Authorization: Bearer do-not-tell\n" \
	"    X-Api-Key: do-not-tell\n"            \
	"    Cookie: a=do-not-tell\n"

static struct pv_str read_policy(struct scene *scene, struct pv_buf *text)
{
	pv_buf_init(text, 1 << 24);
	if (!scratch_read(&scene->scratch, "d/policy.yaml", text))
		ok(false, "there is a policy.yaml");
	return pv_buf_str(text);
}

static unsigned mode_of(struct scene *scene, const char *name)
{
	struct stat facts = {0};
	lstat(scratch_path(&scene->scratch, name), &facts);
	return (unsigned)facts.st_mode & 07777;
}

static void open_described(struct scene *scene, const char *text)
{
	open_scene(scene, "d");
	load(scene, text);
	make(scene);
	open_store(scene);
}

static void test_describe(void)
{
	struct scene scene;
	struct pv_buf text;
	mode_t before = umask(0);
	open_described(&scene, POLICY);
	ok(describe(&scene) && !scene.why.problems.count,
	    "a policy is written into the directory");
	ok(mode_of(&scene, "d/policy.yaml") == 0600, "P7: for nobody else");
	struct pv_str written = read_policy(&scene, &text);
	ok(pv_str_equal(written, effective_of(&scene.loaded)),
	    "with every default");
	struct loaded again = load_str(written);
	ok(is_right(&again) && pv_str_equal(written, effective_of(&again)),
	    "P3: and is the same policy when it is read again");
	loaded_finish(&again);
	pv_buf_finish(&text);
	load(&scene, "seeds: [http://localhost/other]\n");
	ok(describe(&scene), "the next run's is written over it");
	written = read_policy(&scene, &text);
	ok(has_text(written, "localhost/other") && !has_text(written, "docs"),
	    "whole");
	ok(!is_there(&scene, "d/policy.yaml.new"), "and nothing is left over");
	pv_buf_finish(&text);
	close_scene(&scene);
	umask(before);
}

static void test_secrets(void)
{
	struct scene scene;
	struct pv_buf text;
	open_described(&scene, POLICY SECRETS);
	ok(describe(&scene), "a policy with secrets is described");
	struct pv_str written = read_policy(&scene, &text);
	ok(!has_text(written, "do-not-tell") &&
		!has_text(written, "Authorization") &&
		!has_text(written, "Cookie"),
	    "P7: without them");
	ok(has_text(written, "Accept-Language"), "but with all else");
	ok(scene.crawl.policy->fetch.headers.count == 4,
	    "the crawl's own policy keeps them");
	struct loaded again = load_str(written);
	ok(is_right(&again) && pv_str_equal(written, effective_of(&again)) &&
		again.policy->fetch.headers.count == 1,
	    "and it can be read again");
	scene.crawl.policy = again.policy;
	scene.crawl.control.settings.given = again.policy;
	close_store(&scene);
	open_store(&scene);
	ok(!describe(&scene) && has_problem(&scene, "run it with the policy"),
	    "P7: who goes on without its secrets is refused, with advice");
	ok(!has_text(pv_str_of(scene.why.problems.kept[0].text), "do-not-tell"),
	    "which does not tell them either");
	pv_why_finish(&scene.why);
	pv_why_init(&scene.why);
	scene.crawl.policy = scene.loaded.policy;
	scene.crawl.control.settings.given = scene.loaded.policy;
	ok(describe(&scene), "with them it goes on");
	loaded_finish(&again);
	pv_buf_finish(&text);
	close_scene(&scene);
}

/* Without secrets from the start there is nothing to be missed. */
static void test_no_secrets(void)
{
	struct scene scene;
	open_described(&scene, POLICY);
	describe(&scene);
	ok(describe(&scene) && !scene.why.problems.count,
	    "a crawl that had no secrets goes on without");
	load(&scene, POLICY SECRETS);
	ok(describe(&scene), "and may get some");
	close_scene(&scene);
}

static void test_planted(void)
{
	struct scene scene;
	struct pv_buf text;
	mode_t before = umask(0);
	open_described(&scene, POLICY);
	make_directory(&scene, "out");
	write_file(&scene, "out/dear.txt");
	make_link(&scene, "out/dear.txt", "d/policy.yaml.new");
	ok(describe(&scene),
	    "a link that somebody planted beside it is no obstacle");
	pv_buf_init(&text, 1 << 20);
	scratch_read(&scene.scratch, "out/dear.txt", &text);
	is_text(pv_buf_str(&text), "dear\n",
	    "P5: and nothing is written where they lead");
	scratch_write(&scene.scratch, "d/policy.yaml.new", PV_STR("open"));
	ok(describe(&scene) && mode_of(&scene, "d/policy.yaml") == 0600,
	    "P7: nor does a file that was open to all make it so");
	mkfifo(scratch_path(&scene.scratch, "d/policy.yaml.new"), 0666);
	ok(describe(&scene), "P6: and a pipe does not hold it up");
	pv_buf_finish(&text);
	close_scene(&scene);
	umask(before);
}

/* Nor are they followed, as those of no other file of a crawl are. */
static void test_symbolic_link(const char *name, const char *told)
{
	struct scene scene;
	struct pv_buf text;
	open_described(&scene, POLICY);
	make_directory(&scene, "out");
	write_file(&scene, "out/dear.txt");
	make_link(&scene, "out/dear.txt", name);
	ok(!describe(&scene) && has_problem(&scene, told),
	    "P4: a symbolic link at %s is refused, with what to do", name);
	pv_buf_init(&text, 1 << 20);
	scratch_read(&scene.scratch, "out/dear.txt", &text);
	is_text(pv_buf_str(&text), "dear\n",
	    "P5: and nothing is written where it leads");
	ok(is_link(&scene, name), "it stays as it is");
	unlink(scratch_path(&scene.scratch, name));
	pv_why_finish(&scene.why);
	pv_why_init(&scene.why);
	ok(describe(&scene), "without it the crawl goes on");
	pv_buf_finish(&text);
	close_scene(&scene);
}

/* What stands above the file is its owner's choice. */
static void test_linked_directory(void)
{
	struct scene scene;
	open_scene(&scene, "link/d");
	load(&scene, POLICY);
	make_directory(&scene, "real");
	make_link(&scene, "real", "link");
	make(&scene);
	open_store(&scene);
	ok(describe(&scene) && is_there(&scene, "real/d/policy.yaml"),
	    "a directory that a link leads to is as good as any");
	close_scene(&scene);
}

static void test_in_the_way(void)
{
	struct scene scene;
	open_described(&scene, POLICY);
	make_directory(&scene, "d/policy.yaml");
	ok(!describe(&scene) && has_problem(&scene, "cannot write"),
	    "what cannot be written is told");
	close_scene(&scene);
}

/* A policy names files as seen from where it lies, or from where we are; its
 * description lies elsewhere. */
static void test_files(void)
{
	struct scene scene;
	struct pv_buf text;
	char here[PATH_MAX];
	open_scene(&scene, "d");
	make_directory(&scene, "d");
	make_directory(&scene, "p");
	scratch_write(
	    &scene.scratch, "p/seeds.txt", PV_STR("http://localhost/\n"));
	scratch_write(&scene.scratch, "p/ca.pem", PV_STR("x\n"));
	scratch_write(&scene.scratch, "p/policy.yaml",
	    PV_STR("seeds: [{file: seeds.txt}]\n"
		   "fetch: {tls: {ca: ca.pem}}\n"
		   "domains: {localhost: {tls: {ca: ca.pem}}}\n"));
	if (!getcwd(here, sizeof(here)) || chdir(scene.scratch.dir) != 0)
		ok(false, "there is somewhere to go");
	scene.loaded =
	    load_sources(&(struct pv_sources){.file = "p/policy.yaml"});
	ok(is_right(&scene.loaded), "a policy that names files is right");
	scene.crawl.policy = scene.loaded.policy;
	scene.crawl.control.settings.given = scene.loaded.policy;
	open_store(&scene);
	ok(describe(&scene), "and is described");
	ok(chdir(here) == 0, "we go elsewhere");
	read_policy(&scene, &text);
	struct loaded again = load_sources(&(struct pv_sources){
	    .file = scratch_path(&scene.scratch, "d/policy.yaml")});
	ok(is_right(&again), "P3: the files are found from its directory too");
	loaded_finish(&again);
	pv_buf_finish(&text);
	close_scene(&scene);
}

/* What a policy says in confidence. */
static void test_credentials(void)
{
	struct scene scene;
	open_scene(&scene, "d");
	load(&scene, "version: 1\n"
		     "seeds: [\"http://me:w0rd@127.0.0.1/a/{1..9}\", "
		     "{sitemap: \"http://127.0.0.1:80/s\", tag: t}]\n"
		     "fetch: {proxy: \"http://you:w0rd@127.0.0.1:3128\"}\n");
	struct pv_buf text = pv_directory_policy_text(&scene.crawl, scene.crawl.policy);
	ok(!strstr(pv_buf_text(&text), "w0rd") &&
		!strstr(pv_buf_text(&text), "you"),
	    "P7: policy.yaml has no credentials");
	ok(strstr(pv_buf_text(&text), "http://127.0.0.1/a/{1..9}") &&
		strstr(pv_buf_text(&text), "http://127.0.0.1:80/s") &&
		strstr(pv_buf_text(&text), "proxy: http://127.0.0.1:3128"),
	    "but all else");
	pv_buf_finish(&text);
	close_scene(&scene);
}

int main(void)
{
	test_make();
	test_make_in_vain();
	test_fresh();
	test_cut_short();
	test_links();
	test_held();
	test_describe();
	test_secrets();
	test_no_secrets();
	test_planted();
	test_symbolic_link(
	    "d/policy.yaml", "policy.yaml is a symbolic link, which is not");
	test_symbolic_link(
	    "d/secrets", "secrets is a symbolic link, which is not");
	test_linked_directory();
	test_in_the_way();
	test_files();
	test_credentials();
	return tap_done();
}
