import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRulesProvider;

/**
 * Prints the release of Java's tables of zones; then for each line of the input, {@code zone second}, the offset of the
 * zone at that second and the second at which its clock shows the same date and time as UTC does then.
 */
public final class Zones {
    public static void main(String[] arguments) throws Exception {
        System.out.println(ZoneRulesProvider.getVersions("UTC").lastKey());
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line; (line = lines.readLine()) != null; ) {
            String[] words = line.split(" ");
            long second = Long.parseLong(words[1]);
            String printed = "unknown";
            if (ZoneId.getAvailableZoneIds().contains(words[0])) {
                ZoneId zone = ZoneId.of(words[0]);
                LocalDateTime shown = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC);
                int offset = zone.getRules().getOffset(Instant.ofEpochSecond(second)).getTotalSeconds();
                printed = offset + " " + shown.atZone(zone).toEpochSecond();
            }
            System.out.println(printed);
        }
    }
}
