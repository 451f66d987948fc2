package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Stretches of a remote file are its bytes, whatever was looked at before. */
class GlimpsesTest extends HubFixture {
  private static final byte[] FILE = new byte[1_000_000];

  static {
    new SplittableRandom(7).nextBytes(FILE);
  }

  private Glimpses look(Transport transport, long limit) throws IOException {
    server.withLarge("x.bin", FILE);
    HubSpec spec = (HubSpec) RemoteSpec.parse(SPEC, settings.endpoint());
    Contact contact = Contact.of(spec, transport, notes);
    Store store = new Store(settings.cache());
    HubCatalog catalog = new HubCatalog(spec, contact, store, notes);
    Entry entry =
        new Entry(
            "x.bin",
            OptionalLong.of(FILE.length),
            Optional.of(Identity.sha256(FakeHub.sha256(FILE))),
            URI.create(server.storeAddress() + "/x.bin"));
    Listing listing = new Listing(FakeHub.COMMIT, List.of(entry));
    return new Glimpses(new Fetcher(catalog, listing, store, settings, notes), entry, limit);
  }

  private static byte[] bytes(MemorySegment segment) {
    return segment.toArray(ValueLayout.JAVA_BYTE);
  }

  @Test
  void areTheBytesOfTheFileInAnyOrder() throws IOException {
    try (Transport transport = new Transport(settings)) {
      Glimpses look = look(transport, 50_000_000);
      SplittableRandom random = new SplittableRandom(11);
      for (int i = 0; i < 200; i++) {
        int from = random.nextInt(FILE.length + 1);
        int count = random.nextInt(Math.min(FILE.length - from, 1 << random.nextInt(18)) + 1);
        assertThat(bytes(look.stretch(from, count)))
            .isEqualTo(Arrays.copyOfRange(FILE, from, from + count));
      }
    }
  }

  @Test
  void fetchOnlyWhatLiesBeforeWhatIsHere() throws IOException {
    try (Transport transport = new Transport(settings)) {
      Glimpses look = look(transport, 50_000_000);
      look.stretch(900_000, 100_000);
      server.requests.clear();
      assertThat(bytes(look.stretch(890_000, 110_000)))
          .isEqualTo(Arrays.copyOfRange(FILE, 890_000, 1_000_000));
      assertThat(server.bytesAskedOf("x.bin")).isEqualTo(10_000);
    }
  }

  @Test
  void refuseMoreThanTheLimit() throws IOException {
    try (Transport transport = new Transport(settings)) {
      Glimpses look = look(transport, 100_000);
      look.stretch(500_000, 60_000);
      assertThatThrownBy(() -> look.stretch(700_000, 60_000))
          .isInstanceOf(FormatException.class)
          .hasMessage(
              "x.bin: what describes the tensors is above the limit of 100,000 bytes; raise the limit (ROWAN_HEADER_LIMIT) if you trust this file (at byte 700000)");
      assertThatThrownBy(() -> look.stretch(FILE.length, 1))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }
}
