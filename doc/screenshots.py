#!/usr/bin/env python3
"""Draws doc/demo-live.svg and doc/demo-end.svg: what a terminal shows in the
midst of `pavane demo` and at its end. From the top of a tree that is built:

    doc/screenshots.py [PROGRAM]

Text of the terminal is text in the drawing, in the reader's own fonts.
"""

import fcntl
import os
import pty
import re
import struct
import sys
import termios
from html import escape

COLUMNS, ROWS = 84, 60
CHARACTER, LINE, EDGE, BAR = 8.4, 19, 18, 34
STEP = re.compile(r'\x1b\[(\??\d*)([A-Za-z])|([\r\n])|([^\x1b\r\n]+)')

STYLE = """
.ground{fill:#fbfaf7;stroke:#d8d3c8}.bar{fill:#eeebe4}.dot{fill:#c9c3b6}
text{font:14px ui-monospace,"DejaVu Sans Mono","Liberation Mono",Menlo,monospace;
fill:#23211d;white-space:pre}.name{fill:#6a655c}
@media(prefers-color-scheme:dark){.ground{fill:#1d1f22;stroke:#3b3f45}
.bar{fill:#2a2d31}.dot{fill:#4d5259}text{fill:#e8e6e1}.name{fill:#a39e94}}
"""


class Screen:
    """As much of a terminal as the program makes use of."""

    def __init__(self):
        self.lines = ['']
        self.row = self.column = 0
        self.wraps = True
        self.pictures = []  # each time that the display was drawn

    def put(self, text):
        room = COLUMNS - self.column
        if self.wraps and len(text) > room:
            self.put(text[:room])
            self.feed('\r\n' + text[room:])
            return
        line = self.lines[self.row].ljust(self.column)
        end = self.column + len(text)
        line = (line[:self.column] + text + line[end:])[:COLUMNS]
        self.lines[self.row] = line
        self.column = min(end, COLUMNS)

    def feed(self, text):
        for number, letter, control, plain in STEP.findall(text):
            if control == '\r':
                self.column = 0
            elif control == '\n':
                self.row += 1
                if self.row == len(self.lines):
                    self.lines.append('')
            elif letter == 'A':
                self.row -= int(number or 1)
            elif letter == 'l':
                self.wraps = False
            elif letter == 'h':
                self.wraps = True
                self.pictures.append(self.lines[:])
            elif letter == 'J':
                self.lines[self.row] = self.lines[self.row][:self.column]
                del self.lines[self.row + 1:]
            elif plain:
                self.put(plain)


def run(program):
    """What the demo writes to a terminal."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM='xterm', TMPDIR='/tmp')
        os.execv(program, [program, 'demo'])
    size = struct.pack('HHHH', ROWS, COLUMNS, 0, 0)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, size)
    written = b''
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        written += part
    if os.waitpid(child, 0)[1] != 0:
        sys.exit('the demo has failed')
    return written.decode()


def draw(lines):
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    width = COLUMNS * CHARACTER + 2 * EDGE
    height = BAR + len(lines) * LINE + 2 * EDGE
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" '
           f'height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}" '
           f'role="img" aria-label="A terminal that runs pavane demo">\n'
           f'<style>{STYLE}</style>\n'
           f'<rect class="ground" x=".5" y=".5" width="{width - 1:.1f}" '
           f'height="{height - 1:.1f}" rx="8"/>\n'
           f'<path class="bar" d="M1 {BAR}V8q0-7 7-7H{width - 8:.1f}'
           f'q7 0 7 7V{BAR}z"/>\n')
    for x in (20, 38, 56):
        yield f'<circle class="dot" cx="{x}" cy="{BAR / 2:.0f}" r="5.5"/>\n'
    for number, line in enumerate(lines):
        line = line.rstrip()
        if not line:
            continue
        y = BAR + EDGE + number * LINE + 14
        yield (f'<text x="{EDGE}" y="{y}" xml:space="preserve" '
               f'textLength="{len(line) * CHARACTER:.1f}" '
               f'lengthAdjust="spacingAndGlyphs">{escape(line)}</text>\n')
    yield '</svg>\n'


def main():
    screen = Screen()
    screen.feed(run(sys.argv[1] if len(sys.argv) > 1 else './pavane'))
    command = ['$ pavane demo']
    live = max(enumerate(screen.pictures),
               key=lambda each: (len(each[1]), each[0]))[1]
    for name, lines in (('live', live), ('end', screen.lines)):
        with open(f'doc/demo-{name}.svg', 'w', encoding='utf-8') as file:
            file.writelines(draw(command + lines))


main()
