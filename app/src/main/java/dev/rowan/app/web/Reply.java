package dev.rowan.app.web;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** How an answer or a refusal goes out: its headers and its bytes. */
final class Reply {
  private static final int PART = 1 << 17; // bytes of a file at a time
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private Reply() {}

  static void download(Response response, Path file, String name) throws IOException {
    try (FileChannel in = FileChannel.open(file)) {
      secure(response);
      HttpFields.Mutable headers = response.getHeaders();
      headers.put(HttpHeader.CONTENT_TYPE, Endpoint.BINARY);
      headers.put(HttpHeader.CACHE_CONTROL, "no-store");
      headers.put(HttpHeader.CONTENT_DISPOSITION, "attachment; filename=\"" + name + "\"");
      headers.put(HttpHeader.CONTENT_LENGTH, in.size());
      response.setStatus(200);
      ByteBuffer part = ByteBuffer.allocate(PART);
      while (in.read(part) >= 0) {
        Content.Sink.write(response, false, part.flip());
        part.clear();
      }
      Content.Sink.write(response, true, ByteBuffer.allocate(0));
    }
  }

  static void send(Request request, Response response, Body body, String caching)
      throws IOException {
    secure(response);
    HttpFields.Mutable headers = response.getHeaders();
    headers.put(HttpHeader.CONTENT_TYPE, body.type());
    headers.put(HttpHeader.CACHE_CONTROL, caching);
    headers.put(HttpHeader.VARY, "Accept-Encoding");
    headers.put(HttpHeader.ETAG, body.tag());
    String known = request.getHeaders().get(HttpHeader.IF_NONE_MATCH);
    if (known != null && known.contains(body.tag())) {
      response.setStatus(304);
      Content.Sink.write(response, true, ByteBuffer.allocate(0));
      return;
    }
    byte[] bytes = body.bytes();
    if (body.isCompressible() && acceptsGzip(request)) {
      bytes = body.gzip();
      headers.put(HttpHeader.CONTENT_ENCODING, "gzip");
    }
    headers.put(HttpHeader.CONTENT_LENGTH, bytes.length);
    response.setStatus(200);
    boolean head = request.getMethod().equals("HEAD");
    Content.Sink.write(response, true, head ? ByteBuffer.allocate(0) : ByteBuffer.wrap(bytes));
  }

  private static boolean acceptsGzip(Request request) {
    for (HttpField field : request.getHeaders().getFields(HttpHeader.ACCEPT_ENCODING)) {
      if (field.contains("gzip")) {
        return true;
      }
    }
    return false;
  }

  /** Sets what every answer says to a browser. */
  static void secure(Response response) {
    HttpFields.Mutable headers = response.getHeaders();
    headers.put("Content-Security-Policy", POLICY);
    headers.put("X-Content-Type-Options", "nosniff");
    headers.put("X-Frame-Options", "DENY");
    headers.put("Referrer-Policy", "no-referrer");
    headers.put("Cross-Origin-Opener-Policy", "same-origin");
    headers.put("Cross-Origin-Resource-Policy", "same-origin");
    headers.put("Permissions-Policy", "camera=(), microphone=(), geolocation=()");
  }

  static void refuse(
      Request request, Response response, Callback callback, int status, @Nullable String message) {
    if (response.isCommitted()) {
      callback.failed(new IOException("too late to refuse"));
      return;
    }
    byte[] bytes =
        RecordJson.of(new Api.Failure(new Api.Trouble(status, String.valueOf(message))))
            .getBytes(StandardCharsets.UTF_8);
    secure(response);
    HttpFields.Mutable headers = response.getHeaders();
    headers.put(HttpHeader.CONTENT_TYPE, Endpoint.JSON);
    headers.put(HttpHeader.CACHE_CONTROL, "no-store");
    headers.put(HttpHeader.CONTENT_LENGTH, bytes.length);
    if (request.getLength() != 0) {
      headers.put(HttpHeader.CONNECTION, "close"); // whatever else it sends is not read
    }
    response.setStatus(status);
    boolean head = request.getMethod().equals("HEAD");
    response.write(true, head ? ByteBuffer.allocate(0) : ByteBuffer.wrap(bytes), callback);
  }
}
