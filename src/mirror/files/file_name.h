#ifndef PAVANE_MIRROR_FILES_FILE_NAME_H
#define PAVANE_MIRROR_FILES_FILE_NAME_H

#include "base/buf.h"
#include "url/url.h"

/* The name of the file in which a mirror keeps an address.
 *
 * It is a function of the address and, where the address does not tell or tells
 * wrongly what is a page, of the media type; no two addresses share one, whatever
 * their types, and none is in the way of another, as a file where another needs a
 * directory. So a name is known without asking what is there already, today and
 * in the next run.
 *
 *   https://a.example/             site/a.example/index.html
 *   https://a.example/b/c.html     site/a.example/b/c.html
 *   https://a.example/b/c          site/a.example/b/c^.html
 *   https://a.example/b/c?d=1      site/a.example/b/c^d=1.html
 *   https://a.example/e.css?f      site/a.example/e.css^f.css
 *   https://a.example/logo.php     site/a.example/logo.php^.png (an image)
 *   https://a.example/File:g.jpg   site/a.example/File:g.jpg^.html (a page)
 *   https://a.example/h.html       site/a.example/h.html^.png (an image)
 *   http://a.example/              site/a.example^80/index.html
 *   http://a.example:8080/         site/a.example^8080/index.html
 *   https://a.example:8443/        site/a.example^https8443/index.html
 *
 * - A file ends in one of the known extensions (mirror/files/extension.h), a directory
 *   never does. What the address ends in stays if it is known, even if the
 *   server calls it something else; but a page ends as pages do, and a picture
 *   or the like never does. php, asp and the like are not known, so that a page
 *   or a picture made by a program opens as what it is.
 * - "^" never stands in a path, and nothing of ours is marked by anything else:
 *   the query behind it; an extension that was added ("c^.html"); an index that
 *   was asked for by its name ("index^^.html", until it turns out to be the same
 *   as its directory: mirror/links/twins.h); a directory that is called as
 *   files are, or has no name ("c.html^", "^"); a dot at the beginning
 *   ("^^.well-known"); an empty query ("^^q"). In queries it is written "^5E",
 *   a slash "^2F" and a backslash "^5C".
 * - What percent signs hide is shown where it can be read, and nobody could
 *   mean something else by it: UTF-8 that a terminal shows as it is, written in
 *   capitals, and spaces within a text. All else stays as it is in the address.
 * - What is longer than 200 bytes is cut and ends in "^^h" and 128 bits of its
 *   SHA-256; what is deeper than 32 directories or 2,000 bytes is below one
 *   directory that is called so.
 * - Credentials leave no trace but "^auth" behind the host: this is the one
 *   thing in which two addresses with one name may differ.
 *
 * Names that differ only in the case of their letters are two files, and some
 * systems do not allow all names. Portable names, if the policy asks for them,
 * are valid everywhere, Windows and macOS included, and differ there, too: a
 * character that these forbid, or that is beyond ASCII, is written as "^3A"; a
 * name of a device begins with "^^w" ("^^wcon.html"); and a mask says which
 * letters are capitals: "README^^cf3.html", "Read^^c1.html".
 */
#define PV_FILE_COMPONENT_MAX 200
#define PV_FILE_NAME_MAX 2700

struct pv_file_naming {
	struct pv_str content_type; /* what it is taken for; may be empty */
	bool is_portable;
};

/* Appends it, for an address; false if the ceiling is in the way. */
bool pv_file_name_write(const struct pv_url *url,
    const struct pv_file_naming *naming, struct pv_buf *name);

#endif
