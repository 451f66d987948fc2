package dev.rowan.app.web;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads the body of a request that changes something: one flat JSON object, whose members are
 * checked as parameters of an address are.
 *
 * <p>The media type must say JSON: a page of another site cannot send that without asking first,
 * and this server never says yes.
 */
final class JsonBody {
  /** Bytes of a body at most: room for a text that somebody pasted. */
  static final int MOST = 2 << 20;

  private static final int MOST_VALUES = 512;
  private static final JsonFactory FACTORY = new JsonFactory();

  private JsonBody() {}

  /**
   * Reads the members.
   *
   * @throws Refusal if the body is no JSON, too long, or of unknown length
   */
  static Map<String, List<String>> of(Request request) throws IOException {
    String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
    if (type == null || !type.strip().matches("(?i)application/json(\\s*;.*)?")) {
      throw new Refusal(415, "the body has to be application/json, and say so");
    }
    long length = request.getLength();
    if (length < 0) {
      throw new Refusal(411, "the request has to say how long its body is (Content-Length)");
    }
    if (length > MOST) {
      throw new Refusal(
          413, "the body has %,d bytes; it takes %,d at most".formatted(length, MOST));
    }
    try (InputStream in = Content.Source.asInputStream(request)) {
      byte[] body = in.readNBytes((int) length);
      if (body.length < length) {
        throw new Refusal(400, "the body ends after %,d bytes".formatted(body.length));
      }
      return of(body);
    }
  }

  /** Reads the members of an object. */
  static Map<String, List<String>> of(byte[] body) {
    Map<String, List<String>> members = new LinkedHashMap<>();
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), body)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw notFlat();
      }
      int values = 0;
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        List<String> strings =
            members.computeIfAbsent(parser.currentName(), _ -> new ArrayList<>());
        boolean several = parser.nextToken() == JsonToken.START_ARRAY;
        JsonToken token = several ? parser.nextToken() : parser.currentToken();
        while (token != JsonToken.END_ARRAY) {
          if (token == null || !token.isScalarValue() || ++values > MOST_VALUES) {
            throw notFlat();
          }
          if (token != JsonToken.VALUE_NULL) {
            strings.add(parser.getString());
          }
          token = several ? parser.nextToken() : JsonToken.END_ARRAY;
        }
      }
      if (parser.nextToken() != null) {
        throw notFlat();
      }
    } catch (JacksonException e) {
      throw new Refusal(400, "the body is no JSON: " + e.getOriginalMessage());
    }
    members.values().removeIf(List::isEmpty);
    return members;
  }

  private static Refusal notFlat() {
    return new Refusal(
        400,
        "the body has to be one JSON object of texts, numbers, truths and lists of them, %,d values at most"
            .formatted(MOST_VALUES));
  }
}
