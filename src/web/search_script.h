#ifndef PAVANE_WEB_SEARCH_SCRIPT_H
#define PAVANE_WEB_SEARCH_SCRIPT_H

/* Searching a mirror's pages, from the disk or served.
 *
 * The pages stand in parts, scripts that call pavanePages(number, rows), since
 * a page that is opened from the disk may load scripts and nothing else. They
 * are loaded one after the other, as far as a search has to look. A row is
 * title, address and file. What comes from the web is only ever text, and files
 * are below the mirror's directory. Behind a line that says how many parts
 * there are, and whether there are pages that the list has no room for: "var
 * pavaneParts = 3, pavaneMore = false;". What stands behind "#q=" in the page's
 * address is searched at once. */
#define PV_SEARCH_SCRIPT                                                     \
	"(function () {\n"                                                   \
	"\"use strict\";\n"                                                  \
	"var shownMax = 100;\n"                                              \
	"var places = document.currentScript.dataset;\n"                     \
	"var form = document.querySelector(\"form.search\");\n"              \
	"var field = form.querySelector(\"input\");\n"                       \
	"var status = form.querySelector(\"[role=status]\");\n"              \
	"var list = form.querySelector(\"ul\");\n"                           \
	"var plain = document.querySelector(\".plain\");\n"                  \
	"var parts = [], asked = [], words = [];\n"                          \
	"var at = 0, found = 0, isLost = false, timer;\n"                    \
	"\n"                                                                 \
	"function fold(text) {\n"                                            \
	"\tif (/[^\\x00-\\x7f]/.test(text))\n"                               \
	"\t\ttext = text.normalize(\"NFKD\").replace(/[\\u0300-\\u036f]/g, " \
	"\"\");\n"                                                           \
	"\treturn text.toLowerCase();\n"                                     \
	"}\n"                                                                \
	"\n"                                                                 \
	"function show(row) {\n"                                             \
	"\tvar item = document.createElement(\"li\");\n"                     \
	"\tvar link = document.createElement(\"a\");\n"                      \
	"\tvar address = document.createElement(\"span\");\n"                \
	"\tlink.href = places.root + row[2];\n"                              \
	"\tlink.textContent = row[0] || row[1];\n"                           \
	"\titem.append(link);\n"                                             \
	"\taddress.className = \"via\";\n"                                   \
	"\taddress.textContent = row[1];\n"                                  \
	"\tif (row[0])\n"                                                    \
	"\t\titem.append(address);\n"                                        \
	"\tlist.append(item);\n"                                             \
	"}\n"                                                                \
	"\n"                                                                 \
	"function look(row) {\n"                                             \
	"\tvar text = fold(row[0] + \" \" + row[1]);\n"                      \
	"\tvar fits = words.every(function (word) {\n"                       \
	"\t\treturn text.includes(word);\n"                                  \
	"\t});\n"                                                            \
	"\tif (fits && found++ < shownMax)\n"                                \
	"\t\tshow(row);\n"                                                   \
	"}\n"                                                                \
	"\n"                                                                 \
	"function load(index) {\n"                                           \
	"\tif (asked[index])\n"                                              \
	"\t\treturn;\n"                                                      \
	"\tasked[index] = true;\n"                                           \
	"\tvar script = document.createElement(\"script\");\n"               \
	"\tscript.src = places.pages + (index + 1) + \".js\";\n"             \
	"\tscript.onerror = function () {\n"                                 \
	"\t\tisLost = true;\n"                                               \
	"\t\tpavanePages(index + 1, []);\n"                                  \
	"\t};\n"                                                             \
	"\tdocument.head.append(script);\n"                                  \
	"}\n"                                                                \
	"\n"                                                                 \
	"function sayEnd() {\n"                                              \
	"\tvar text = found > shownMax ? \"More than \" + shownMax + "       \
	"\" pages; the first are shown.\"\n"                                 \
	"\t\t: found === 1 ? \"1 page\" : found + \" pages\";\n"             \
	"\tif (isLost)\n"                                                    \
	"\t\ttext += \" (not all of the list could be loaded)\";\n"          \
	"\tif (pavaneMore && found <= shownMax)\n"                           \
	"\t\ttext += \" (not all pages are listed)\";\n"                     \
	"\tstatus.textContent = text;\n"                                     \
	"}\n"                                                                \
	"\n"                                                                 \
	"function go() {\n"                                                  \
	"\tfor (; at < pavaneParts && found <= shownMax; at++) {\n"          \
	"\t\tif (!parts[at]) {\n"                                            \
	"\t\t\tstatus.textContent = \"Searching…\";\n"                     \
	"\t\t\tload(at);\n"                                                  \
	"\t\t\treturn;\n"                                                    \
	"\t\t}\n"                                                            \
	"\t\tparts[at].forEach(look);\n"                                     \
	"\t}\n"                                                              \
	"\tsayEnd();\n"                                                      \
	"}\n"                                                                \
	"\n"                                                                 \
	"function begin() {\n"                                               \
	"\twords = fold(field.value).split(/\\s+/).filter(Boolean);\n"       \
	"\tat = found = 0;\n"                                                \
	"\tlist.replaceChildren();\n"                                        \
	"\tstatus.textContent = \"\";\n"                                     \
	"\tif (plain)\n"                                                     \
	"\t\tplain.hidden = words.length > 0;\n"                             \
	"\tif (words.length)\n"                                              \
	"\t\tgo();\n"                                                        \
	"}\n"                                                                \
	"\n"                                                                 \
	"window.pavanePages = function (number, rows) {\n"                   \
	"\tparts[number - 1] = rows;\n"                                      \
	"\tif (words.length && at === number - 1)\n"                         \
	"\t\tgo();\n"                                                        \
	"};\n"                                                               \
	"field.addEventListener(\"input\", function () {\n"                  \
	"\tclearTimeout(timer);\n"                                           \
	"\ttimer = setTimeout(begin, 120);\n"                                \
	"});\n"                                                              \
	"form.addEventListener(\"submit\", function (event) {\n"             \
	"\tevent.preventDefault();\n"                                        \
	"\tclearTimeout(timer);\n"                                           \
	"\tbegin();\n"                                                       \
	"});\n"                                                              \
	"try {\n"                                                            \
	"\tif (location.hash.startsWith(\"#q=\"))\n"                         \
	"\t\tfield.value = decodeURIComponent(location.hash.slice(3));\n"    \
	"} catch (error) {\n"                                                \
	"\tfield.value = \"\";\n"                                            \
	"}\n"                                                                \
	"form.hidden = false;\n"                                             \
	"if (field.value)\n"                                                 \
	"\tbegin();\n"                                                       \
	"}());\n"

#endif
