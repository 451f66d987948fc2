package dev.rowan.hub;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file on the web, read by ranges (RFC 9110, section 14). A server that ignores ranges is read
 * from the start, up to the last byte that is wanted. What a server says of the size is held
 * against what it said before. Safe for any number of threads.
 */
final class RemoteFile implements ByteSource {
  private static final Pattern LENGTH = Pattern.compile("\\d{1,18}");
  private static final Pattern CONTENT_RANGE =
      Pattern.compile("bytes\\s+(\\d{1,18})-(\\d{1,18})/(\\d{1,18}|\\*)");

  /**
   * What is asked for.
   *
   * @param name the file, for messages
   * @param uri where it is
   * @param about what is known of it
   */
  record Asked(String name, URI uri, Refusals.About about) {}

  private final Transport transport;
  private final Retries retries;
  private final Refusals refusals;
  private final RemoteSpec model;
  private final String name;
  private final URI uri;
  private final Refusals.About about;

  private OptionalLong size;
  private boolean ranges = true;
  private boolean met;
  private @Nullable String version;
  private @Nullable URI located;
  private @Nullable Reply lastReply;

  /**
   * Makes a file.
   *
   * @param size how many bytes it has, where a listing says so
   */
  RemoteFile(Contact contact, Asked asked, OptionalLong size) {
    this.transport = contact.transport();
    this.retries = contact.retries();
    this.refusals = contact.refusals();
    this.model = contact.model();
    this.name = asked.name();
    this.uri = asked.uri();
    this.about = asked.about();
    this.size = size;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long size() throws IOException {
    meet();
    synchronized (this) {
      return size.orElseThrow();
    }
  }

  @Override
  public boolean readsParts() throws IOException {
    meet();
    synchronized (this) {
      return ranges;
    }
  }

  /** Returns the last answer that brought bytes. */
  Reply reply() throws IOException {
    meet();
    synchronized (this) {
      if (lastReply == null) {
        throw new IllegalStateException("nothing was read yet");
      }
      return lastReply;
    }
  }

  private void meet() throws IOException {
    boolean known;
    synchronized (this) {
      known = met;
    }
    if (!known) {
      head(1);
    }
  }

  /** Returns the first bytes: as many as asked for, or all if there are fewer. */
  byte[] head(int count) throws IOException {
    return retries.run(() -> {
      Buffer head = new Buffer(count);
      Reply reply = ask(0, count, head);
      if (reply.status() == 416 && isMaybeEmpty()) {
        throw wrong("is an empty file");
      }
      check(reply);
      synchronized (this) {
        long expected = Math.min(count, size.orElse(count));
        if (head.size() < expected) {
          throw new IOException("%s ended early".formatted(name));
        }
      }
      return head.toArray();
    });
  }

  private synchronized boolean isMaybeEmpty() {
    return size.orElse(0) == 0;
  }

  @Override
  public void read(long from, long to, Sink sink, LongConsumer reached) throws IOException {
    Exactly exactly = new Exactly(sink, to - from, reached);
    retries.run(
        () -> {
          while (exactly.left() > 0) {
            long before = exactly.left();
            check(ask(to - exactly.left(), to, exactly));
            if (exactly.left() == before) {
              throw new IOException("%s sent none of the bytes asked for".formatted(name));
            }
          }
          return to;
        },
        () -> to - from - exactly.left());
  }

  /**
   * Reads the whole file, whose size need not be known.
   *
   * @param limit the most bytes to accept
   * @return how many there were
   */
  long readAll(long limit, Sink sink) throws IOException {
    AtMost most = new AtMost(sink, limit);
    return retries.run(
        () -> {
          check(ask(most.taken(), -1, most));
          if (most.isOver()) {
            throw wrong("has more than %,d bytes, the most that is read of it".formatted(limit));
          }
          synchronized (this) {
            if (size.isPresent() && most.taken() < size.getAsLong()) {
              throw new IOException("%s ended early".formatted(name));
            }
          }
          return most.taken();
        },
        most::taken);
  }

  private void check(Reply reply) throws IOException {
    if (!reply.isSuccess()) {
      throw refusals.of(reply, name, about);
    }
  }

  /** Asks once for bytes from {@code from} on, up to {@code to}, or to the end if that is −1. */
  private Reply ask(long from, long to, Sink sink) throws IOException {
    URI known;
    synchronized (this) {
      known = located;
    }
    Map<String, String> headers =
        to < 0 && from == 0
            ? Map.of()
            : Map.of("Range", "bytes=%d-%s".formatted(from, to < 0 ? "" : String.valueOf(to - 1)));
    boolean done = false;
    try {
      Reply reply =
          transport.get(
              known == null ? uri : known, headers, answer -> open(answer, from, to, sink));
      done = reply.isSuccess();
      if (!done && known != null && reply.status() != 429) {
        // the address that the hub led to has run out; the hub makes a new one
        throw new IOException("the address of %s has run out".formatted(name));
      }
      if (done && known == null && !reply.from().equals(uri)) {
        synchronized (this) {
          located = reply.from();
        }
      }
      return reply;
    } finally {
      if (!done) {
        forget(known);
      }
    }
  }

  /** An address that failed is not used again; one that came meanwhile is. */
  private synchronized void forget(@Nullable URI failed) {
    if (failed != null && failed.equals(located)) {
      located = null;
    }
  }

  private Sink open(Reply reply, long from, long to, Sink sink) throws IOException {
    String encoding = reply.header("Content-Encoding").orElse("identity");
    if (!encoding.equalsIgnoreCase("identity")) {
      throw wrong("comes %s-encoded, though it was asked for as it is".formatted(encoding));
    }
    if (reply.status() == 206) {
      long total = partial(reply, from, to);
      learn(reply, total < 0 ? OptionalLong.empty() : OptionalLong.of(total), true);
      return sink;
    }
    if (reply.status() != 200) {
      throw wrong("comes with HTTP %d, which is not understood".formatted(reply.status()));
    }
    boolean part = from > 0 || to >= 0;
    learn(reply, length(reply), part);
    if (part) {
      synchronized (this) {
        ranges = false;
      }
    }
    return from == 0 ? sink : new Behind(sink, from);
  }

  private static OptionalLong length(Reply reply) {
    return reply
        .header("Content-Length")
        .filter(text -> LENGTH.matcher(text).matches())
        .map(text -> OptionalLong.of(Long.parseLong(text)))
        .orElse(OptionalLong.empty());
  }

  /** Checks the range that came and returns the file's size, −1 if it is not told. */
  private long partial(Reply reply, long from, long to) throws HubException {
    String text = reply.header("Content-Range").orElse("none");
    Matcher matcher = CONTENT_RANGE.matcher(text);
    if (!matcher.matches()) {
      throw wrong("comes in part without saying which (Content-Range: %s)".formatted(text));
    }
    long first = Long.parseLong(matcher.group(1));
    long last = Long.parseLong(matcher.group(2));
    long total = matcher.group(3).equals("*") ? -1 : Long.parseLong(matcher.group(3));
    boolean beyond = total >= 0 && last >= total;
    if (first != from || last < first || (to >= 0 && last >= to) || beyond) {
      throw wrong(
          "comes as %s, but bytes %d-%s were asked for"
              .formatted(text, from, to < 0 ? "" : String.valueOf(to - 1)));
    }
    return total;
  }

  /** Holds what an answer says of the file against what is known of it. */
  private synchronized void learn(Reply reply, OptionalLong told, boolean sizeNeeded)
      throws HubException {
    if (told.isPresent() && size.isPresent() && told.getAsLong() != size.getAsLong()) {
      throw wrong(
          "has %,d bytes, but %,d were announced; it may have changed meanwhile, try again"
              .formatted(told.getAsLong(), size.getAsLong()));
    }
    if (told.isPresent()) {
      size = told;
    }
    if (size.isEmpty() && sizeNeeded) {
      throw wrong("comes without its size; download it and name the file with -m");
    }
    String etag = reply.header("ETag").filter(tag -> tag.startsWith("\"")).orElse(null);
    if (version != null && etag != null && !version.equals(etag)) {
      throw wrong("changed on the server while it was read; try again");
    }
    if (etag != null) {
      version = etag;
    }
    met = true;
    lastReply = reply;
  }

  private HubException wrong(String what) {
    return new HubException("%s: %s %s".formatted(model.text(), name, what));
  }

  /** Takes the first bytes into memory. */
  private static final class Buffer implements Sink {
    private final byte[] bytes;
    private int size;

    Buffer(int count) {
      this.bytes = new byte[count];
    }

    @Override
    public synchronized boolean take(ByteBuffer buffer) {
      int count = Math.min(buffer.remaining(), bytes.length - size);
      buffer.get(bytes, size, count);
      size += count;
      return size < bytes.length;
    }

    synchronized int size() {
      return size;
    }

    synchronized byte[] toArray() {
      return java.util.Arrays.copyOf(bytes, size);
    }
  }
}
