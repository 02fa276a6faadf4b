#include "mirror/index/entry_writer.h"
#include "web/html_text.h"
#include "web/words.h"

/* What the lists may fill of a page. */
#define ERRORS_BYTES ((size_t)700000)
#define REFUSALS_BYTES ((size_t)250000)

/* Errors */

static const char *words_of_loss(const struct pv_entry_group *group)
{
	static const char *const dead_ends[PV_DEAD_END_COUNT] = {
	    [PV_DEAD_END_NOWHERE] = "redirected without an address",
	    [PV_DEAD_END_NO_ADDRESS] =
		"redirected to something that is not a web address",
	    [PV_DEAD_END_ITSELF] = "redirected to itself",
	    [PV_DEAD_END_SAME] =
		"redirected to an address that the policy treats as the same",
	};
	if (group->dead_end)
		return dead_ends[group->dead_end];
	switch (group->fate) {
	case PV_FATE_CIRCLE:
		return "redirected in a circle";
	case PV_FATE_GONE:
		return "deleted from its server since it was fetched";
	default:
		return "could not be fetched again";
	}
}

static void put_sort(
    const struct pv_entry_writer *writer, const struct pv_entry_group *group)
{
	pv_entry_put(writer, "<summary><b>%s%s</b> ",
	    pv_words_count(group->count).text,
	    group->count == PV_ENTRY_COUNT_MAX ? " or more" : "");
	if (group->fate != PV_FATE_UNSEEN)
		pv_entry_put(writer, "%s", words_of_loss(group));
	else if (group->outcome != PV_OUTCOME_ANSWERED)
		pv_entry_put_text(writer, pv_outcome_sentence(group->outcome));
	else
		pv_entry_put_answer(writer, group->http_status);
	pv_entry_put(writer, "</summary>\n");
}

static void put_linker(const struct pv_entry_writer *writer,
    const struct pv_entry_address *page, bool is_first)
{
	pv_entry_put(writer, is_first ? "linked from " : ", ");
	pv_entry_put_address(writer, page);
}

/* The first of them, and how many there are. */
static void put_linkers(
    const struct pv_entry_writer *writer, const struct pv_entry_error *error)
{
	size_t shown = error->page_count < PV_ENTRY_LINKERS_MAX
			   ? error->page_count
			   : PV_ENTRY_LINKERS_MAX;
	for (size_t i = 0; i < shown; i++)
		put_linker(writer, &error->pages[i], i == 0);
	if (shown == error->page_count)
		return;
	pv_entry_put(writer,
	    " and %s more: ", pv_words_count(error->page_count - shown).text);
	pv_entry_put_command(writer, "links", " --broken");
}

static void put_error(
    const struct pv_entry_writer *writer, const struct pv_entry_error *error)
{
	pv_entry_put(writer, "<li>");
	pv_entry_put_remote(writer, &error->address);
	if (error->location.len) {
		pv_entry_put(writer, " <span class=\"note\">to ");
		pv_html_text_append(writer->page, error->location);
		pv_entry_put(writer, "</span>");
	}
	if (error->address.file.len) {
		pv_entry_put(writer, " <span class=\"note\">");
		pv_entry_begin_link(writer, error->address.file);
		pv_entry_put(writer, "stored copy</a></span>");
	}
	pv_entry_put(writer, "<span class=\"via\">");
	if (error->page_count)
		put_linkers(writer, error);
	else if (error->via.url.len)
		put_linker(writer, &error->via, true);
	else
		pv_entry_put(writer, "a seed of the policy");
	pv_entry_put(writer, "</span></li>\n");
}

static void put_group(const struct pv_entry_writer *writer,
    const struct pv_entry_group *group, size_t end)
{
	size_t i;
	pv_entry_put(writer, writer->facts->errors.group_count == 1
				 ? "<details open>"
				 : "<details>");
	put_sort(writer, group);
	pv_entry_put(writer, "<ul>\n");
	for (i = 0; i < group->listed && writer->page->len < end; i++)
		put_error(writer, &group->errors[i]);
	pv_entry_put(writer, "</ul>\n");
	if (i < group->count)
		pv_entry_put_more(writer, group->count - i, true);
	pv_entry_put(writer, "</details>\n");
}

void pv_entry_part_errors(const struct pv_entry_writer *writer)
{
	const struct pv_entry_facts *facts = writer->facts;
	size_t begin = writer->page->len;
	size_t count = facts->errors.group_count;
	if (!count)
		return;
	pv_entry_put(writer, "<section>\n<h2>Missing</h2>\n");
	if (!facts->errors.has_linkers) {
		pv_entry_put(writer,
		    "<p class=\"note\">For each address, the first page that "
		    "links to it is shown; to list all: ");
		pv_entry_put_command(writer, "links", " --broken");
		pv_entry_put(writer, "</p>\n");
	}
	for (size_t i = 0; i < count; i++)
		put_group(writer, &facts->errors.groups[i],
		    begin + ERRORS_BYTES * (i + 1) / count);
	if (facts->errors.has_too_many_redirects)
		pv_entry_put(writer,
		    "<p class=\"note\">There are too many redirects to "
		    "search for circles.</p>\n");
	pv_entry_put(writer, "</section>\n");
}

/* Refusals */

static void put_examples(const struct pv_entry_writer *writer,
    const struct pv_entry_examples *examples, uint64_t count)
{
	pv_entry_put(writer, "<ul>\n");
	for (size_t i = 0; i < examples->count; i++) {
		pv_entry_put(writer, "<li>");
		pv_entry_put_remote(writer, &examples->items[i]);
		pv_entry_put(writer, "</li>\n");
	}
	pv_entry_put(writer, "</ul>\n");
	if (count > examples->count)
		pv_entry_put_more(writer, count - examples->count, false);
}

static void put_reason(
    const struct pv_entry_writer *writer, enum pv_reason reason, size_t end)
{
	uint64_t count = writer->facts->reasons[reason];
	const struct pv_entry_examples *examples =
	    &writer->facts->examples[reason];
	bool has_examples = examples->count && writer->page->len < end;
	pv_entry_put(writer, "%s<b>%s</b> ",
	    has_examples ? "<details><summary>" : "<p class=\"reason\">",
	    pv_words_count(count).text);
	pv_entry_put_text(writer, pv_reason_sentence(reason));
	pv_entry_put(writer, has_examples ? "</summary>\n" : "</p>\n");
	if (!has_examples)
		return;
	put_examples(writer, examples, count);
	pv_entry_put(writer, "</details>\n");
}

/* The commonest first; 0 when there is none below. */
static enum pv_reason next_reason(
    const struct pv_entry_facts *facts, enum pv_reason last)
{
	enum pv_reason next = PV_REASON_NONE;
	for (unsigned i = 1; i < PV_REASON_COUNT; i++) {
		uint64_t count = facts->reasons[i];
		bool is_below =
		    !last || count < facts->reasons[last] ||
		    (count == facts->reasons[last] && i > (unsigned)last);
		if (count && is_below &&
		    (!next || count > facts->reasons[next]))
			next = (enum pv_reason)i;
	}
	return next;
}

void pv_entry_part_refusals(const struct pv_entry_writer *writer)
{
	const struct pv_entry_facts *facts = writer->facts;
	size_t end = writer->page->len + REFUSALS_BYTES;
	uint64_t unwanted = facts->outcomes[PV_OUTCOME_NOT_ACCEPTED];
	enum pv_reason reason = next_reason(facts, PV_REASON_NONE);
	if (!reason && !unwanted)
		return;
	pv_entry_put(writer,
	    "<section>\n<h2>Left out</h2>\n<p class=\"note\">Addresses that "
	    "were found and not requested.</p>\n");
	for (; reason; reason = next_reason(facts, reason))
		put_reason(writer, reason, end);
	if (unwanted)
		pv_entry_put(writer,
		    "<p class=\"reason\"><b>%s</b> answered, of a type that "
		    "fetch.accept does not list</p>\n",
		    pv_words_count(unwanted).text);
	pv_entry_put(writer, "</section>\n");
}
