"""What parsel finds on pages.

parsel_pages.py break FILES DIRECTORY COUNT: writes so many broken pages there,
made of pieces of those whose names stand in FILES, and prints theirs.
parsel_pages.py sound FILES: prints those of the names whose pages are UTF-8.
parsel_pages.py find EXPRESSIONS [-v]: finds, for each page whose name stands on
standard input, what print_matches.c does, in the same form.
"""

import random
import re
import sys
import zlib

WINDOW = 6000
PIECES = ['<', '>', '</', '/>', '"', "'", '=', '&', '&amp', '&#x41;', '&copy',
          '<p>', '</p>', '<div>', '</div>', '</body>', '<body class=x>',
          '<table>', '<tr>', '<td>', '</table>', '<li>', '<ul>', '</ul>',
          '<b><i></b></i>', '<a href=', '<a href="', '<a name=x a=b A=c>',
          '<!--', '-->', '<!', '<!DOCTYPE html>', '<?php', '?>', '<![CDATA[',
          ']]>', '<script>', '</script>', '<style>', '</style>', '<br/>',
          '<p class="first reference">', '<h1>', '<form>', '<select><option>',
          '<svg:x>', '<html lang=en>', '<head>', '<title>', '<textarea>', ' ',
          '\n', '\t', '\r\n', '\0', '\x01', 'ä', '\U0001f600', '\u00a0', '>a',
          '<dt>', '<dd>', '<base href=x>', '<meta charset=latin1>']


def text_of(path):
    with open(path, 'rb') as file:
        return file.read().decode('utf-8')


def is_sound(path):
    try:
        text_of(path)
    except UnicodeDecodeError:
        return False
    return True


def broken(text, dice):
    start = dice.randrange(max(1, len(text) - WINDOW))
    text = text[start:start + WINDOW]
    tags = re.split('(<[^>]*>)', text)
    if dice.random() < 0.3:
        dice.shuffle(tags)
    tags = [tag for tag in tags if dice.random() > 0.02]
    text = ''.join(tags)
    for _ in range(dice.randrange(1, 25)):
        at = dice.randrange(len(text) + 1)
        gone = dice.choice([0, 0, 1, dice.randrange(20)])
        text = text[:at] + dice.choice(PIECES) + text[at + gone:]
    return text.strip()


def has_one_root(text):
    """Parsel's selectors see the first element of a document alone."""
    from lxml import etree
    page = etree.fromstring(text.replace('\0', '').encode('utf-8'),
                            etree.HTMLParser(encoding='utf-8', huge_tree=True))
    return page is not None and not any(
        isinstance(one.tag, str) for one in page.itersiblings())


def write_broken(files, directory, count):
    dice = random.Random(1)
    paths = names_in(files)
    for number in range(count):
        text = ''
        while not text or not has_one_root(text):
            text = broken(text_of(dice.choice(paths)), dice)
        name = f'{directory}/{number}.html'
        with open(name, 'wb') as file:
            file.write(text.encode('utf-8'))
        print(name)


def names_in(path):
    with open(path, encoding='utf-8') as file:
        return file.read().split('\n')[:-1]


def sum_of(texts):
    return zlib.crc32(b''.join(
        text.encode('utf-8', 'surrogatepass') + b'\0' for text in texts))


def find(expressions, is_verbose):
    from parsel import Selector
    for line in sys.stdin:
        path = line.rstrip('\n')
        print(path)
        page = Selector(text=text_of(path), type='html')
        for number, expression in enumerate(expressions):
            kind, text = expression.split(' ', 1)
            texts = getattr(page, kind)(text).getall()
            if text == 'string(//h1)' or text.startswith('normalize'):
                texts = texts or ['']
            print(f'{number} {len(texts)} {sum_of(texts):08x}')
            for one in texts if is_verbose else []:
                print('> ' + one)


def main():
    if sys.argv[1] == 'break':
        write_broken(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    elif sys.argv[1] == 'sound':
        for path in filter(is_sound, names_in(sys.argv[2])):
            print(path)
    else:
        sys.stdout.reconfigure(errors='surrogateescape')
        find(names_in(sys.argv[2]), len(sys.argv) > 3)


main()
