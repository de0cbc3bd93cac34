#!/usr/bin/env python3
"""Writes for each salt a schema and NAME.txt: predicates, then keys in HBase's text form, their rows, and whether each predicate means
the row. The keys are computed here, without saltplan; the hashes are those of `init_salts/make.py`, which compares them with published values.
"""
import hashlib
import importlib.util
import json
import random
import zlib
from pathlib import Path

HERE = Path(__file__).parent
spec = importlib.util.spec_from_file_location("init_salts", HERE.parent / "init_salts" / "make.py")
hashes = importlib.util.module_from_spec(spec)
spec.loader.exec_module(hashes)
java_hash, long_hash, murmur3_32, objects_hash, rest, shown, signed = (
    getattr(hashes, name) for name in ("java_hash", "long_hash", "murmur3_32", "objects_hash", "rest", "shown", "signed"))

ROWS = 300
BASE62 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def texts(seed, least=7, most=9, chars="abcdefghjkmnpqrstuvwxyz23456789"):
    draw = random.Random(seed)
    return ["".join(draw.choice(chars) for _ in range(draw.randint(least, most))) for _ in range(ROWS)]


def days(seed):
    draw = random.Random(seed)
    return [f"2020{draw.randint(1, 12):02}{draw.randint(1, 28):02}" for _ in range(ROWS)]


def numbers(seed, least, most):
    draw = random.Random(seed)
    return [draw.randint(least, most) for _ in range(ROWS)]


def schema(salt, fields, separator="", more=""):
    lines = ["saltplan: 1", "hbase: { table: t, families: { f: {} } }", "key:"]
    lines += [f"  salt: {salt}"] if salt else []
    lines += [f"  separator: '{separator}'"] if separator else []
    lines += ["  fields:", *(f"    - {field}" for field in fields)]
    return "\n".join(lines) + "\n" + more + "columns: [{ name: v, type: string, hbase: 'f:v' }]\n"


def cases():
    # GBIF: (hashCode & 0x0fffffff) % n, filled up with zeros, a colon, the key.
    ids = texts(1)
    yield ("gbif", schema("{ hash: { function: string_hash_code, of: key, mask: 0x0FFFFFFF, modulo: 100, write: { decimal: 2 }, then: ':' } }",
                          ["{ name: id, type: string, chars: alnum }"]),
           [(f"{(java_hash(i) & 0x0FFFFFFF) % 100:02}:{i}".encode(), {"id": i}) for i in ids],
           [(1, f"id = '{ids[0]}'", lambda r: r["id"] == ids[0]),
            (3, f"id IN ('{ids[1]}', '{ids[2]}', 'none')", lambda r: r["id"] in (ids[1], ids[2])),
            (100, "id >= 'm' AND id < 'q'", lambda r: "m" <= r["id"] < "q")])
    # Apache Metron: the first two bytes of an MD5 of eight bytes, as a short with its sign, modulo 1000, in four bytes.
    rows = list(zip(numbers(2, -2**63, 2**63 - 1), texts(3)))

    def metron(number, text):
        stored = number.to_bytes(8, "big", signed=True)
        salt = rest(signed(int.from_bytes(hashlib.md5(stored).digest()[:2], "big"), 16), 1000)
        return salt.to_bytes(4, "big", signed=True) + stored + text.encode()
    yield ("metron", schema("{ hash: { function: md5, of: [id], hex_digits: [1, 4], abs: none, modulo: 1000, write: be32 } }",
                            ["{ name: id, type: bigint, encoding: be }", "{ name: kind, type: string, chars: alnum }"]),
           [(metron(n, t), {"id": n, "kind": t}) for n, t in rows],
           [(1, f"id = {rows[0][0]} AND kind = '{rows[0][1]}'", lambda r: r["id"] == rows[0][0] and r["kind"] == rows[0][1]),
            (1, f"id = {rows[5][0]}", lambda r: r["id"] == rows[5][0])])
    # One character of an alphabet: abs(hashCode) % 62.
    rows = list(zip(texts(4), days(5)))
    yield ("alphabet", schema("{ hash: { function: string_hash_code, of: [user], abs: after, modulo: 62, write: { alphabet: '0-9a-zA-Z' } } }",
                              ["{ name: user, type: string, chars: alnum }", "{ name: day, type: date, format: yyyyMMdd }"], "_"),
           [(f"{BASE62[abs(java_hash(u)) % 62]}_{u}_{d}".encode(), {"user": u, "day": d}) for u, d in rows],
           [(1, f"user = '{rows[0][0]}' AND day = {rows[0][1]}", lambda r: r["user"] == rows[0][0] and r["day"] == rows[0][1]),
            (1, f"user = '{rows[1][0]}' AND day BETWEEN 20200401 AND 20201231",
             lambda r: r["user"] == rows[1][0] and r["day"] >= "20200401"),
            (62, "user LIKE 'k%'", lambda r: r["user"].startswith("k"))])
    # Hex digits of an MD5 as a number, then a remainder.
    plates = [f"{p}{n:05}" for p, n in zip(texts(6, 1, 1, "ABCDE"), numbers(7, 0, 99999))]
    rows = list(zip(plates, days(8)))
    car = lambda p: int(hashlib.md5(p.encode()).hexdigest()[8:14], 16) % 23
    yield ("digits", schema("{ hash: { function: md5, of: [plate], hex_digits: [9, 14], modulo: 23, write: { decimal: 2 } } }",
                            ["{ name: plate, type: string, width: 6, chars: alnum }", "{ name: day, type: date, format: yyyyMMdd }"]),
           [(f"{car(p):02}{p}{d}".encode(), {"plate": p, "day": d}) for p, d in rows],
           [(1, f"plate = '{rows[0][0]}'", lambda r: r["plate"] == rows[0][0]),
            (23, "plate >= 'C' AND plate < 'D'", lambda r: r["plate"].startswith("C"))])
    # Guava's murmur3_32 as its toString prints it.
    ids = texts(9)
    guava = lambda i: murmur3_32(i.encode()).to_bytes(4, "little").hex()
    assert guava("hello") == "47fa8b24"
    yield ("guava", schema("{ hash: { function: guava_murmur3_32, of: [id], hex_digits: [1, 2], write: hex, then: '-' } }",
                           ["{ name: id, type: string, chars: alnum }"]),
           [(f"{guava(i)[:2]}-{i}".encode(), {"id": i}) for i in ids],
           [(1, f"id = '{ids[3]}'", lambda r: r["id"] == ids[3]),
            (256, "id < 'f'", lambda r: r["id"] < "f")])
    # Two digits of an MD5 of a telephone number, which the key stores reversed: newlsls and many others.
    rows = list(zip((f"{n:011}" for n in numbers(10, 13 * 10**9, 19 * 10**9)), days(11)))
    yield ("reversed", schema("{ md5: { of: [{ field: tel, form: original }], first_hex_digits: 2, write: hex } }",
                              ["{ name: tel, type: string, width: 11, chars: digits, reverse: true }", "{ name: day, type: date, format: yyyyMMdd }"], "|"),
           [(f"{hashlib.md5(t.encode()).hexdigest()[:2]}|{t[::-1]}|{d}".encode(), {"tel": t, "day": d}) for t, d in rows],
           [(1, f"tel = '{rows[0][0]}'", lambda r: r["tel"] == rows[0][0]),
            (2, f"tel IN ('{rows[1][0]}', '{rows[2][0]}') AND day >= 20200101", lambda r: r["tel"] in (rows[1][0], rows[2][0])),
            (256, "tel LIKE '%7'", lambda r: r["tel"].endswith("7"))])
    # String.valueOf(id).hashCode() % 32 in front of an id that is padded with zeros.
    ids = list(dict.fromkeys(numbers(12, 1, 99999999)))
    ids += list(range(1, 1 + ROWS - len(ids)))
    yield ("padded", schema("{ java_hash: { of: [{ field: id, form: original }], abs: after, modulo: 32, write: { decimal: 2 } } }",
                            ["{ name: id, type: bigint, encoding: decimal, width: 10 }"], "_"),
           [(f"{abs(rest(java_hash(str(i)), 32)):02}_{i:010}".encode(), {"id": i}) for i in ids],
           [(1, f"id = {ids[0]}", lambda r: r["id"] == ids[0]),
            (3, f"id BETWEEN {ids[1]} AND {ids[1] + 2}", lambda r: ids[1] <= r["id"] <= ids[1] + 2),
            (32, "id > 50000000", lambda r: r["id"] > 50000000)])
    # The MD5 of the digits of a number that is stored as Long.MAX_VALUE minus the number, in eight bytes.
    ids = numbers(13, 0, 2**62)
    yield ("difference", schema("{ hash: { function: md5, of: [{ field: id, form: original }], hex_digits: [1, 2], write: bytes } }",
                                ["{ name: id, type: bigint, encoding: be, descending: true }"]),
           [(hashlib.md5(str(i).encode()).digest()[:1] + (2**63 - 1 - i).to_bytes(8, "big"), {"id": i}) for i in ids],
           [(1, f"id = {ids[0]}", lambda r: r["id"] == ids[0]),
            (256, f"id >= {ids[7]}", lambda r: r["id"] >= ids[7])])

    # Apache Fluo's RowHasher: a constant text, four digits of base 36 of a murmur hash, the row.
    ids = texts(14)

    def fluo(row):
        number, digits = (murmur3_32(row.encode()) & 0x7FFFFFFF) % 36**4, ""
        for _ in range(4):
            number, digit = divmod(number, 36)
            digits = BASE62[digit] + digits
        return f"d:{digits}:{row}".encode()
    yield ("fluo", schema("{ hash: { function: murmur3_32, of: key, mask: 0x7FFFFFFF, modulo: 1679616, behind: 'd:', write: { alphabet: '0-9a-z', width: 4 }, then: ':' } }",
                          ["{ name: row, type: string, chars: alnum }"]),
           [(fluo(i), {"row": i}) for i in ids],
           [(1, f"row = '{ids[0]}'", lambda r: r["row"] == ids[0]),
            (3, f"row IN ('{ids[1]}', '{ids[2]}', 'none')", lambda r: r["row"] in (ids[1], ids[2]))])
    # One of 16 salts in hex behind a constant that has the separator in it.
    rows = list(zip(texts(15), days(16)))
    yield ("constant", schema("{ hash: { function: crc32, of: [user], modulo: 16, behind: 'log_', write: hex } }",
                              ["{ name: user, type: string, chars: alnum }", "{ name: day, type: date, format: yyyyMMdd }"], "_"),
           [(f"log_{zlib.crc32(u.encode()) % 16:x}_{u}_{d}".encode(), {"user": u, "day": d}) for u, d in rows],
           [(1, f"user = '{rows[0][0]}' AND day = {rows[0][1]}", lambda r: r["user"] == rows[0][0] and r["day"] == rows[0][1]),
            (16, "user >= 'm' AND user < 'q'", lambda r: "m" <= r["user"] < "q")])

    # Objects.hash of a text and a `long`, whose digits the key stores.
    rows = list(zip(texts(17), numbers(18, 10**9, 10**12)))
    yield ("objects", schema("{ hash: { function: objects_hash_code, of: [user, id], abs: after, modulo: 100, write: { decimal: 2 } } }",
                             ["{ name: user, type: string, chars: alnum }", "{ name: id, type: bigint, encoding: decimal }"], "_"),
           [(f"{abs(rest(objects_hash(java_hash(u), long_hash(i)), 100)):02}_{u}_{i}".encode(), {"user": u, "id": i}) for u, i in rows],
           [(1, f"user = '{rows[0][0]}' AND id = {rows[0][1]}", lambda r: r["user"] == rows[0][0] and r["id"] == rows[0][1]),
            (2, f"user = '{rows[1][0]}' AND id IN ({rows[1][1]}, 5)", lambda r: r["user"] == rows[1][0] and r["id"] == rows[1][1]),
            (100, f"user = '{rows[2][0]}'", lambda r: r["user"] == rows[2][0])])
    # Long.hashCode of numbers with a sign, in eight bytes.
    ids = list(dict.fromkeys(numbers(19, -2**63, 2**63 - 1) + numbers(20, -9, 9)))[:ROWS - 20] + list(range(-10, 10))
    ids = list(dict.fromkeys(ids))
    ids += list(range(1000, 1000 + ROWS - len(ids)))
    yield ("long", schema("{ hash: { function: long_hash_code, of: [id], abs: none, modulo: 50, write: be16 } }",
                          ["{ name: id, type: bigint, encoding: be_sortable }"]),
           [(rest(long_hash(i), 50).to_bytes(2, "big", signed=True) + (i + 2**63).to_bytes(8, "big"), {"id": i}) for i in ids],
           [(1, f"id = {ids[0]}", lambda r: r["id"] == ids[0]),
            (3, "id IN (-1, -7, 3)", lambda r: r["id"] in (-1, -7, 3)),
            (99, "id < 0", lambda r: r["id"] < 0)])
    # The hashCode that editors write: 31 * a + b, of an `int` and the text of a `long` that is stored padded.
    rows = list(zip(numbers(21, -500, 500), numbers(22, 1, 10**6)))
    yield ("fields", schema("{ hash: { function: objects_hash_code, seed: 0, of: [shop, { field: id, form: original }], mask: 0x7FFFFFFF, modulo: 16, write: HEX } }",
                            ["{ name: shop, type: int, encoding: be_sortable }", "{ name: id, type: bigint, encoding: decimal, width: 8 }"]),
           [(b"%X" % ((objects_hash(s, java_hash(str(i)), seed=0) & 0x7FFFFFFF) % 16) + (s + 2**31).to_bytes(4, "big") + b"%08d" % i, {"shop": s, "id": i})
            for s, i in rows],
           [(1, f"shop = {rows[0][0]} AND id = {rows[0][1]}", lambda r: r["shop"] == rows[0][0] and r["id"] == rows[0][1]),
            (16, "shop < 0", lambda r: r["shop"] < 0)])
    # What Java's getBytes writes in other charsets: `?` for characters that they lack, one for a pair of surrogates.
    towns = ["Zürich", "Łódź", "京都", "Århus", "a😀b", "Genève", "Rome"]
    names = [f"{towns[n % 7]}{t}" for n, t in zip(numbers(23, 0, 6), texts(24, 2, 5))]
    narrow = lambda text, most: bytes(ord(c) if ord(c) <= most else 63 for c in text)
    assert narrow("a😀é", 127) == b"a??" and narrow("a😀é", 255) == b"a?\xe9"
    for name, charset, hashed in [("ascii", "us_ascii", lambda n: narrow(n, 127)), ("latin1", "iso_8859_1", lambda n: narrow(n, 255)),
                                  ("utf16", "utf_16be", lambda n: n.encode("utf-16-be"))]:
        yield (name, schema(f"{{ hash: {{ function: md5, of: [name], charset: {charset}, hex_digits: [1, 2], write: hex }} }}",
                            ["{ name: name, type: string, chars: '[a-zA-Z0-9À-ſ一-鿿😀]' }", "{ name: day, type: date, format: yyyyMMdd }"], "|"),
               [(f"{hashlib.md5(hashed(n)).hexdigest()[:2]}|{n}|{d}".encode(), {"name": n, "day": d}) for n, d in zip(names, days(25))],
               [(1, f"name = '{names[0]}'", lambda r: r["name"] == names[0]),
                (3, f"name IN ('{names[1]}', '{names[2]}', 'é') AND day >= 20200101", lambda r: r["name"] in (names[1], names[2], "é")),
                (256, "name LIKE 'Z%'", lambda r: r["name"].startswith("Z"))])
    # Guava's hashUnencodedChars: the characters as UTF-16, the lower byte first; joined by a bar.
    rows = list(zip(texts(26), days(27)))
    utf16 = lambda u, d: murmur3_32(f"{u}|{d}".encode("utf-16-le")) % 60
    yield ("chars", schema("{ hash: { function: murmur3_32, of: [user, day], joined_by: '|', charset: utf_16le, modulo: 60, write: { decimal: 2 } } }",
                           ["{ name: user, type: string, chars: alnum }", "{ name: day, type: date, format: yyyyMMdd }"], "_"),
           [(f"{utf16(u, d):02}_{u}_{d}".encode(), {"user": u, "day": d}) for u, d in rows],
           [(1, f"user = '{rows[0][0]}' AND day = {rows[0][1]}", lambda r: r["user"] == rows[0][0] and r["day"] == rows[0][1]),
            (60, f"user = '{rows[1][0]}'", lambda r: r["user"] == rows[1][0])])

    # Apache Eagle: the hash of a tag as an `int` in four bytes, the time newest first, then the hash and the text of another tag. No salt.
    draw = random.Random(28)
    sites, users, times = [f"site{draw.randint(1, 9)}" for _ in range(ROWS)], texts(29, 4, 6), numbers(30, 1500000000000, 1600000000000)
    rows = list(zip(sites, times, users))
    hashed = lambda text: java_hash(text).to_bytes(4, "big", signed=True)
    eagle = lambda s, t, u: hashed(s) + (2**63 - 1 - t).to_bytes(8, "big") + hashed(u) + s.encode() + b"|" + u.encode()
    yield ("eagle", schema(None, ["{ name: site_hash, type: int, encoding: be, hash: { function: string_hash_code, of: [site], abs: none } }",
                                  "{ name: at, type: timestamp, epoch: ms, encoding: be, descending: true }",
                                  "{ name: user_hash, type: int, encoding: be, hash: { function: string_hash_code, of: [user], abs: none } }",
                                  "{ name: site, type: string, chars: alnum, then: '|' }", "{ name: user, type: string, chars: alnum }"]),
           [(eagle(s, t, u), {"site": s, "at": t, "user": u}) for s, t, u in rows],
           [(1, f"site = '{rows[0][0]}' AND user = '{rows[0][2]}' AND at = {rows[0][1]}",
             lambda r: (r["site"], r["user"], r["at"]) == (rows[0][0], rows[0][2], rows[0][1])),
            (2, f"site IN ('{rows[1][0]}', 'none') AND user = '{rows[1][2]}' AND at = {rows[1][1]}",
             lambda r: (r["site"], r["user"], r["at"]) == (rows[1][0], rows[1][2], rows[1][1]))])
    # A hash of the user behind the day, in hex; behind a salt of the day.
    rows = list(zip(days(31), texts(32)))
    inside = lambda d, u: f"{zlib.crc32(d.encode()) % 8}_{d}_{hashlib.md5(u.encode()).hexdigest()[:4]}_{u}".encode()
    yield ("inside", schema("{ hash: { function: crc32, of: [day], modulo: 8, write: { decimal: 1 } } }",
                            ["{ name: day, type: date, format: yyyyMMdd }",
                             "{ name: user_hash, type: string, width: 4, chars: hex, hash: { function: md5, of: [user], hex_digits: [1, 4], write: hex } }",
                             "{ name: user, type: string, chars: alnum }"], "_"),
           [(inside(d, u), {"day": d, "user": u}) for d, u in rows],
           [(1, f"day = {rows[0][0]} AND user = '{rows[0][1]}'", lambda r: (r["day"], r["user"]) == rows[0]),
            (3, f"day = {rows[1][0]} AND user IN ('{rows[1][1]}', '{rows[2][1]}', 'none')",
             lambda r: r["day"] == rows[1][0] and r["user"] in (rows[1][1], rows[2][1]))])
    # Pinpoint's UidPrefix: the hash of the service in front of the application, as a short.
    rows = list(zip([f"svc{n}" for n in numbers(33, 1, 6)], texts(34), numbers(35, 0, 2**40)))
    yield ("uid_prefix", schema(None, ["{ name: uid, type: smallint, encoding: be, hash: { function: string_hash_code, of: [service], mask: 0x7FFF } }",
                                       "{ name: app, type: string, chars: alnum, then: '\\x00' }",
                                       "{ name: at, type: bigint, encoding: be }", "{ name: service, type: string, chars: alnum }"]),
           [((java_hash(s) & 0x7FFF).to_bytes(2, "big") + a.encode() + b"\0" + t.to_bytes(8, "big") + s.encode(), {"service": s, "app": a, "at": t}) for s, a, t in rows],
           [(1, f"service = '{rows[0][0]}' AND app = '{rows[0][1]}' AND at = {rows[0][2]}", lambda r: (r["service"], r["app"], r["at"]) == rows[0]),
            (2, f"service IN ('{rows[1][0]}', 'x') AND app = '{rows[1][1]}' AND at = {rows[1][2]}",
             lambda r: (r["service"], r["app"], r["at"]) == rows[1])])


def write(folder, written):
    for name, schema_text, rows, predicates in written:
        folder.joinpath(f"{name}.yaml").write_text(schema_text)
        lines = ["# Written by make.py: a key, its row, and whether it is meant by each of these predicates."]
        lines += [f"# {most} ranges: {predicate}" for most, predicate, _ in predicates]
        for key, row in rows:
            meant = "".join("01"[is_meant(row)] for _, _, is_meant in predicates)
            lines.append(f"{shown(key)}\t{json.dumps(row)}\t{meant}")
        folder.joinpath(f"{name}.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    write(HERE, cases())
