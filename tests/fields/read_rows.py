"""read_rows.py DIRECTORY: the rows that write_rows has written, in all forms,
as Python's own json, csv and sqlite3 read them. Tells on one line each what is
not as the JSON lines have it."""

import csv
import json
import sqlite3
import sys

directory = sys.argv[1] + "/fields/"
faults = []


def compare(what, theirs, ours):
    if theirs != ours:
        faults.append(f"{what}: {theirs!r}, not {ours!r}")


def shown(text):
    """As a text stands in CSV."""
    guarded = "'" + text if text[:1] in tuple("=+-@\t\r") else text
    return guarded.replace("\0", "\ufffd")


def read_csv(name):
    with open(directory + name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, strict=True))


with open(directory + "select.jsonl", encoding="utf-8", newline="\n") as file:
    rows = [json.loads(line, parse_float=str) for line in file]
compare("rows", len(rows), 500)

lines = read_csv("select.csv")
records = read_csv("select.within.csv")
compare("lines of CSV", len(lines), len(rows))
compare("records in CSV", len(records), len(rows))
for row, line, record in zip(rows, lines, records):
    item = row["_item"]
    compare(f"_item of {item}", line["_item"], str(item))
    compare(f"_time of {item}", line["_time"], row["_time"])
    compare(f"_digest of {item}", line["_digest"], row["_digest"])
    compare(f"text of {item}", line["text"], shown(row["text"]))
    compare(f"order of {item}", line["order"], str(row["order"]))
    compare(f"price of {item}", line["price"], row["price"])
    compare(f"record of {item}", record["text"], shown(row["text"]))
    compare(f"number of {item}", record["_item"], str(item))
    compare(f"columns of {item}", None in line or None in record, False)

database = sqlite3.connect("file:" + directory + "fields.db?mode=ro", uri=True)
table = database.execute(
    'SELECT _item, text, "order", price, _change FROM "select" ORDER BY _item'
).fetchall()
compare("rows of the table", len(table), len(rows))
for row, (item, text, order, price, change) in zip(rows, table):
    compare(f"_item {item} of the table", item, row["_item"])
    compare(f"text {item} of the table", text, row["text"])
    compare(f"order {item} of the table", int(order), row["order"])
    compare(f"price {item} of the table", price, float(row["price"]))
    compare(f"_change {item} of the table", change, row["_change"])
within = database.execute(
    "SELECT text FROM select_within ORDER BY _item, _record").fetchall()
compare("records", [text for (text,) in within], [row["text"] for row in rows])
compare("check", database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])

print("\n".join(faults[:20]))
sys.exit(bool(faults))
