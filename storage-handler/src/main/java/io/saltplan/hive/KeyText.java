package io.saltplan.hive;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** What a comparison with a text says about the bytes of the key. */
interface KeyText {
  /** Keys whose text is at least this one. */
  KeySet atLeast(String text);

  /** Keys whose text is above this one. */
  KeySet above(String text);

  /** Keys whose text is at most this one. */
  KeySet atMost(String text);

  /** Keys whose text is below this one. */
  KeySet below(String text);

  /** Keys whose text is this one. */
  KeySet equalTo(String text);

  /** The key itself is compared, as a string: its bytes are the UTF-8 bytes of the text. */
  KeyText PLAIN =
      new KeyText() {
        @Override
        public KeySet atLeast(String text) {
          return keys(text, KeyRange::from);
        }

        @Override
        public KeySet above(String text) {
          return keys(text, key -> KeyRange.from(KeyRange.after(key)));
        }

        @Override
        public KeySet atMost(String text) {
          return keys(text, key -> KeyRange.below(KeyRange.after(key)));
        }

        @Override
        public KeySet below(String text) {
          return keys(text, KeyRange::below);
        }

        @Override
        public KeySet equalTo(String text) {
          return keys(text, KeyRange::point);
        }

        private KeySet keys(String text, Function<byte[], KeyRange> range) {
          byte[] key = utf8(text);
          return key == null ? KeySet.ALL : KeySet.of(range.apply(key));
        }

        /**
         * Null if keys with other bytes may be equal to the text: Java reads every invalid byte as U+FFFD, and some of Hive's
         * functions compare Java strings.
         */
        private byte[] utf8(String text) {
          if (text.indexOf('\uFFFD') >= 0) return null;
          try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] key = new byte[bytes.remaining()];
            bytes.get(key);
            return key;
          } catch (CharacterCodingException halfOfAPair) {
            return null;
          }
        }
      };

  /**
   * {@code hex(key)} is compared: two digits (0 to 9, A to F) for each byte. These texts sort like the bytes, so the keys are
   * known exactly for every constant.
   */
  KeyText HEX =
      new KeyText() {
        private static final String DIGITS = "0123456789ABCDEF";

        @Override
        public KeySet atLeast(String text) {
          byte[] key = least(text);
          return key == null ? KeySet.NONE : KeySet.of(KeyRange.from(key));
        }

        @Override
        public KeySet above(String text) {
          return isHex(text) ? KeySet.of(KeyRange.from(KeyRange.after(bytes(text)))) : atLeast(text);
        }

        @Override
        public KeySet atMost(String text) {
          return isHex(text) ? KeySet.of(KeyRange.below(KeyRange.after(bytes(text)))) : below(text);
        }

        @Override
        public KeySet below(String text) {
          byte[] key = least(text);
          return key == null ? KeySet.ALL : KeySet.of(KeyRange.below(key));
        }

        @Override
        public KeySet equalTo(String text) {
          return isHex(text) ? KeySet.of(KeyRange.point(bytes(text))) : KeySet.NONE;
        }

        private boolean isHex(String text) {
          return text.length() % 2 == 0 && digits(text) == text.length();
        }

        /** The number of leading hex digits. */
        private int digits(String text) {
          int count = 0;
          while (count < text.length() && DIGITS.indexOf(text.charAt(count)) >= 0) count++;
          return count;
        }

        /** The smallest key whose hex text is at least this text; null if there is none. */
        private byte[] least(String text) {
          int digits = digits(text);
          String head = text.substring(0, digits);
          if (digits == text.length()) return bytes(head);
          char other = text.charAt(digits);
          for (char digit : DIGITS.toCharArray()) {
            if (digit > other) return bytes(head + digit);
          }
          // No digit is greater than this character, so the digits before it must be increased.
          for (int i = digits - 1; i >= 0; i--) {
            int digit = DIGITS.indexOf(head.charAt(i));
            if (digit < 15) return bytes(head.substring(0, i) + DIGITS.charAt(digit + 1));
          }
          return null;
        }

        /** The bytes of hex digits; a missing last digit counts as zero. */
        private byte[] bytes(String digits) {
          byte[] bytes = new byte[(digits.length() + 1) / 2];
          for (int i = 0; i < digits.length(); i++) {
            bytes[i / 2] |= (byte) (DIGITS.indexOf(digits.charAt(i)) << (i % 2 == 0 ? 4 : 0));
          }
          return bytes;
        }
      };
}
