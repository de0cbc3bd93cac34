import java.io.PrintWriter;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;

/** Runs the cases of classes: each line of NAME.cases gives a line of NAME.results. */
public final class Driver {
    private static byte[] bytes(String hex) {
        byte[] bytes = new byte[hex.length() / 2];
        for (int at = 0; at < bytes.length; at++) {
            bytes[at] = (byte) Integer.parseInt(hex.substring(2 * at, 2 * at + 2), 16);
        }
        return bytes;
    }

    private static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte one : bytes) {
            text.append(Character.forDigit(one >> 4 & 15, 16)).append(Character.forDigit(one & 15, 16));
        }
        return text.toString();
    }

    private static Object value(String token) {
        String text = token.substring(1);
        switch (token.charAt(0)) {
            case 's':
                return new String(bytes(text), StandardCharsets.UTF_8);
            case 'n':
                return Long.valueOf(text);
            case 'b':
                return bytes(text);
            default:
                return null;
        }
    }

    private static String written(Object value) {
        if (value == null) {
            return "-";
        }
        if (value instanceof byte[]) {
            return "b" + hex((byte[]) value);
        }
        return value instanceof String ? "s" + hex(((String) value).getBytes(StandardCharsets.UTF_8)) : "n" + value;
    }

    private static String result(Class<?> key, Method encode, Method decode, String line) throws Exception {
        String[] tokens = line.split(" ");
        try {
            if (tokens[0].equals("D")) {
                Object read = decode.invoke(null, (Object) bytes(tokens.length > 1 ? tokens[1] : ""));
                StringBuilder text = new StringBuilder("v");
                for (Field field : key.getFields()) {
                    text.append(' ').append(written(field.get(read)));
                }
                return text.toString();
            }
            Object[] values = Arrays.stream(tokens).skip(1).map(Driver::value).toArray();
            return "k" + hex((byte[]) encode.invoke(null, values));
        } catch (InvocationTargetException error) {
            if (error.getCause() instanceof IllegalArgumentException) {
                return "!" + hex(error.getCause().getMessage().getBytes(StandardCharsets.UTF_8));
            }
            throw error;
        }
    }

    public static void main(String[] names) throws Exception {
        for (String name : names) {
            Class<?> key = Class.forName("K_" + name);
            Method encode = null;
            for (Method method : key.getMethods()) {
                encode = method.getName().equals("encode") ? method : encode;
            }
            Method decode = key.getMethod("decode", byte[].class);
            try (PrintWriter results = new PrintWriter(name + ".results", "UTF-8")) {
                for (String line : Files.readAllLines(Paths.get(name + ".cases"))) {
                    results.println(result(key, encode, decode, line));
                }
            }
            Class.forName("K_" + name + "Test").getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        }
    }
}
