#!/bin/sh
# html.sh DIRECTORY STYLE PAGE...: writes manual pages as HTML into the directory,
# each as NAME.SECTION.html, with links among them, and an index. mandoc makes the
# pages, and STYLE is the file of styles that they use.

set -eu
directory=$1
style=$2
shift 2

if ! command -v mandoc >/dev/null; then
	echo "html: mandoc makes the pages and is missing: install mandoc" >&2
	exit 1
fi

# Where the text names a page of these, it links to it: sed's commands.
links() {
	for page; do
		name=$(basename "$page")
		name=${name%.*}
		section=${page##*.}
		echo "s#<b>$name</b>($section)#<a href=\"$name.$section.html\">&</a>#g"
	done
	# Some shells' echo has a meaning for a backslash.
	printf '%s\n' 's#\(<td class="head-vol">\)\([^<]*\)#\1<a href="index.html">\2</a>#'
}

# A row of the index: the page, and what stands behind its name.
row() {
	file=$(basename "$1")
	sed -n '/^\.SH NAME$/{n;s/.* \\- //;s/\\-/-/g;s/&/\&amp;/g;s/</\&lt;/g;p;}' "$1" | {
		IFS= read -r sentence
		echo "<dt><a href=\"$file.html\">${file%.*}</a>(${file##*.})</dt>"
		echo "<dd>$sentence</dd>"
	}
}

index() {
	cat <<-'END'
	<!DOCTYPE html>
	<html lang="en">
	<head>
	<meta charset="utf-8">
	<meta name="viewport" content="width=device-width, initial-scale=1.0">
	<link rel="stylesheet" href="manual.css">
	<title>Pavane: manual pages</title>
	</head>
	<body>
	<div class="manual-text">
	<h1>Pavane: manual pages</h1>
	<dl>
	END
	for page; do
		row "$page"
	done
	printf '%s\n' '</dl>' '</div>' '</body>' '</html>'
}

mkdir -p "$directory"
cp "$style" "$directory/manual.css"
links "$@" >"$directory/links.sed"
for page; do
	mandoc -T html -O style=manual.css "$page" |
		sed -f "$directory/links.sed" >"$directory/$(basename "$page").html"
done
rm "$directory/links.sed"
index "$@" >"$directory/index.html"
