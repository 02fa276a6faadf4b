#include <stdint.h>
#include <stdlib.h>

#include "policy/effective.h"
#include "policy/sources/load.h"

/* Loads a policy. Of a right one must hold: written out with all its defaults
 * it is right as well, and writes the same text again. */

#define CEILING ((size_t)64 * 1024 * 1024)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

/* Whether the policy is right; if so, all of it is appended. */
static bool load(const char *name, struct pv_str text, struct pv_buf *effective)
{
	struct pv_why why;
	pv_why_init(&why);
	struct pv_policy *policy = pv_policy_load_text(name, text, &why);
	bool is_right = !pv_why_has_problems(&why);
	require(policy != NULL);
	if (is_right)
		pv_effective_write(policy, effective);
	pv_policy_destroy(policy);
	pv_why_finish(&why);
	return is_right;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_str text = {(const char *)data, size};
	struct pv_buf once;
	struct pv_buf twice;
	pv_buf_init(&once, CEILING);
	pv_buf_init(&twice, CEILING);
	if (load("policy.yaml", text, &once)) {
		require(!once.is_full);
		require(load("effective.yaml", pv_buf_str(&once), &twice));
		require(pv_str_equal(pv_buf_str(&once), pv_buf_str(&twice)));
	}
	pv_buf_finish(&twice);
	pv_buf_finish(&once);
	return 0;
}
