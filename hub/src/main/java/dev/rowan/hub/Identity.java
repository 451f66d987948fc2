package dev.rowan.hub;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/** Names for contents, and whether a file has the content that its name says. */
final class Identity {
  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern SHA1 = Pattern.compile("[0-9a-f]{40}");
  private static final Pattern SAFE =
      Pattern.compile("(?:sha256|etag)-[0-9a-f]{64}|git-[0-9a-f]{40}");

  private Identity() {}

  static boolean isSha256(String text) {
    return SHA256.matcher(text).matches();
  }

  static boolean isSha1(String text) {
    return SHA1.matcher(text).matches();
  }

  /** Returns whether a text is a name of this kind, which is also a safe name for a folder. */
  static boolean isSafe(String text) {
    return SAFE.matcher(text).matches();
  }

  static String sha256(String digest) {
    return "sha256-" + digest;
  }

  static String git(String blob) {
    return "git-" + blob;
  }

  /** Returns a name for a version of an address. */
  static String version(String address, String version, long size) {
    return "etag-" + digest(address + "\n" + version + "\n" + size);
  }

  /**
   * Returns the name that a hub's or another server's answer gives to a file. The hub says in a
   * header of its own what it redirects to; for files of its own it is the ETag.
   */
  static String of(Reply reply, String address, long size) {
    String etag =
        reply
            .first()
            .firstValue("X-Linked-ETag")
            .or(() -> reply.first().firstValue("ETag"))
            .or(() -> reply.header("ETag"))
            .orElse("");
    String bare = etag.replaceFirst("^W/", "").replace("\"", "");
    Optional<String> hub =
        reply.first().firstValue("X-Repo-Commit").isEmpty()
            ? Optional.empty()
            : isSha256(bare)
                ? Optional.of(sha256(bare))
                : isSha1(bare) ? Optional.of(git(bare)) : Optional.empty();
    String version = etag.isEmpty() ? reply.header("Last-Modified").orElse("") : etag;
    return hub.orElseGet(() -> version(address, version, size));
  }

  /** Returns the SHA-256 of a text, in hexadecimal digits. */
  static String digest(String text) {
    return HexFormat.of()
        .formatHex(algorithm("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** Returns whether a file has the content of a name; true if the name does not tell. */
  static boolean fits(String identity, Path file) throws IOException {
    String kind = identity.substring(0, identity.indexOf('-'));
    String wanted = identity.substring(kind.length() + 1);
    return switch (kind) {
      case "sha256" -> wanted.equals(digest(file, algorithm("SHA-256"), false));
      case "git" -> wanted.equals(digest(file, algorithm("SHA-1"), true));
      default -> true;
    };
  }

  private static String digest(Path file, MessageDigest digest, boolean asBlob) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      if (asBlob) {
        digest.update(("blob " + channel.size() + "\0").getBytes(StandardCharsets.UTF_8));
      }
      ByteBuffer buffer = ByteBuffer.allocate(1 << 20);
      while (channel.read(buffer.clear()) >= 0) {
        digest.update(buffer.flip());
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest algorithm(String name) {
    try {
      return MessageDigest.getInstance(name);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has " + name, e);
    }
  }
}
