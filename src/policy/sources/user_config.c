#include "policy/sources/user_config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/reader.h"
#include "policy/document/document.h"
#include "policy/sources/load.h"
#include "policy/values/text_rule.h"
#include "policy/yaml_text.h"

/* The XDG specification has relative paths ignored. */
static bool append_dir(const char *xdg_home, const char *home,
    const char *usual, struct pv_buf *buf)
{
	if (xdg_home && xdg_home[0] == '/')
		return pv_buf_append_format(buf, "%s/pavane", xdg_home);
	if (home && home[0] == '/')
		return pv_buf_append_format(buf, "%s/%s/pavane", home, usual);
	return false;
}

bool pv_user_config_dir(
    const char *xdg_config_home, const char *home, struct pv_buf *buf)
{
	return append_dir(xdg_config_home, home, ".config", buf);
}

bool pv_user_state_dir(
    const char *xdg_state_home, const char *home, struct pv_buf *buf)
{
	return append_dir(xdg_state_home, home, ".local/state", buf);
}

static bool tell(struct pv_why *why, const char *path, const char *what)
{
	pv_why_add(why, (struct pv_place){.file = path}, PV_STR(""), "%s: %s",
	    what, pv_file_fault(errno));
	return false;
}

/* Where a line for the contact fits into the configuration: behind a line
 * "identity:", or at the end with such a line of its own. */
static void insert_contact(
    struct pv_str old, const char *contact, struct pv_buf *text)
{
	struct pv_reader reader = pv_reader_of(old);
	bool is_done = false;
	while (!pv_reader_is_end(&reader)) {
		const char *start = reader.at;
		struct pv_str line = pv_reader_take_line(&reader);
		size_t whole = (size_t)(reader.at - start);
		pv_buf_append(text, (struct pv_str){start, whole});
		if (whole == line.len) /* the last line, without an end */
			pv_buf_append_char(text, '\n');
		if (is_done || !pv_str_starts(line, PV_STR("identity:")))
			continue;
		struct pv_str next = pv_reader_rest(&reader);
		size_t indent = 0;
		while (indent < next.len && next.ptr[indent] == ' ')
			indent++;
		pv_buf_append_format(text,
		    "%*scontact: ", (int)(indent && indent < 80 ? indent : 2),
		    "");
		pv_yaml_text_append(pv_str_of(contact), text);
		pv_buf_append_char(text, '\n');
		is_done = true;
	}
	if (is_done)
		return;
	pv_buf_append_text(text, "identity:\n  contact: ");
	pv_yaml_text_append(pv_str_of(contact), text);
	pv_buf_append_char(text, '\n');
}

/* Whether the text is a configuration that names the contact: what was there
 * may be written in a way that a line cannot be put into. */
static bool has_contact(
    const char *path, struct pv_str text, const char *contact)
{
	struct pv_why why;
	pv_why_init(&why);
	struct pv_policy *policy = pv_policy_load_text(path, text, &why);
	bool is_right = !pv_why_has_problems(&why) &&
			policy->identity.contact &&
			strcmp(policy->identity.contact, contact) == 0;
	pv_policy_destroy(policy);
	pv_why_finish(&why);
	return is_right;
}

/* Puts the text in the file's place in one step: of the file itself where the
 * path is a link to it, and with its permissions. */
static bool replace(const char *path, struct pv_str text, struct pv_why *why)
{
	char file[PATH_MAX];
	struct stat info;
	struct pv_buf temporary;
	pv_buf_init(&temporary, 8192);
	bool is_there = realpath(path, file) && stat(file, &info) == 0;
	const char *target = is_there ? file : path;
	pv_buf_append_format(&temporary, "%s.XXXXXX", target);
	int fd = mkostemp(temporary.ptr, O_CLOEXEC);
	bool is_written = fd >= 0 && pv_file_write(fd, text) && fsync(fd) == 0;
	if (is_written && is_there)
		is_written = fchmod(fd, info.st_mode & 07777) == 0;
	if (fd >= 0)
		is_written = close(fd) == 0 && is_written;
	is_written = is_written && rename(temporary.ptr, target) == 0;
	if (!is_written && fd >= 0)
		unlink(temporary.ptr);
	is_written = is_written && pv_file_sync_name(target);
	if (!is_written)
		tell(why, path, "cannot be written");
	pv_buf_finish(&temporary);
	return is_written;
}

static bool save(const char *path, const char *contact, struct pv_why *why)
{
	struct pv_buf old;
	struct pv_buf text;
	bool is_saved = false;
	pv_buf_init(&old, PV_DOCUMENT_BYTES_MAX);
	pv_buf_init(&text, PV_DOCUMENT_BYTES_MAX);
	enum pv_file_read read = pv_file_read(path, &old);
	if (read != PV_FILE_READ && errno != ENOENT) {
		tell(why, path, "cannot be read");
	} else {
		insert_contact(pv_buf_str(&old), contact, &text);
		if (has_contact(path, pv_buf_str(&text), contact))
			is_saved = replace(path, pv_buf_str(&text), why);
		else
			pv_why_add(why, (struct pv_place){.file = path},
			    PV_STR(""),
			    "cannot insert the line: add contact: %s to "
			    "identity yourself",
			    contact);
	}
	pv_buf_finish(&old);
	pv_buf_finish(&text);
	return is_saved;
}

bool pv_user_config_save_contact(
    const char *dir, const char *contact, struct pv_why *why)
{
	struct pv_buf kept;
	struct pv_buf path;
	bool is_saved = false;
	pv_buf_init(&kept, 4096);
	pv_buf_init(&path, 4096);
	pv_buf_append_format(&path, "%s/config.yaml", dir);
	const char *fault = pv_rule_contact.read(pv_str_of(contact), &kept);
	if (fault)
		pv_why_add(why, (struct pv_place){0}, PV_STR(""), "%s%s",
		    fault[0] ? "" : "expected ",
		    fault[0] ? fault : pv_rule_contact.expected);
	else
		is_saved = (pv_file_make_directory(dir, 0700) ||
			       tell(why, dir, "cannot be made")) &&
			   save(pv_buf_text(&path), pv_buf_text(&kept), why);
	pv_buf_finish(&kept);
	pv_buf_finish(&path);
	return is_saved;
}
