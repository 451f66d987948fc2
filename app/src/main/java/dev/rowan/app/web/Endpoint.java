package dev.rowan.app.web;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * A question that the API answers.
 *
 * @param path its address, from the root of the server
 * @param about one sentence for the reader of the API
 * @param parameters what it takes
 * @param type the media type of what it gives
 * @param answer the record it gives, where that is JSON; the data of its events, where there are
 *     any
 * @param handler does the work
 */
record Endpoint(
    String path,
    String about,
    List<Parameter> parameters,
    String type,
    Optional<Class<? extends Record>> answer,
    Handler handler) {
  static final String JSON = "application/json";
  static final String BINARY = "application/octet-stream";
  static final String EVENTS = "text/event-stream";

  /** Copies the list. */
  Endpoint {
    parameters = List.copyOf(parameters);
  }

  /** Does the work of an endpoint. */
  @FunctionalInterface
  interface Handler {
    /** Answers. */
    Answer answer(Question question) throws IOException;
  }

  /** Makes the record that an endpoint answers with. */
  @FunctionalInterface
  interface Maker<R extends Record> {
    /** Answers. */
    R answer(Question question) throws IOException;
  }

  /** Returns an endpoint that answers with a record. */
  static <R extends Record> Endpoint json(
      String path, String about, Class<R> answer, Maker<R> maker, Parameter... parameters) {
    return new Endpoint(
        path,
        about,
        List.of(parameters),
        JSON,
        Optional.of(answer),
        question -> new Answer.Of(maker.answer(question)));
  }
}
