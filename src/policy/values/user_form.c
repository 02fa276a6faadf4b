#include "policy/values/user_form.h"

#include "base/ascii.h"
#include "base/reader.h"

#define FORMS                                                      \
	"expected NAME:PASSWORD, or one of basic, bearer and netrc with "   \
	"${VARIABLE} or a file behind it"

static bool is_variable_byte(int byte)
{
	return pv_is_alnum(byte) || byte == '_';
}

/* "${NAME}": the name; empty where it is something else. */
static struct pv_str variable_in(struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	struct pv_str name = {"", 0};
	if (pv_reader_accept_str(&reader, PV_STR("${")))
		name = pv_reader_take_while(&reader, is_variable_byte);
	bool is_whole =
	    pv_reader_accept(&reader, '}') && pv_reader_is_end(&reader);
	return is_whole ? name : PV_STR("");
}

static const char *read_source(struct pv_str text, struct pv_user_form *form)
{
	form->variable = variable_in(text);
	if (form->variable.len)
		return NULL;
	if (pv_str_find(text, '/') == PV_NOT_FOUND)
		return "what is secret is not written here: put it into a "
		       "variable of the environment, ${NAME}, or into a file, "
		       "whose path has a slash: ./FILE";
	form->file = text;
	return NULL;
}

static const char *read_pair(struct pv_str text, struct pv_user_form *form)
{
	size_t colon = pv_str_find(text, ':');
	if (colon == PV_NOT_FOUND || colon == 0)
		return FORMS;
	for (size_t i = 0; i < text.len; i++) {
		if (pv_is_control((unsigned char)text.ptr[i]))
			return "a name and a password have no control "
			       "characters";
	}
	form->name = pv_str_head(text, colon);
	form->variable = variable_in(pv_str_from(text, colon + 1));
	if (form->variable.len)
		return NULL;
	form->password = pv_str_from(text, colon + 1);
	return form->password.len ? NULL : "the password is missing";
}

const char *pv_user_form_read(struct pv_str text, struct pv_user_form *form)
{
	static const struct {
		struct pv_str word;
		enum pv_user_kind kind;
	} kinds[] = {
	    {PV_STR("basic "), PV_USER_BASIC},
	    {PV_STR("bearer "), PV_USER_BEARER},
	    {PV_STR("netrc "), PV_USER_NETRC},
	};
	*form = (struct pv_user_form){.kind = PV_USER_BASIC};
	if (pv_str_equal(text, PV_STR("netrc"))) {
		form->kind = PV_USER_NETRC;
		return NULL;
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (!pv_str_starts(text, kinds[i].word))
			continue;
		form->kind = kinds[i].kind;
		const char *fault = read_source(
		    pv_str_trim(pv_str_from(text, kinds[i].word.len)), form);
		bool is_file = form->kind != PV_USER_NETRC || form->file.len;
		return fault || is_file ? fault : "a netrc is a file";
	}
	return read_pair(text, form);
}
