#include "policy/sources/seed_input.h"

#include <fcntl.h>

#include "policy/loaded.h"
#include "policy/scratch.h"
#include "policy/seed_walk.h"

#define POLICY "seeds:\n  - {file: \"-\", depth: 2, tag: listed}\n"
#define TWO "http://localhost/a\n# no\n\nhttp://localhost/b\n"

/* The standard input gets another file until it is given back. */
static int put_input(int file)
{
	int before = dup(STDIN_FILENO);
	dup2(file, STDIN_FILENO);
	close(file);
	return before;
}

static void give_back(int before)
{
	dup2(before, STDIN_FILENO);
	close(before);
}

/* As from a program before a `|`, which ends. */
static int pipe_of(const char *text)
{
	int ends[2];
	if (pipe(ends) != 0 || write(ends[1], text, strlen(text)) < 0)
		abort();
	close(ends[1]);
	return ends[0];
}

/* What a policy is when its input has that file; and no sooner than its seeds
 * are walked is anything else there. */
static struct loaded load_with(const struct pv_sources *sources, int input)
{
	int before = put_input(input);
	struct loaded loaded = load_sources(sources);
	give_back(before);
	return loaded;
}

/* Whether the seed stands for that many addresses, the last of which is that. */
static bool walks(const struct loaded *loaded, size_t count, const char *last)
{
	struct pv_seed_walk walk;
	bool is_last = !count;
	size_t number = 0;
	if (pv_seed_walk_open(&walk, &loaded->policy->seeds.items[0])) {
		while (pv_seed_walk_next(&walk) == PV_SEED_ADDRESS) {
			number++;
			is_last = pv_str_equal(
			    pv_buf_str(&walk.text), pv_str_of(last));
		}
	}
	pv_seed_walk_close(&walk);
	return number == count && is_last;
}

static void test_pipe(const struct pv_sources *sources)
{
	struct loaded loaded = load_with(sources, pipe_of(TWO));
	ok(is_right(&loaded), "a policy reads seeds from the standard input");
	ok(walks(&loaded, 2, "http://localhost/b"),
	    "which are a line each, without comments");
	ok(walks(&loaded, 2, "http://localhost/b"),
	    "and can be walked again, though a pipe is read only once");
	ok(loaded.policy->seeds.items[0].depth == 2 &&
		strcmp(loaded.policy->seeds.items[0].tag, "listed") == 0,
	    "depth and tag hold for all of them");
	ok(has_text(
	       effective_of(&loaded), "- {file: \"-\", depth: 2, tag: listed}"),
	    "the effective policy names the input, not where it is kept");
	loaded_finish(&loaded);
}

static void test_mistakes(const struct pv_sources *sources)
{
	struct loaded loaded =
	    load_with(sources, pipe_of("http://localhost/\nfoo\n"));
	ok(loaded.why.problems.count == 1 &&
		has_text(problem_of(&loaded, 0), "standard input:2:1: seeds: "
						 "foo: expected a whole"),
	    "a line that is no address is a mistake, with its number");
	loaded_finish(&loaded);
	loaded = load_with(sources, open("/", O_RDONLY));
	ok(loaded.why.problems.count == 1 &&
		has_text(problem_of(&loaded, 0),
		    "cannot copy the standard input: Is a directory"),
	    "what cannot be read is told");
	loaded_finish(&loaded);
}

static void test_terminal(const struct pv_sources *sources)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY);
	if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0)
		abort();
	struct loaded loaded =
	    load_with(sources, open(ptsname(terminal), O_RDONLY | O_NOCTTY));
	ok(loaded.why.problems.count == 1 &&
		has_text(problem_of(&loaded, 0),
		    ":2:5: seeds: the standard input is a terminal: give it "
		    "the addresses, for example with <seeds.txt"),
	    "a terminal is refused rather than waited for");
	loaded_finish(&loaded);
	close(terminal);
}

static void test_two(struct scratch *scratch)
{
	struct pv_sources sources = {.file = scratch_write(scratch, "two.yaml",
					 PV_STR(POLICY "  - {file: \"-\"}\n"))};
	struct loaded loaded = load_with(&sources, pipe_of(TWO));
	ok(loaded.why.problems.count == 1 &&
		has_text(problem_of(&loaded, 0),
		    ":3:5: seeds: the standard input can be only one"),
	    "only one seed can be the standard input");
	loaded_finish(&loaded);
	sources.file = "-";
	loaded = load_with(&sources, pipe_of(POLICY));
	ok(loaded.why.problems.count == 1 &&
		has_text(problem_of(&loaded, 0),
		    "standard input:2:5: seeds: the standard input is the "
		    "policy already"),
	    "and not if the policy comes from there");
	loaded_finish(&loaded);
}

/* Nothing here reads the standard input, of which another reader then has
 * all. */
static void test_copy(struct scratch *scratch, struct pv_sources *sources)
{
	struct loaded loaded;
	sources->input_of = scratch->dir;
	loaded = load_with(sources, pipe_of(TWO));
	ok(is_right(&loaded) && walks(&loaded, 0, ""),
	    "of a crawl that has copied nothing there are no addresses");
	loaded_finish(&loaded);
	scratch_write(scratch, PV_SEED_COPY, PV_STR("http://localhost/c\n"));
	loaded = load_with(sources, pipe_of(TWO));
	ok(is_right(&loaded) && walks(&loaded, 1, "http://localhost/c"),
	    "where a crawl has copied them, its copy is read");
	loaded_finish(&loaded);
	sources->input_of = "";
	loaded = load_with(sources, pipe_of(TWO));
	ok(is_right(&loaded) && walks(&loaded, 0, ""),
	    "who wants none has none");
	loaded_finish(&loaded);
	int before = put_input(pipe_of(TWO));
	loaded = load_text(POLICY);
	char byte = 0;
	ok(is_right(&loaded) && read(STDIN_FILENO, &byte, 1) == 1 &&
		byte == 'h',
	    "a policy that is a text reads nothing from anywhere");
	give_back(before);
	loaded_finish(&loaded);
}

int main(void)
{
	struct scratch scratch;
	char file[256];
	if (!scratch_open(&scratch)) {
		perror("mkdtemp");
		return 1;
	}
	snprintf(file, sizeof(file), "%s",
	    scratch_write(&scratch, "policy.yaml", PV_STR(POLICY)));
	struct pv_sources sources = {.file = file};
	test_pipe(&sources);
	test_mistakes(&sources);
	test_terminal(&sources);
	test_two(&scratch);
	test_copy(&scratch, &sources);
	scratch_close(&scratch);
	return tap_done();
}
