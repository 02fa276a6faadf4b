#include "policy/overview/limits.h"

#include "policy/loaded.h"
#include "policy/option.h"

/* P5: every ceiling can be looked up. */
static void test_limits(void)
{
	struct loaded loaded =
	    load_text("limits: {pages: 77}\nfetch: {max_size: none}\n");
	struct pv_buf text;
	pv_buf_init(&text, 1 << 20);
	pv_limits_write(loaded.policy, &text);
	for (size_t i = 0; i < pv_option_count; i++) {
		const struct pv_option *option = &pv_options[i];
		bool is_ceiling = (option->flags & PV_IS_CEILING) != 0;
		struct pv_buf line;
		pv_buf_init(&line, 256);
		pv_buf_append_format(&line, "\n%s ", option->path);
		ok(has_text(pv_buf_str(&text), pv_buf_text(&line)) ==
			is_ceiling,
		    "%s is %s ceiling", option->path,
		    is_ceiling ? "told, a" : "not told, no");
		pv_buf_finish(&line);
	}
	ok(has_text(pv_buf_str(&text), " 77  Stop after so many pages. "
				       "(policy.yaml:1)\n"),
	    "a ceiling has its value and its origin");
	ok(has_text(pv_buf_str(&text), " none  Larger bodies"),
	    "that there is none is told");
	ok(has_text(pv_buf_str(&text), "1048576  bytes of a policy's file"),
	    "what is built in is told too");
	pv_buf_finish(&text);
	loaded_finish(&loaded);
}

int main(void)
{
	test_limits();
	return tap_done();
}
