package dev.rowan.app.web;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The pages, read into memory once from the list that their build leaves. Only what is on the list
 * can be asked for: a request path is a key of a map and never a path of a file.
 */
final class Site {
  private static final String FOLDER = "/dev/rowan/app/web/site/";

  private final Map<String, Body> files;

  private Site(Map<String, Body> files) {
    this.files = files;
  }

  /** Reads the pages. */
  static Site read() throws IOException {
    Map<String, Body> files = new LinkedHashMap<>();
    byte[] list = resource("files.txt");
    if (list != null) {
      for (String name : new String(list, StandardCharsets.UTF_8).split("\n", -1)) {
        byte[] bytes = name.isBlank() ? null : resource(name);
        if (bytes != null) {
          files.put("/" + name, new Body(bytes, type(name)));
        }
      }
    }
    return new Site(files);
  }

  /** Returns a file. */
  Optional<Body> file(String path) {
    return Optional.ofNullable(files.get(path));
  }

  /** Returns the page that shows every view. */
  Body index() {
    return file("/index.html")
        .orElseThrow(() ->
            new Refusal(
                503,
                "this Rowan was built without its pages, because Node.js 20.19 or later was not there; install it, build again, and start the explorer anew. The API under /api/v1 works."));
  }

  private static byte @org.jspecify.annotations.Nullable [] resource(String name)
      throws IOException {
    try (InputStream in = Site.class.getResourceAsStream(FOLDER + name)) {
      return in == null ? null : in.readAllBytes();
    }
  }

  private static String type(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "html" -> "text/html; charset=utf-8";
      case "js" -> "text/javascript; charset=utf-8";
      case "css" -> "text/css; charset=utf-8";
      case "svg" -> "image/svg+xml";
      case "txt" -> "text/plain; charset=utf-8";
      default -> "application/octet-stream";
    };
  }
}
