#!/usr/bin/env python3
"""Writes for each form of a field a schema and NAME.txt, as `../hash_salts/make.py` does for salts. The keys are computed here, without
saltplan.
"""
import hashlib
import importlib.util
import random
from pathlib import Path

HERE = Path(__file__).parent
spec = importlib.util.spec_from_file_location("hash_salts", HERE.parent / "hash_salts" / "make.py")
salts = importlib.util.module_from_spec(spec)
spec.loader.exec_module(salts)
days, java_hash, numbers, rest, schema, texts = salts.days, salts.java_hash, salts.numbers, salts.rest, salts.schema, salts.texts


def cases():
    # 99999999 - yyyyMMdd and 9999999999999 - milliseconds: the newest first, in as many digits as the nines.
    rows = list(zip(texts(21), map(int, days(22)), numbers(23, 1577836800000, 1609459199999), numbers(24, 0, 99)))
    yield ("newest", schema("{ java_hash: { of: [user], abs: after, modulo: 8, write: decimal } }",
                            ["{ name: user, type: string, chars: alnum }",
                             "{ name: day, type: int, encoding: decimal, width: 8, descending: true }",
                             "{ name: at, type: timestamp, epoch: ms, encoding: decimal, width: 13, descending: true }",
                             "{ name: rank, type: tinyint, encoding: decimal, width: 2, descending: true }"], "_"),
           [(f"{abs(rest(java_hash(u), 8))}_{u}_{99999999 - d:08}_{9999999999999 - t:013}_{99 - r:02}".encode(),
             {"user": u, "day": d, "at": t, "rank": r}) for u, d, t, r in rows],
           [(1, f"user = '{rows[0][0]}' AND day = {rows[0][1]} AND `at` = {rows[0][2]} AND rank = {rows[0][3]}",
             lambda r: r["user"] == rows[0][0]),
            (1, f"user = '{rows[1][0]}' AND day >= 20200401 AND day < 20201001",
             lambda r: r["user"] == rows[1][0] and 20200401 <= r["day"] < 20201001),
            (2, f"user = '{rows[2][0]}' AND day IN ({rows[2][1]}, 20190101) AND `at` <= {rows[2][2]}",
             lambda r: r["user"] == rows[2][0])])
    # Kiji: bytes of an MD5 of the first text, a text that ends with a zero byte, a number with its sign bit flipped, and at the end another
    # text that ends with a zero byte.
    rows = list(zip(texts(25, 0, 5), numbers(26, -2**63, 2**63 - 1), texts(27, 0, 4, "ab\u00e9~")))
    rows[7:10] = [("k", 5, "a"), ("k", 5, ""), ("k", 5, "ab")]
    yield ("kiji", schema("{ md5: { of: [user], first_hex_digits: 4, write: bytes } }",
                          ["{ name: user, type: string, then: '\\x00' }",
                           "{ name: n, type: bigint, encoding: be_sortable }",
                           "{ name: tag, type: string, then: '\\x00' }"]),
           [(hashlib.md5(u.encode()).digest()[:2] + u.encode() + b"\0" + (n + 2**63).to_bytes(8, "big") + t.encode() + b"\0",
             {"user": u, "n": n, "tag": t}) for u, n, t in rows],
           [(1, f"user = '{rows[0][0]}' AND n = {rows[0][1]} AND tag = '{rows[0][2]}'", lambda r: r["n"] == rows[0][1]),
            (1, "user = 'k' AND n = 5 AND tag > 'a'", lambda r: r["user"] == "k" and r["n"] == 5 and r["tag"] > "a"),
            (1, "user = 'k' AND n = 5 AND tag <= 'a'", lambda r: r["user"] == "k" and r["n"] == 5 and r["tag"] <= "a"),
            (2, "user = 'k' AND n = 5 AND tag IN ('', 'ab')", lambda r: r["user"] == "k" and r["n"] == 5 and r["tag"] in ("", "ab")),
            (1, "user = 'k' AND n = 5 AND tag LIKE 'a%'", lambda r: r["user"] == "k" and r["n"] == 5 and r["tag"].startswith("a"))])


if __name__ == "__main__":
    salts.write(HERE, cases())
