import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The rows of the examples' default workloads, their keys and their regions in Java: what the lane engine is compared
 * with. `tuned` reuses one digest and byte arrays and searches the split keys by halves; `plain` is how one writes it
 * down at first: strings, a digest a key, one split key after the other.
 *
 * Reads `splits HEX,HEX,…` and `run SCHEME VARIANT THREADS ROWS TOTAL SEED` lines, and answers a run with its
 * nanoseconds and the puts of every region.
 */
public final class Peer {
    static final long GOLDEN = 0x9E3779B97F4A7C15L;
    static final byte[] WORDS =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".getBytes(StandardCharsets.US_ASCII);
    static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    static final long DAY = LocalDate.of(2025, 1, 1).toEpochDay();
    static final long SECOND = DAY * 86_400;
    static final long DAYS = 30;
    /** 62^8 and 62^4: random text is drawn in groups of eight characters. */
    static final long EIGHT = 218_340_105_584_896L;
    static final long FOUR = 14_776_336L;

    static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    static long bits(long key, long row) {
        return mix(key + row * GOLDEN);
    }

    static long stream(long seed, long stream) {
        return mix(mix(seed + GOLDEN) + (stream + 1) * GOLDEN);
    }

    static long below(long bits, long count) {
        return Math.multiplyHigh(bits, count) + (bits < 0 ? count : 0);
    }

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        byte[][] splits = {};
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            if (words[0].equals("splits")) {
                splits = Arrays.stream(words[1].split(",")).map(HexFormat.of()::parseHex).toArray(byte[][]::new);
            } else {
                answer(words, splits);
            }
        }
    }

    static void answer(String[] words, byte[][] splits) throws Exception {
        int threads = Integer.parseInt(words[3]);
        long rows = Long.parseLong(words[4]);
        Job[] jobs = new Job[threads];
        for (int i = 0; i < threads; i++) {
            jobs[i] = words[2].equals("tuned") ? new Tuned(words[1]) : new Plain(words[1]);
            jobs[i].setUp(splits, Long.parseLong(words[5]), Long.parseLong(words[6]));
            jobs[i].first = rows * i / threads;
            jobs[i].stop = rows * (i + 1) / threads;
        }
        long begin = System.nanoTime();
        for (int i = 1; i < threads; i++) {
            jobs[i].start();
        }
        jobs[0].run();
        for (int i = 1; i < threads; i++) {
            jobs[i].join();
        }
        long nanoseconds = System.nanoTime() - begin;
        StringBuilder puts = new StringBuilder().append(nanoseconds);
        for (int region = 0; region <= splits.length; region++) {
            long sum = 0;
            for (Job job : jobs) {
                sum += job.puts[region];
            }
            puts.append(' ').append(sum);
        }
        System.out.println(puts);
    }

    abstract static class Job extends Thread {
        final String scheme;
        byte[][] splits;
        long[] puts;
        long total;
        long first;
        long stop;
        long field0;
        long field0b;
        long field1;
        long field1b;

        Job(String scheme) {
            this.scheme = scheme;
        }

        void setUp(byte[][] splits, long total, long seed) {
            this.splits = splits;
            this.total = total;
            puts = new long[splits.length + 1];
            field0 = stream(seed, 0);
            field1 = stream(seed, 1);
            field0b = stream(field0, 1);
            field1b = stream(field1, 1);
        }
    }

    static final class Tuned extends Job {
        final byte[] key = new byte[64];
        final byte[] message = new byte[64];
        final byte[] digest = new byte[16];
        final byte[] date = new byte[8];
        long dateOf = Long.MIN_VALUE;
        MessageDigest md5;

        Tuned(String scheme) {
            super(scheme);
        }

        @Override
        public void run() {
            try {
                md5 = MessageDigest.getInstance("MD5");
                switch (scheme) {
                    case "md5_nibble_day" -> nibbleDay();
                    case "md5_prefix" -> prefix();
                    case "md5_sampled" -> sampled();
                    case "md5_whole" -> whole();
                    case "hash_prefix_short" -> hashPrefix();
                    case "region_number" -> regionNumber();
                    case "modulo_partition" -> modulo();
                    default -> throw new IllegalArgumentException(scheme);
                }
            } catch (Exception error) {
                throw new IllegalStateException(error);
            }
        }

        void nibbleDay() throws Exception {
            for (long row = first; row < stop; row++) {
                putDate(DAY + DAYS * row / total, key, 3);
                words(field1, field1b, row, key, 11);
                md5.update(key, 3, 20);
                md5.digest(digest, 0, 16);
                int salt = (digest[0] & 0xff) >> 4;
                key[0] = '0';
                key[1] = (byte) ('0' + salt / 10);
                key[2] = (byte) ('0' + salt % 10);
                count(23);
            }
        }

        void prefix() throws Exception {
            key[8] = '_';
            key[19] = '_';
            for (long row = first; row < stop; row++) {
                digits(below(bits(field0, row), 10_000_000_000L), key, 9, 10);
                words(field1, field1b, row, key, 20);
                md5.update(key, 9, 23);
                md5.digest(digest, 0, 16);
                hex(4);
                count(32);
            }
        }

        void sampled() throws Exception {
            for (long row = first; row < stop; row++) {
                putLong(row, 8);
                md5.update(key, 8, 8);
                md5.digest(digest, 0, 16);
                hex(4);
                count(16);
            }
        }

        void whole() throws Exception {
            for (long row = first; row < stop; row++) {
                digits(below(bits(field0, row), 10_000_000_000L), message, 0, 10);
                words(field1, field1b, row, message, 10);
                md5.update(message, 0, 22);
                md5.digest(digest, 0, 16);
                hex(16);
                count(32);
            }
        }

        void hashPrefix() {
            for (long row = first; row < stop; row++) {
                digits(below(bits(field0, row), 10_000_000_000L), key, 2, 10);
                words(field1, field1b, row, key, 12);
                int hash = 0;
                for (int i = 2; i < 24; i++) {
                    hash = 31 * hash + key[i];
                }
                hash &= 0x7fff;
                key[0] = (byte) (hash >> 8);
                key[1] = (byte) hash;
                count(24);
            }
        }

        void regionNumber() {
            key[1] = '_';
            key[13] = '_';
            for (long row = first; row < stop; row++) {
                digits(below(bits(field0, row), 100_000_000_000L), key, 2, 11);
                long second = SECOND + DAYS * 86_400 * row / total;
                putDate(Math.floorDiv(second, 86_400L), key, 14);
                int time = (int) Math.floorMod(second, 86_400L);
                two(time / 3_600, key, 22);
                two(time / 60 % 60, key, 24);
                two(time % 60, key, 26);
                int tel = 0;
                for (int i = 9; i < 13; i++) {
                    tel = 31 * tel + key[i];
                }
                int month = 0;
                for (int i = 14; i < 20; i++) {
                    month = 31 * month + key[i];
                }
                key[0] = (byte) ('0' + Math.abs(tel ^ month) % 6);
                count(28);
            }
        }

        void modulo() {
            for (long row = first; row < stop; row++) {
                putLong(row % 20, 0);
                putLong(row, 8);
                count(16);
            }
        }

        void count(int length) {
            int low = 0;
            int high = splits.length;
            while (low < high) {
                int middle = (low + high) >>> 1;
                byte[] split = splits[middle];
                if (Arrays.compareUnsigned(split, 0, split.length, key, 0, length) <= 0) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            puts[low]++;
        }

        void hex(int bytes) {
            for (int i = 0; i < bytes; i++) {
                key[2 * i] = HEX[(digest[i] >> 4) & 15];
                key[2 * i + 1] = HEX[digest[i] & 15];
            }
        }

        void putLong(long number, int at) {
            for (int i = 7; i >= 0; i--) {
                key[at + i] = (byte) number;
                number >>= 8;
            }
        }

        void putDate(long day, byte[] text, int at) {
            if (day != dateOf) {
                byte[] fresh =
                    LocalDate.ofEpochDay(day).format(DateTimeFormatter.BASIC_ISO_DATE).getBytes(StandardCharsets.US_ASCII);
                System.arraycopy(fresh, 0, date, 0, 8);
                dateOf = day;
            }
            System.arraycopy(date, 0, text, at, 8);
        }

        static void two(int number, byte[] text, int at) {
            text[at] = (byte) ('0' + number / 10);
            text[at + 1] = (byte) ('0' + number % 10);
        }

        static void digits(long number, byte[] text, int at, int width) {
            for (int i = at + width - 1; i >= at; i--) {
                text[i] = (byte) ('0' + number % 10);
                number /= 10;
            }
        }

        /** Twelve characters of letters and digits. */
        static void words(long key, long keyB, long row, byte[] text, int at) {
            words(below(bits(key, row), EIGHT), text, at, 8);
            words(below(bits(keyB, row), FOUR), text, at + 8, 4);
        }

        static void words(long number, byte[] text, int at, int width) {
            for (int i = at + width - 1; i >= at; i--) {
                text[i] = WORDS[(int) (number % 62)];
                number /= 62;
            }
        }
    }

    static final class Plain extends Job {
        static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMddHHmmss");

        Plain(String scheme) {
            super(scheme);
        }

        @Override
        public void run() {
            try {
                for (long row = first; row < stop; row++) {
                    byte[] key = key(row);
                    int region = 0;
                    while (region < splits.length && Arrays.compareUnsigned(splits[region], key) <= 0) {
                        region++;
                    }
                    puts[region]++;
                }
            } catch (Exception error) {
                throw new IllegalStateException(error);
            }
        }

        byte[] key(long row) throws Exception {
            switch (scheme) {
                case "md5_nibble_day": {
                    String day = LocalDate.ofEpochDay(DAY + DAYS * row / total).format(DateTimeFormatter.BASIC_ISO_DATE);
                    String key = day + words(field1, field1b, row);
                    int salt = Integer.parseInt(md5(utf8(key)).substring(0, 1), 16);
                    return utf8(String.format("%03d", salt) + key);
                }
                case "md5_prefix": {
                    String key = customer(row) + "_" + words(field1, field1b, row);
                    return utf8(md5(utf8(key)).substring(0, 8) + "_" + key);
                }
                case "md5_sampled": {
                    byte[] id = ByteBuffer.allocate(8).putLong(row).array();
                    return concat(utf8(md5(id).substring(0, 8)), id);
                }
                case "md5_whole":
                    return utf8(md5(utf8(customer(row) + words(field1, field1b, row))));
                case "hash_prefix_short": {
                    String key = customer(row) + words(field1, field1b, row);
                    return concat(ByteBuffer.allocate(2).putShort((short) (key.hashCode() & 0x7fff)).array(), utf8(key));
                }
                case "region_number": {
                    String tel = String.format("%011d", below(bits(field0, row), 100_000_000_000L));
                    long second = SECOND + DAYS * 86_400 * row / total;
                    String time = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC).format(TIME);
                    int hash = tel.substring(7).hashCode() ^ time.substring(0, 6).hashCode();
                    return utf8(Math.abs(hash) % 6 + "_" + tel + "_" + time);
                }
                case "modulo_partition":
                    return ByteBuffer.allocate(16).putLong(row % 20).putLong(row).array();
                default:
                    throw new IllegalArgumentException(scheme);
            }
        }

        String customer(long row) {
            return String.format("%010d", below(bits(field0, row), 10_000_000_000L));
        }

        static String words(long key, long keyB, long row) {
            return text(below(bits(key, row), EIGHT), 8) + text(below(bits(keyB, row), FOUR), 4);
        }

        static String text(long number, int width) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < width; i++) {
                text.append((char) WORDS[(int) (number % 62)]);
                number /= 62;
            }
            return text.reverse().toString();
        }

        static String md5(byte[] message) throws Exception {
            StringBuilder hex = new StringBuilder();
            for (byte one : MessageDigest.getInstance("MD5").digest(message)) {
                hex.append(String.format("%02x", one));
            }
            return hex.toString();
        }

        static byte[] utf8(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }

        static byte[] concat(byte[] left, byte[] right) {
            return ByteBuffer.allocate(left.length + right.length).put(left).put(right).array();
        }
    }
}
