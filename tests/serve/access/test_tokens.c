#include "serve/access/tokens.h"

#include <sys/stat.h>

#include "scratch.h"
#include "tap.h"

/* The digests of "abc" and "". */
#define ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define NONE "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855"

static const struct {
	const char *text;
	uint32_t line;
	const char *problem;
} faults[] = {
    {"# x\n\na " ABC "\n", 3, "\"\" is no scope"},
    {"a " ABC " read,write\n", 1, "\"write\" is no scope"},
    {"a " ABC " read,\n", 1, "\"\" is no scope"},
    {"a " ABC " read submit\n", 1, "nothing is expected behind"},
    {"a abc read\n", 1, "expected the SHA-256"},
    {"a g" ABC " read\n", 1, "expected the SHA-256"},
    {"a", 1, "expected the SHA-256"},
    {"a:b " ABC " read", 1, "a name has"},
    {"a " ABC " read\na " NONE " read\n", 2, "another token with the name a"},
    {"a " ABC " read\nb " ABC " read\n", 2, "this is the token of a"},
};

static void test_faults(void)
{
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		struct pv_tokens tokens;
		struct pv_why why;
		pv_why_init(&why);
		pv_tokens_init(&tokens);
		bool is_read = pv_tokens_read(
		    &tokens, pv_str_of(faults[i].text), "file", &why);
		const struct pv_problem *problem = &why.problems.kept[0];
		ok(!is_read && why.problems.count == 1 &&
			problem->line == faults[i].line &&
			strcmp(problem->file, "file") == 0 &&
			strstr(problem->text, faults[i].problem),
		    "case %zu is a problem in its line", i);
		pv_tokens_finish(&tokens);
		pv_why_finish(&why);
	}
}

static void test_secret(void)
{
	struct pv_tokens tokens;
	struct pv_why why;
	pv_why_init(&why);
	pv_tokens_init(&tokens);
	pv_tokens_read(&tokens, PV_STR("a secret read\n"), "file", &why);
	ok(!strstr(why.problems.kept[0].text, "secret"),
	    "a token that stands there by mistake is not repeated");
	pv_tokens_finish(&tokens);
	pv_why_finish(&why);
}

static void test_tokens(void)
{
	struct pv_tokens tokens;
	struct pv_why why;
	pv_why_init(&why);
	pv_tokens_init(&tokens);
	ok(pv_tokens_read(&tokens,
	       PV_STR("# people\r\n \t\r\na  " ABC "\tread,submit\n"
		      "  b.c " NONE " control"),
	       "file", &why),
	    "names, digests and scopes are read");
	const struct pv_token *token = pv_tokens_find(&tokens, PV_STR("abc"));
	ok(token && strcmp(token->name, "a") == 0 &&
		token->scopes == (PV_SCOPE_READ | PV_SCOPE_SUBMIT),
	    "a token is known by its digest");
	token = pv_tokens_find(&tokens, PV_STR(""));
	ok(token && token->scopes == PV_SCOPE_CONTROL,
	    "which may be in capitals");
	ok(!pv_tokens_find(&tokens, PV_STR("abd")), "another one is not");
	is_text(pv_str_of(pv_scope_name(PV_SCOPE_SUBMIT)), "submit",
	    "a scope has a name");
	pv_tokens_finish(&tokens);
	pv_why_finish(&why);
}

static bool loads(const char *path, const char *problem)
{
	struct pv_tokens tokens;
	struct pv_why why;
	pv_why_init(&why);
	pv_tokens_init(&tokens);
	bool is_read = pv_tokens_load(&tokens, path, false, &why);
	bool is_told = !problem || strstr(why.problems.kept[0].text, problem);
	pv_tokens_finish(&tokens);
	pv_why_finish(&why);
	return problem ? !is_read && is_told : is_read;
}

static bool loads_credential(const char *path, const char *problem)
{
	struct pv_tokens tokens;
	struct pv_why why;
	pv_why_init(&why);
	pv_tokens_init(&tokens);
	bool is_read = pv_tokens_load(&tokens, path, true, &why);
	bool is_told = !problem || strstr(why.problems.kept[0].text, problem);
	pv_tokens_finish(&tokens);
	pv_why_finish(&why);
	return problem ? !is_read && is_told : is_read;
}

/* As systemd gives it to a service of another user: an access list of the file
 * names that user, which shows as rights of the group. */
static void test_credential(void)
{
	struct scratch scratch;
	char path[300];
	scratch_make(&scratch);
	snprintf(path, sizeof(path), "%s", scratch_file(&scratch, "tokens"));
	FILE *file = fopen(path, "w");
	fputs("a " ABC " read\n", file);
	fclose(file);
	chmod(path, 0400);
	ok(loads_credential(path, NULL), "a credential is read");
	chmod(path, 0444);
	ok(loads_credential(path, "chmod 600"),
	    "P7: one that all may read is not");
	chmod(path, 0440);
	if (geteuid() != 0) {
		tap_skip("one of root's that a group may read is", "not root");
		tap_skip("one of somebody else is not", "not root");
	} else {
		ok(loads_credential(path, NULL),
		    "one of root's that a group may read is");
		if (chown(path, 1, 1) != 0)
			abort();
		ok(loads_credential(path, "chmod 600"),
		    "one of somebody else is not");
	}
	scratch_remove(&scratch);
}

static void test_file(void)
{
	struct scratch scratch;
	char path[300];
	char wish[400];
	scratch_make(&scratch);
	snprintf(path, sizeof(path), "%s", scratch_file(&scratch, "tokens"));
	snprintf(wish, sizeof(wish), "run chmod 600 %s", path);
	FILE *file = fopen(path, "w");
	fputs("a " ABC " read\n", file);
	fclose(file);
	chmod(path, 0600);
	ok(loads(path, NULL), "a file is read");
	chmod(path, 0640);
	ok(loads(path, wish), "one that a group may read is refused, with "
			      "what to do");
	chmod(path, 0604);
	ok(loads(path, wish), "and so is one that others may");
	chmod(path, 0400);
	ok(loads(path, NULL), "it may be read-only");
	ok(loads(scratch.path, "run chmod 600") ||
		loads(scratch.path, "cannot be read"),
	    "a directory is none");
	scratch_remove(&scratch);
	ok(loads(path, "No such file"), "nor is one that is not there");
}

int main(void)
{
	test_faults();
	test_secret();
	test_tokens();
	test_file();
	test_credential();
	return tap_done();
}
