"""The links of style sheets, with the tokens of tinycss2.

sheets.py spoil FILES DIRECTORY: writes there sheets that are spoilt in many
ways, made of those whose names stand in FILES, one a line, and prints theirs.
sheets.py links FILES: prints the links of each, in the form of print_sheets.c.
"""

import random
import re
import sys

from tinycss2 import parse_component_value_list
from tinycss2 import ast

# What sheets are spoilt with, and how often each of them is.
PIECES = ['"', "'", '(', ')', '{', '}', '[', ']', ';', ':', ',', '@', '#',
          '\\', '\\"', '\\29 ', '\\75 ', '\n', '\r\n', '\f', ' ', '\t', '\0',
          '\x01', '\x7f', '/*', '*/', '/**/', '<!--', '-->', '-', '--', '+',
          '.', '1', '1e3', 'e', 'é', '\U0001f600', 'url', 'url(', 'url("',
          "url('x", 'url(x', 'src(', 'URL( ', 'u\\72 l(', 'image-set(',
          '-webkit-image-set("a" 1x,', 'x("', '@import', '@import "',
          '@import url(', '@IMPORT src("', '@namespace url(', '@supports (',
          '@media x {', '@\\69mport "a"', '#a', 'url(#', 'url("#', '\\\n']
TIMES = 12
WINDOW = 3000


def text_of(path):
    with open(path, 'rb') as file:
        return file.read().decode('utf-8', 'replace').removeprefix('\ufeff')


def spoil(text, dice):
    start = dice.randrange(max(1, len(text) - WINDOW))
    text = text[start:start + WINDOW]
    for _ in range(dice.randrange(1, 12)):
        at = dice.randrange(len(text) + 1)
        gone = dice.choice([0, 0, 1, dice.randrange(20)])
        text = text[:at] + dice.choice(PIECES) + text[at + gone:]
    return text


# Where tinycss2 is not, or no longer, as the standard is: ranges of
# characters, an escaped end of a line in url(), a backslash at the end, and
# escapes in a url() that is spoilt.
def is_disputed(text):
    return (re.search(r'[uU]\+[0-9a-fA-F?]', text) or text.endswith('\\') or
            re.search(r'(?i)(url|\\75|\\72)[^)]*(\\[\n\r\f]|\\\\)', text))


def write_spoilt(paths, directory):
    dice = random.Random(1)
    count = 0
    for path in paths:
        text = text_of(path)
        for _ in range(TIMES):
            spoilt = spoil(text, dice)
            if is_disputed(spoilt):
                continue
            count += 1
            name = f'{directory}/{count}.css'
            with open(name, 'wb') as file:
                file.write(spoilt.encode('utf-8', 'replace'))
            print(name)


def tokens_of(values):
    """What matters of them, in the order in which they stand."""
    for value in values:
        if isinstance(value, (ast.WhitespaceToken, ast.Comment)):
            continue
        if isinstance(value, ast.FunctionBlock):
            yield 'function', value.lower_name
            yield from tokens_of(value.arguments)
            yield ')', None
        elif isinstance(value, ast.ParenthesesBlock):
            yield '(', None
            yield from tokens_of(value.content)
            yield ')', None
        elif isinstance(value, ast.CurlyBracketsBlock):
            yield ';', None
            yield from tokens_of(value.content)
            yield ';', None
        elif isinstance(value, ast.SquareBracketsBlock):
            yield 'other', None
            yield from tokens_of(value.content)
            yield 'other', None
        elif isinstance(value, ast.AtKeywordToken):
            yield '@', value.lower_value
        elif isinstance(value, ast.StringToken):
            yield 'string', value.value
        elif isinstance(value, ast.URLToken):
            yield 'address', value.value
        elif value == ';' or (value.type == 'error' and value.kind == '}'):
            yield ';', None
        elif value.type == 'error' and value.kind == ')':
            yield ')', None
        elif value.type == 'error' and value.kind.startswith('eof-'):
            continue
        else:
            yield 'other', None


def links_of(values):
    place, depth, is_expected = 'value', 0, False
    for kind, text in tokens_of(values):
        was_import = place == 'import'
        was_expected, is_expected = is_expected, False
        if was_import:
            place = 'rule'
        if kind == 'address' and (was_import or place == 'value'):
            yield text
        elif kind == 'string' and (was_import or (
                place == 'value' and (was_expected or depth == 1))):
            yield text
        elif kind == 'function':
            is_expected = text in ('url', 'src')
            if was_import and is_expected:
                place = 'import'
            if depth or text in ('image-set', '-webkit-image-set'):
                depth += 1
        elif kind == '(' and depth:
            depth += 1
        elif kind == ')' and depth:
            depth -= 1
        elif kind in '@;':
            place = {'import': 'import', None: 'value'}.get(text, 'rule')
            depth = 0


def write_links(paths):
    for path in paths:
        print(path)
        for link in links_of(parse_component_value_list(text_of(path))):
            visible = link.strip(' \t\n')
            if not visible or visible.startswith('#'):
                continue
            shown = ''.join(
                chr(byte) if 0x20 < byte < 0x7f and byte != 0x25
                else f'%{byte:02X}'
                for byte in re.sub('[\ud800-\udfff]', '\ufffd', link)
                .encode('utf-8'))
            print('\t' + shown)


def main():
    with open(sys.argv[2], encoding='utf-8') as file:
        paths = file.read().split('\n')[:-1]
    if sys.argv[1] == 'spoil':
        write_spoilt(paths, sys.argv[3])
    else:
        write_links(paths)


main()
