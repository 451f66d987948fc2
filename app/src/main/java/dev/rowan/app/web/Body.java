package dev.rowan.app.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Bytes to send, with their tag and their compressed form, each made when first asked for. */
final class Body {
  private static final int WORTHWHILE = 1024; // bytes; below that gzip saves nothing on the wire

  private final byte[] bytes;
  private final String type;
  private volatile byte @Nullable [] compressed;
  private volatile @Nullable String tag;

  Body(byte[] bytes, String type) {
    this.bytes = bytes;
    this.type = type;
  }

  byte[] bytes() {
    return bytes;
  }

  String type() {
    return type;
  }

  /** Returns whether a compressed form is worth sending. */
  boolean isCompressible() {
    return bytes.length >= WORTHWHILE && !type.startsWith("image/png");
  }

  /** Returns the bytes compressed. */
  byte[] gzip() {
    byte[] known = compressed;
    if (known == null) {
      known = gzip(bytes);
      compressed = known;
    }
    return known;
  }

  private static byte[] gzip(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 3 + 64);
    try (GZIPOutputStream gzip =
        new GZIPOutputStream(out) {
          {
            def.setLevel(Deflater.BEST_SPEED); // answers go over the loopback or a local network
          }
        }) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot fail to be written", e);
    }
    return out.toByteArray();
  }

  /** Returns a weak entity tag, the same for both forms. */
  String tag() {
    String known = tag;
    if (known == null) {
      try {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
        known = "W/\"" + HexFormat.of().formatHex(digest, 0, 12) + "\"";
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every JDK has SHA-256", e);
      }
      tag = known;
    }
    return known;
  }
}
