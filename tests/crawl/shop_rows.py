"""The rows of a shop's crawl in all their forms, as a Python program reads
them: shop_rows.py WANTED DIRECTORY. A line of WANTED is a kind and a row as
JSON, or {} for a kind that may have none. JSON lines and CSV are told in the order of changes, which is followed:
what is new was not there, what is changed or gone was. SQLite has what there
is. Says what differs, and ends with 1."""

import csv
import json
import os
import sqlite3
import sys

csv.field_size_limit(1 << 24)
RECORDS = {"product": ["reviews"]}
FACTS = ("_time", "_digest", "_change")
faults = []


def fault(text):
    faults.append(text)


def follow(name, lines):
    """What there is in the end, by address and item."""
    there = {}
    for row in lines:
        key = (row["_url"], int(row["_item"]))
        change = row["_change"]
        if change not in ("new", "changed", "gone"):
            fault(f"{name}: {key}: {change}")
        if (key in there) != (change != "new"):
            fault(f"{name}: {key} is {change} and was there: {key in there}")
        if change == "gone":
            there.pop(key, None)
        else:
            there[key] = row
    return there


def read_json(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        return [json.loads(line, parse_float=str) for line in file]


def read_csv(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def bare(row):
    return {key: row[key] for key in row if key not in FACTS}


def csv_text(value):
    """As a value stands in CSV."""
    if value is None:
        return ""
    if isinstance(value, list):
        value = "\n".join(value)
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@"):
        return "'" + value
    return str(value)


def compare(name, found, wanted):
    for key in wanted.keys() - found.keys():
        fault(f"{name}: {key} is missing")
    for key in found.keys() - wanted.keys():
        fault(f"{name}: {key} is too much")
    for key in wanted.keys() & found.keys():
        if found[key] != wanted[key]:
            fault(f"{name}: {found[key]} is to be {wanted[key]}")


def records_of(kind, wanted):
    """Records within, by address, item, field and number from 1."""
    return {
        (*key, field, number): record
        for key, row in wanted.items()
        for field in RECORDS.get(kind, [])
        for number, record in enumerate(row[field], 1)
    }


def judge_csv(kind, wanted, directory):
    lines = read_csv(f"{directory}/{kind}.csv")
    found = follow(f"{kind}.csv", lines)
    fields = RECORDS.get(kind, [])
    plain = {
        key: {name: csv_text(value) for name, value in row.items()
              if name not in fields}
        for key, row in wanted.items()
    }
    compare(f"{kind}.csv",
            {key: bare(row) for key, row in found.items()}, plain)
    for field in fields:
        name = f"{kind}.{field}.csv"
        records = {}
        for line in read_csv(f"{directory}/{name}"):
            key = (line.pop("_url"), int(line.pop("_item")), field,
                   int(line.pop("_record")))
            records[key] = line
        # Those of rows that are gone are still told.
        records = {key: line for key, line in records.items()
                   if key[:2] in wanted}
        compare(name, records, {
            key: {part: csv_text(value) for part, value in record.items()}
            for key, record in records_of(kind, wanted).items()})


def judge_record_lines(kind, directory):
    """As many records as the lines of rows tell of, and no more."""
    rows = read_json(f"{directory}/{kind}.jsonl")
    for field in RECORDS.get(kind, []):
        told = sum(len(row.get(field) or []) for row in rows)
        lines = len(read_csv(f"{directory}/{kind}.{field}.csv"))
        if told != lines:
            fault(f"{kind}.{field}.csv: {lines} lines, not {told}")


def sql_value(value):
    """SQLite has no whole numbers of 20 digits, and keeps them as text."""
    is_large = isinstance(value, int) and value >= 1 << 63
    return str(value) if is_large else value


def judge_sql(kind, wanted, database):
    fields = RECORDS.get(kind, [])
    found = {}
    for line in database.execute(f'SELECT * FROM "{kind}"'):
        row = bare(dict(line))
        if "images" in row:
            row["images"] = json.loads(row["images"])
        if "price" in row:
            row["price"] = "%.2f" % row["price"]
        key = (row["_url"], row["_item"])
        if key in found:
            fault(f"fields.db: {key} is there twice")
        found[key] = row
    compare(f"fields.db: {kind}", found, {
        key: {name: sql_value(value) for name, value in row.items()
              if name not in fields}
        for key, row in wanted.items()})
    records = {}
    for field in fields:
        for line in database.execute(f'SELECT * FROM "{kind}_{field}"'):
            row = dict(line)
            key = (row.pop("_url"), row.pop("_item"), field,
                   row.pop("_record"))
            if key in records:
                fault(f"fields.db: {key} is there twice")
            records[key] = row
    compare(f"fields.db: records of {kind}", records,
            records_of(kind, wanted))


def main(path, directory):
    wanted = {}
    with open(path, encoding="utf-8", newline="\n") as file:
        for line in file:
            kind, text = line.split(" ", 1)
            row = bare(json.loads(text, parse_float=str))
            rows = wanted.setdefault(kind, {})
            if row:
                rows[row["_url"], row["_item"]] = row
    database = sqlite3.connect(
        f"file:{os.path.abspath(directory)}/fields.db?mode=ro", uri=True)
    database.row_factory = sqlite3.Row
    for kind, rows in sorted(wanted.items()):
        found = follow(f"{kind}.jsonl", read_json(f"{directory}/{kind}.jsonl"))
        compare(f"{kind}.jsonl",
                {key: bare(row) for key, row in found.items()}, rows)
        judge_csv(kind, rows, directory)
        judge_record_lines(kind, directory)
        judge_sql(kind, rows, database)
    for text in faults[:12]:
        print(f"# {text}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
