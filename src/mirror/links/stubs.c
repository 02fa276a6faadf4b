#include "mirror/links/stubs.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "mirror/files/extension.h"
#include "mirror/files/file_name.h"
#include "mirror/links/relative.h"
#include "store/tables/state_addresses.h"
#include "web/html_text.h"

#define ADDRESS_MAX ((size_t)1 << 20)

/* By which one is known again. */
#define HEAD                                          \
	"<!DOCTYPE html>\n<meta charset=\"utf-8\">\n" \
	"<meta name=\"generator\" content=\"pavane stub\">\n"

#define TEXT_MAX ((size_t)16 * 1024)

struct stub {
	struct pv_url url;
	struct pv_target target;
	struct pv_buf file;
	struct pv_buf address;
	struct pv_buf text;
	struct pv_buf had; /* what stands there */
};

void pv_stub_text(struct pv_str address, struct pv_buf *text)
{
	pv_buf_append_text(
	    text, HEAD "<meta http-equiv=\"refresh\" content=\"0; url=");
	pv_html_text_append_value(text, address);
	pv_buf_append_text(
	    text, "\">\n<title>Moved</title>\n<p>This page is at <a href=\"");
	pv_html_text_append_value(text, address);
	pv_buf_append_text(text, "\">");
	pv_html_text_append(text, address);
	pv_buf_append_text(text, "</a>.\n");
}

static bool is_page(const struct pv_buf *file)
{
	return pv_document_kind_of(pv_buf_str(file)) == PV_DOCUMENT_HTML;
}

/* What keeps something from being read that is no file, or none for us. */
static bool is_refusal(int error)
{
	return error == ELOOP || error == EACCES || error == EPERM ||
	       error == ENOTDIR || error == EISDIR || error == ENXIO ||
	       error == EAGAIN || error == EINVAL || error == ENAMETOOLONG;
}

/* What is called so already; false if that is not ours. Of what the disk cannot
 * tell of nobody knows whose it is. */
static bool read_present(const struct pv_stubs *stubs, struct stub *stub)
{
	struct stat status;
	pv_buf_clear(&stub->had);
	enum pv_file_read result = pv_file_read_at(
	    stubs->root, pv_buf_text(&stub->file), &status, &stub->had);
	if (result == PV_FILE_FAILED && errno == ENOENT)
		return true;
	if (result == PV_FILE_FAILED && !is_refusal(errno))
		pv_database_fail(
		    stubs->database, PV_STORE_FAILED, strerror(errno));
	return result == PV_FILE_READ &&
	       pv_str_starts(pv_buf_str(&stub->had), PV_STR(HEAD));
}

/* False if it can have none. */
static bool write_name(struct stub *stub, struct pv_str url, bool is_portable)
{
	const struct pv_file_naming naming = {PV_STR(""), is_portable};
	pv_buf_clear(&stub->file);
	return pv_url_parse(&stub->url, url) == PV_URL_OK &&
	       pv_file_name_write(&stub->url, &naming, &stub->file) &&
	       is_page(&stub->file);
}

/* False if there is to be none. */
static bool name(
    const struct pv_stubs *stubs, struct stub *stub, struct pv_str url)
{
	return write_name(stub, url, stubs->is_portable) &&
	       !pv_targets_is_kept(stubs->targets, pv_buf_str(&stub->file)) &&
	       read_present(stubs, stub);
}

static bool can_read(const struct pv_stubs *stubs)
{
	return !pv_targets_fault(stubs->targets)[0];
}

static bool find(const struct pv_stubs *stubs, struct stub *stub)
{
	return pv_targets_find(stubs->targets, &stub->url, &stub->target) &&
	       is_page(&stub->target.file);
}

/* Whether it was written. */
static bool write_one(const struct pv_stubs *stubs, struct stub *stub)
{
	if (!find(stubs, stub)) {
		if (stub->had.len && can_read(stubs))
			pv_replacing_remove(
			    stubs->replacing, pv_buf_str(&stub->file));
		return false;
	}
	pv_buf_clear(&stub->address);
	pv_buf_clear(&stub->text);
	pv_relative_write(pv_buf_str(&stub->file),
	    pv_buf_str(&stub->target.file), &stub->address);
	pv_buf_append(&stub->address, pv_buf_str(&stub->target.fragment));
	pv_stub_text(pv_buf_str(&stub->address), &stub->text);
	if (pv_str_equal(pv_buf_str(&stub->text), pv_buf_str(&stub->had)))
		return false;
	pv_replacing_add(
	    stubs->replacing, pv_buf_str(&stub->file), pv_buf_str(&stub->text));
	return true;
}

static void init(struct stub *stub)
{
	pv_url_init(&stub->url, ADDRESS_MAX);
	pv_target_init(&stub->target);
	pv_buf_init(&stub->file, PV_FILE_NAME_MAX);
	pv_buf_init(&stub->address, ADDRESS_MAX);
	pv_buf_init(&stub->text, SIZE_MAX);
	pv_buf_init(&stub->had, TEXT_MAX);
}

static void finish(struct stub *stub)
{
	pv_url_finish(&stub->url);
	pv_target_finish(&stub->target);
	pv_buf_finish(&stub->file);
	pv_buf_finish(&stub->address);
	pv_buf_finish(&stub->text);
	pv_buf_finish(&stub->had);
}

/* All that may have one. */
static struct pv_address_cursor *open_rows(struct pv_database *database)
{
	const struct pv_address_filter filter = {
	    .choice = PV_ADDRESSES_REDIRECTED};
	return pv_address_cursor_open(database, &filter);
}

uint64_t pv_stubs_find(
    struct pv_database *database, struct pv_str file, bool is_portable)
{
	struct stub stub;
	uint64_t found = 0;
	init(&stub);
	struct pv_address_cursor *rows = open_rows(database);
	struct pv_state_address row;
	while (!found && pv_address_cursor_next(rows, &row)) {
		if (write_name(&stub, row.url, is_portable) &&
		    pv_str_equal(pv_buf_str(&stub.file), file))
			found = row.id;
	}
	pv_address_cursor_close(rows);
	finish(&stub);
	return found;
}

uint64_t pv_stubs_write(const struct pv_stubs *stubs)
{
	struct stub stub;
	uint64_t count = 0;
	init(&stub);
	struct pv_address_cursor *rows = open_rows(stubs->database);
	struct pv_state_address row;
	while (can_read(stubs) && pv_address_cursor_next(rows, &row)) {
		if (name(stubs, &stub, row.url))
			count += write_one(stubs, &stub);
	}
	pv_address_cursor_close(rows);
	finish(&stub);
	return count;
}
