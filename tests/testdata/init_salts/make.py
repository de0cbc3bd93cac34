#!/usr/bin/env python3
"""Writes keys.txt, scan.txt and others: row keys with known salts, made without saltplan.

Each case starts with `== ` and what `init` has to report. MD5, SHA-1 and SHA-256 are those of hashlib, CRC-32 that of zlib; the other hashes
are written here from their published definitions, and compared with published values before anything is written.
"""
import hashlib
import random
import zlib
from pathlib import Path

M32, M64 = (1 << 32) - 1, (1 << 64) - 1


def rotl(x, r, bits):
    return ((x << r) | (x >> (bits - r))) & ((1 << bits) - 1)


def murmur3_32(data, seed=0):
    h = seed
    for i in range(0, len(data) // 4 * 4, 4):
        k = int.from_bytes(data[i:i + 4], "little") * 0xCC9E2D51 & M32
        h = rotl(h ^ rotl(k, 15, 32) * 0x1B873593 & M32, 13, 32) * 5 + 0xE6546B64 & M32
    tail = data[len(data) // 4 * 4:]
    if tail:
        h ^= rotl(int.from_bytes(tail, "little") * 0xCC9E2D51 & M32, 15, 32) * 0x1B873593 & M32
    h ^= len(data)
    h = (h ^ h >> 16) * 0x85EBCA6B & M32
    h = (h ^ h >> 13) * 0xC2B2AE35 & M32
    return h ^ h >> 16


def murmur3_128(data):
    c1, c2, h1, h2 = 0x87C37B91114253D5, 0x4CF5AD432745937F, 0, 0
    k1_of = lambda k: rotl(k * c1 & M64, 31, 64) * c2 & M64
    k2_of = lambda k: rotl(k * c2 & M64, 33, 64) * c1 & M64
    whole = len(data) // 16 * 16
    for i in range(0, whole, 16):
        h1 = (rotl(h1 ^ k1_of(int.from_bytes(data[i:i + 8], "little")), 27, 64) + h2) * 5 + 0x52DCE729 & M64
        h2 = (rotl(h2 ^ k2_of(int.from_bytes(data[i + 8:i + 16], "little")), 31, 64) + h1) * 5 + 0x38495AB5 & M64
    tail = data[whole:]
    h2 ^= k2_of(int.from_bytes(tail[8:], "little"))
    h1 ^= k1_of(int.from_bytes(tail[:8], "little"))
    h1, h2 = h1 ^ len(data), h2 ^ len(data)
    h1 = h1 + h2 & M64
    h2 = h2 + h1 & M64
    mixed = []
    for k in (h1, h2):
        k = (k ^ k >> 33) * 0xFF51AFD7ED558CCD & M64
        k = (k ^ k >> 33) * 0xC4CEB9FE1A85EC53 & M64
        mixed.append(k ^ k >> 33)
    h1 = mixed[0] + mixed[1] & M64
    h2 = mixed[1] + h1 & M64
    return h1.to_bytes(8, "little") + h2.to_bytes(8, "little")


def xxhash64(data, seed=0):
    p1, p2, p3, p4, p5 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
    lane = lambda acc, k: rotl(acc + k * p2 & M64, 31, 64) * p1 & M64
    word = lambda i, n: int.from_bytes(data[i:i + n], "little")
    at = 0
    if len(data) >= 32:
        v = [seed + p1 + p2 & M64, seed + p2 & M64, seed, seed - p1 & M64]
        while at <= len(data) - 32:
            v = [lane(v[j], word(at + 8 * j, 8)) for j in range(4)]
            at += 32
        h = rotl(v[0], 1, 64) + rotl(v[1], 7, 64) + rotl(v[2], 12, 64) + rotl(v[3], 18, 64) & M64
        for one in v:
            h = (h ^ lane(0, one)) * p1 + p4 & M64
    else:
        h = seed + p5 & M64
    h = h + len(data) & M64
    while at + 8 <= len(data):
        h = rotl(h ^ lane(0, word(at, 8)), 27, 64) * p1 + p4 & M64
        at += 8
    if at + 4 <= len(data):
        h = rotl(h ^ word(at, 4) * p1 & M64, 23, 64) * p2 + p3 & M64
        at += 4
    for byte in data[at:]:
        h = rotl(h ^ byte * p5 & M64, 11, 64) * p1 & M64
    h = (h ^ h >> 33) * p2 & M64
    h = (h ^ h >> 29) * p3 & M64
    return h ^ h >> 32


def fnv1a(data, bits):
    h, prime = {32: (0x811C9DC5, 0x01000193), 64: (0xCBF29CE484222325, 0x100000001B3)}[bits]
    for byte in data:
        h = (h ^ byte) * prime & (1 << bits) - 1
    return h


def signed(x, bits=32):
    return x - (1 << bits) if x >> (bits - 1) else x


def java_hash(text):
    h, units = 0, text.encode("utf-16-be")
    for i in range(0, len(units), 2):
        h = 31 * h + int.from_bytes(units[i:i + 2], "big") & M32
    return signed(h)


def bytes_hash(data, seed=1):
    h = seed
    for byte in data:
        h = 31 * h + signed(byte, 8) & M32
    return signed(h)


def long_hash(number):
    bits = number & M64
    return signed((bits ^ bits >> 32) & M32)


def objects_hash(*codes, seed=1):
    h = seed
    for code in codes:
        h = 31 * h + code & M32
    return signed(h)


def rest(x, n):
    """Java's `%`, with the sign of the dividend."""
    return abs(x) % n * (1 if x >= 0 else -1)


DIGESTS = {
    "md5": lambda b: hashlib.md5(b).digest(),
    "sha1": lambda b: hashlib.sha1(b).digest(),
    "sha256": lambda b: hashlib.sha256(b).digest(),
    "crc32": lambda b: zlib.crc32(b).to_bytes(4, "big"),
    "murmur3_32": lambda b: murmur3_32(b).to_bytes(4, "big"),
    "murmur3_128": murmur3_128,
    "xxhash64": lambda b: xxhash64(b).to_bytes(8, "big"),
    "fnv1a_32": lambda b: fnv1a(b, 32).to_bytes(4, "big"),
    "fnv1a_64": lambda b: fnv1a(b, 64).to_bytes(8, "big"),
}

for name, message, digest in [
    ("murmur3_32", "hello", "248bfa47"), ("murmur3_128", "hello", "029bbd41b3a7d8cb191dae486a901e5b"), ("xxhash64", "", "ef46db3751d8e999"),
    ("xxhash64", "a", "d24ec4f1a98c6e5b"), ("fnv1a_32", "foobar", "bf9cf968"), ("fnv1a_64", "foobar", "85944171f73967e8"),
]:
    assert DIGESTS[name](message.encode()).hex() == digest, name
assert java_hash("polygenelubricants") == -2**31 and java_hash("😀") == 1772899
# Printed by a Java virtual machine.
assert [long_hash(n) for n in (-1, 2**32, -2**63, 1585699200000)] == [0, 1, -2147483648, 856268145]
assert objects_hash(java_hash("a"), long_hash(-5)) == 3972 and objects_hash(java_hash("x"), long_hash(5 * 10**9), java_hash("y")) == 381322607
assert bytes_hash(bytes.fromhex("000001000001000001")) % 20 == 8 and bytes_hash(bytes.fromhex("9600F60013FE")) == -2**31

KEYS = 60


def shown(key):
    return "".join(chr(b) if 32 <= b < 127 and b != 92 else f"\\x{b:02X}" for b in key)


def rows(seed):
    """A day and an id of 7 to 9 letters and digits."""
    draw = random.Random(seed)
    for _ in range(KEYS):
        day = f"2020{draw.randint(1, 12):02}{draw.randint(1, 28):02}"
        yield day, "".join(draw.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(draw.randint(7, 9)))


def cases():
    whole = f"{KEYS} of {KEYS} keys"
    salt = lambda text: f"salt: {text}: {whole}"
    joined = lambda day, uid: f"{day}_{uid}"

    # Hex digits: the first, some in the middle, in capitals, as bytes; of the key and of a field.
    for at, (name, digest) in enumerate(DIGESTS.items()):
        text = name if name == "md5" else f"digest {name}"
        yield salt(f"{text}, hex digits 1 to 4 of `part`"), [
            f"{digest(uid.encode()).hex()[:4]}_{joined(day, uid)}".encode() for day, uid in rows(at)]
        yield salt(f"{text} of the key, modulo 37, as decimal(2)"), [
            f"{int.from_bytes(digest(joined(day, uid).encode()), 'big') % 37:02}_{joined(day, uid)}".encode()
            if name != "murmur3_128" else
            f"{int.from_bytes(digest(joined(day, uid).encode())[:8], 'little') % 37:02}_{joined(day, uid)}".encode()
            for day, uid in rows(100 + at)]
    sha1 = DIGESTS["sha1"]
    yield salt("digest sha1, hex digits 5 to 8 of `part`, as HEX"), [
        f"{sha1(uid.encode()).hex()[4:8].upper()}_{joined(day, uid)}".encode() for day, uid in rows(30)]
    yield salt("digest sha256, hex digits 1 to 4 of the key, as bytes"), [
        DIGESTS["sha256"](joined(day, uid).encode())[:2] + joined(day, uid).encode() for day, uid in rows(31)]
    yield salt("md5, hex digit 32 of `part`"), [
        f"{DIGESTS['md5'](uid.encode()).hex()[31]}{joined(day, uid)}".encode() for day, uid in rows(32)]
    # Java's int and long: `Math.abs` and masks.
    yield salt("digest crc32 of `part`, abs mask, modulo 100, as decimal(2)"), [
        f"{(zlib.crc32(uid.encode()) & 0x7FFFFFFF) % 100:02}{joined(day, uid)}".encode() for day, uid in rows(33)]
    yield salt("digest murmur3_128 of the key, abs after, modulo 48, as be8"), [
        bytes([abs(rest(signed(int.from_bytes(murmur3_128(joined(day, uid).encode())[:8], "little"), 64), 48))]) + joined(day, uid).encode()
        for day, uid in rows(34)]
    # String.hashCode: the Cloudera guide, negative remainders, two inputs in another order.
    guide = [f"{uid}|{day}" for day, uid in rows(40)]
    yield salt("java_hash (String.hashCode) of the key, abs after, modulo 1000, as decimal(3)"), [
        f"{abs(java_hash(core)) % 1000:03}|{core}".encode() for core in guide]
    yield salt("java_hash (String.hashCode) of `part`, abs none, modulo 12, as decimal"), [
        f"{rest(java_hash(uid), 12)}_{joined(day, uid)}".encode() for day, uid in rows(41)]
    yield salt("java_hash (String.hashCode) of `part` `|` `day`, abs after, modulo 97, as decimal(2)"), [
        f"{abs(java_hash(f'{uid}|{day}')) % 97:02}_{joined(day, uid)}".encode() for day, uid in rows(42)]
    yield salt("java_hash (String.hashCode) of the last 4 of `part`, abs after, modulo 53, as decimal(2)"), [
        f"{abs(java_hash(uid[-4:])) % 53:02}_{joined(day, uid)}".encode() for day, uid in rows(43)]
    yield salt("java_hash (String.hashCode) of `day` as yyyyMM and `part`, abs after, modulo 64, as decimal(2)"), [
        f"{abs(java_hash(day[:6] + uid)) % 64:02}_{joined(day, uid)}".encode() for day, uid in rows(44) ]
    # Text that is not ASCII.
    towns = ["Zürich", "Łódź", "京都", "Århus", "Córdoba", "İzmir", "Genève"]
    yield salt("java_hash (String.hashCode) of `part`, abs after, modulo 16, as decimal(2)"), [
        f"{abs(java_hash(towns[at % 7] + uid)) % 16:02}_{towns[at % 7]}{uid}_{day}".encode() for at, (day, uid) in enumerate(rows(45))]
    # Arrays.hashCode: one byte in front, as Phoenix, OpenTSDB and HBaseWD write.
    yield salt("bytes_hash (Arrays.hashCode) of the key, abs after, modulo 20, as be8"), [
        bytes([abs(rest(bytes_hash(joined(day, uid).encode()), 20))]) + joined(day, uid).encode() for day, uid in rows(50)]
    yield salt("bytes_hash (Arrays.hashCode) of the key, abs mask, modulo 255, as be8"), [
        bytes([(bytes_hash(joined(day, uid).encode()) & 0x7FFFFFFF) % 255]) + joined(day, uid).encode() for day, uid in rows(51)]
    # Bytes of the key that are not whole fields, as Pinpoint takes them.
    yield salt("bytes_hash (Arrays.hashCode) of the bytes 4 to 11 of the key, abs mask, modulo 97, as be8"), [
        bytes([(bytes_hash(joined(day, uid)[4:12].encode()) & 0x7FFFFFFF) % 97]) + joined(day, uid).encode() for day, uid in rows(52)]
    yield salt("md5, hex digits 1 to 4 of the bytes 2 to 11 of the key"), [
        f"{hashlib.md5(joined(day, uid)[2:12].encode()).hexdigest()[:4]}_{joined(day, uid)}".encode() for day, uid in rows(53)]
    # A random number added: the sum divided by the same number, or not.
    added = random.Random(54)
    yield salt("digest crc32 of `part`, modulo 50, plus a random number below 4 modulo 50, as decimal(2)"), [
        f"{(zlib.crc32(uid.encode()) % 50 + added.randrange(4)) % 50:02}_{joined(day, uid)}".encode() for day, uid in rows(55)]
    yield salt("bytes_hash (Arrays.hashCode) of the key, abs mask, modulo 20, plus a random number below 4, as be8"), [
        bytes([(bytes_hash(joined(day, uid).encode()) & 0x7FFFFFFF) % 20 + added.randrange(4)]) + joined(day, uid).encode()
        for day, uid in rows(56)]
    # A mask and a remainder, as in GBIF's maps.
    yield salt("java_hash (String.hashCode) of `day` `_` `part_2`, mask 0xfffffff, modulo 100, as decimal(2)"), [
        f"{(java_hash(joined(day, uid)) & 0x0FFFFFFF) % 100:02}:{joined(day, uid)}".encode() for day, uid in rows(90)]
    # Digits of an MD5 as a number: with a sign, as Apache Metron takes the first two bytes, and without.
    yield salt("md5, hex digits 1 to 4 of `part` as a number, abs none, modulo 1000, as be32"), [
        rest(signed(int(hashlib.md5(uid.encode()).hexdigest()[:4], 16), 16), 1000).to_bytes(4, "big", signed=True) + joined(day, uid).encode()
        for day, uid in rows(91)]
    yield salt("md5, hex digits 9 to 24 of `part` as a number, modulo 23, as decimal(2)"), [
        f"{int(hashlib.md5(uid.encode()).hexdigest()[8:24], 16) % 23:02}_{joined(day, uid)}".encode() for day, uid in rows(92)]
    # An alphabet: one character, and the end of a number of base 36, as in fluo-recipes.
    base62 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    yield salt("java_hash (String.hashCode) of `part`, abs after, modulo 62, as alphabet(0-9a-zA-Z)"), [
        f"{base62[abs(java_hash(uid)) % 62]}_{joined(day, uid)}".encode() for day, uid in rows(93)]

    def base36(n):
        return base36(n // 36) + base62[n % 36] if n > 35 else base62[n]
    yield salt("digest murmur3_32 of `day` `_` `part_2`, abs mask, modulo 1679616, as alphabet(0-9a-z, 4)"), [
        f"{base36((murmur3_32(joined(day, uid).encode()) & 0x7FFFFFFF) % 36**4):0>4}:{joined(day, uid)}".encode() for day, uid in rows(94)]
    # A constant text in front of the salt: RowHasher of fluo-recipes writes this one, another has the separator in it.
    yield salt("digest murmur3_32 of the key, abs mask, modulo 1679616, as alphabet(0-9a-z, 4), behind `d:`"), [
        f"d:{base36((murmur3_32(uid.encode()) & 0x7FFFFFFF) % 36**4):0>4}:{uid}".encode() for _, uid in rows(98)]
    yield salt("md5, hex digits 1 to 2 of `part`, behind `log_`"), [
        f"log_{hashlib.md5(uid.encode()).hexdigest()[:2]}_{joined(day, uid)}".encode() for day, uid in rows(99)]
    # Guava turns the bytes of murmur3_32 round.
    yield salt("digest guava_murmur3_32, hex digits 1 to 2 of `part`"), [
        f"{murmur3_32(uid.encode()).to_bytes(4, 'little').hex()[:2]}_{joined(day, uid)}".encode() for day, uid in rows(95)]
    # What is hashed is not what is stored: a text before it is reversed, a number before it is padded or stored in bytes.
    yield salt("md5, hex digits 1 to 3 of the original form of `part`"), [
        f"{hashlib.md5(uid.encode()).hexdigest()[:3]}_{day}_{uid[::-1]}".encode() for day, uid in rows(96)]
    numbers = random.Random(97)
    yield salt("java_hash (String.hashCode) of the original form of `part`, abs after, modulo 32, as decimal(2)"), [
        f"{abs(rest(java_hash(str(n)), 32)):02}_{n:010}".encode() for n in (numbers.randint(1, 10**9) for _ in range(KEYS))]
    yield salt("md5, hex digits 1 to 4 of the original form of `id`"), [
        hashlib.md5(str(n).encode()).hexdigest()[:4].encode() + n.to_bytes(8, "big") for n in (numbers.randint(1, 10**9) for _ in range(KEYS))]
    # Java's objects: a long, a text and a number, a text and a date, and the sum without Java's start.
    large = random.Random(110)
    phones = lambda: large.randint(13 * 10**9, 19 * 10**9)
    yield salt("long_hash_code (Long.hashCode) of `part`, abs after, modulo 96, as decimal(2)"), [
        f"{abs(rest(long_hash(n), 96)):02}_{n}".encode() for n in (phones() for _ in range(KEYS))]
    yield salt("objects_hash_code (Objects.hash) of `part` and `day`, abs after, modulo 90, as decimal(2)"), [
        f"{abs(rest(objects_hash(java_hash(uid), java_hash(day)), 90)):02}_{joined(day, uid)}".encode() for day, uid in rows(111)]
    yield salt("objects_hash_code (Objects.hash) of `part_2` and `part`, abs mask, modulo 50, as decimal(2)"), [
        f"{(objects_hash(long_hash(n), java_hash(uid)) & 0x7FFFFFFF) % 50:02}_{uid}_{n}".encode()
        for n, (_, uid) in ((phones(), row) for row in rows(112))]
    yield salt("objects_hash_code with seed 0 of `day` and `part`, abs after, modulo 64, as decimal(2)"), [
        f"{abs(rest(objects_hash(java_hash(day), java_hash(uid), seed=0), 64)):02}_{day}_{uid}".encode() for day, uid in rows(113)]
    # Other charsets: `?` for characters that they lack, and the characters as Guava's hashUnencodedChars takes them.
    narrow = lambda text, most: bytes(ord(c) if ord(c) <= most else 63 for c in text)
    yield salt("md5, hex digits 1 to 2 of `part` in us_ascii"), [
        f"{hashlib.md5(narrow(towns[at % 7] + uid, 127)).hexdigest()[:2]}_{towns[at % 7]}{uid}_{day}".encode()
        for at, (day, uid) in enumerate(rows(114))]
    yield salt("digest crc32 of `part` in iso_8859_1, modulo 40, as decimal(2)"), [
        f"{zlib.crc32(narrow(towns[at % 7] + uid, 255)) % 40:02}_{towns[at % 7]}{uid}_{day}".encode() for at, (day, uid) in enumerate(rows(115))]
    yield salt("digest murmur3_32 of `part` in utf_16le, abs after, modulo 30, as decimal(2)"), [
        f"{abs(rest(signed(murmur3_32(uid.encode('utf-16-le'))), 30)):02}_{joined(day, uid)}".encode() for day, uid in rows(116)]
    # The text of a field, and the remainder of a number.
    yield salt("text, the last 2 of `part`"), [f"{uid[-2:]}{day}{uid}".encode() for day, uid in rows(60)]
    numbers = random.Random(61)
    yield salt("modulo 24 of `part`"), [f"{n % 24:02}_{n}".encode() for n in (numbers.randint(10**6, 10**9) for _ in range(KEYS))]


def scan():
    """A table whose salt is computed from a column that is not in the key, as the HBase shell prints it at a terminal of 140 columns."""
    yield f"{'ROW':37}COLUMN+CELL"
    lines = []
    for at, (day, uid) in enumerate(rows(70)):
        key = f"{hashlib.sha1(uid.encode()).hexdigest()[:4]}_{day}_{at * 7919 % 10007:05}"
        lines += [f" {key:35} column=f:UID, timestamp=2020-04-06T01:02:03.004, value={uid}",
                  f" {key:35} column=f:n, timestamp=2020-04-06T01:02:03.004, value=\\x00\\x00\\x00\\x{at:02X}"]
        if at % 3 == 0:
            lines.append(f" {key:35} column=g:note, timestamp=2020-04-06T01:02:03.004, value=a, timestamp=1, value=b")
    yield from sorted(lines)
    yield f"{KEYS} row(s)"
    yield "Took 0.1234 seconds"


def binary():
    """Salts of one byte: in turn, as HBaseWD writes them, and before binary keys of OpenTSDB and Phoenix."""
    draw = random.Random(80)
    one_byte = lambda hashed, n: bytes([abs(rest(bytes_hash(hashed), n))])
    yield "in_turn.txt", [bytes([at % 8]) + f"{day}_{uid}".encode() for at, (day, uid) in enumerate(rows(81))]
    points = []
    for _ in range(KEYS):
        metric, tags = draw.randint(1, 300).to_bytes(3, "big"), b"\0\0\1" + draw.randint(1, 5000).to_bytes(3, "big")
        hour = (1356998400 + 3600 * draw.randint(0, 5000)).to_bytes(4, "big")
        points.append(one_byte(metric + tags, 20) + metric + hour + tags)
    yield "opentsdb.txt", points
    phoenix = []
    for _ in range(KEYS):
        text = "".join(draw.choice("abcdef") for _ in range(draw.randint(2, 9)))
        key = (draw.randint(-10**6, 10**6) + 2**31).to_bytes(4, "big") + f"{text}\0{draw.randint(100, 999)}".encode()
        phoenix.append(one_byte(key, 16) + key)
    yield "phoenix.txt", phoenix


def main():
    for name, keys in binary():
        Path(__file__).with_name(name).write_text("".join(shown(key) + "\n" for key in keys))
    Path(__file__).with_name("scan.txt").write_text("\n".join(scan()) + "\n")
    lines = []
    for expected, keys in cases():
        lines += [f"== {expected}", *(shown(key) for key in keys)]
    Path(__file__).with_name("keys.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
