#!/usr/bin/env python3
"""Reads a mirror as a browser would that has no network, and holds it against
what the server has: no local link may lead nowhere, and nothing but links may
differ.

    mirror_check.py SITE PAIRS

SITE is the directory of the mirror, PAIRS a file with a line "SERVED KEPT" for
each of its files. Prints what is wrong, and then the counts.
"""

import html.parser
import os
import re
import sys
import urllib.parse

# Where links are; their values are left out of the comparison.
PLACES = (
    b'href', b'src', b'srcset', b'imagesrcset', b'poster', b'background',
    b'data', b'action', b'formaction', b'content', b'style')
ATTRIBUTE = re.compile(
    rb'(\s(?:data-)?(?:xlink:)?(?:' + b'|'.join(PLACES) +
    rb')\s*=\s*)("[^"]*"|\'[^\']*\'|[^\s>]+)', re.I)
GUARD = re.compile(rb'\s(?:data-)?(integrity|crossorigin)\b', re.I)
ADDRESS = re.compile(
    rb'(url\(\s*|@import\s+(?=["\']))("[^"]*"|\'[^\']*\'|[^\s)]*)', re.I)
SCHEME = re.compile(r'[a-z][a-z0-9+.-]*:', re.I)

files = {}
counts = {'documents': 0, 'local': 0, 'dead': 0, 'different': 0}


def is_file(path):
    if path not in files:
        files[path] = os.path.isfile(path)
    return files[path]


def look(page, link):
    link = link.strip()
    if not link or link.startswith('#') or SCHEME.match(link):
        return
    counts['local'] += 1
    path = urllib.parse.unquote(link.split('#')[0])
    target = os.path.join(os.path.dirname(page), path)
    if link.startswith('/') or not is_file(os.path.normpath(target)):
        counts['dead'] += 1
        print('dead:', page, link)


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.path = path

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if value is None or tag == 'base':
                continue
            if name in ('href', 'src', 'poster', 'background', 'data',
                        'action', 'xlink:href'):
                look(self.path, value)
            elif name == 'srcset':
                for image in value.split(', '):
                    look(self.path, image.split()[0])


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def without_links(text, is_sheet):
    if not is_sheet:
        text = ATTRIBUTE.sub(rb'\1', text)
        text = GUARD.sub(rb' \1', text)
    return ADDRESS.sub(rb'\1', text)


def compare(served, kept, is_document):
    before, after = read(served), read(kept)
    if is_document:
        is_sheet = kept.endswith('.css')
        before = without_links(before, is_sheet)
        after = without_links(after, is_sheet)
    if before != after:
        counts['different'] += 1
        print('different:', kept)


def main(site, pairs):
    for line in open(pairs, encoding='utf-8'):
        served, kept = line.split()
        is_page = kept.endswith(('.html', '.htm', '.xhtml', '.svg'))
        is_sheet = kept.endswith('.css')
        compare(served, kept, is_page or is_sheet)
        counts['documents'] += is_page or is_sheet
        text = read(kept).decode('utf-8', 'replace')
        if is_page:
            Page(kept).feed(text)
        if is_sheet:
            for _, link in ADDRESS.findall(text.encode()):
                look(kept, link.decode().strip('"\''))
    if not os.path.isdir(site):
        counts['dead'] += 1
    print(' '.join(f'{name} {count}' for name, count in counts.items()))


main(*sys.argv[1:])
