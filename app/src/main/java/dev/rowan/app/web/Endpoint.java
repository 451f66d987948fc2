package dev.rowan.app.web;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * A question that the API answers.
 *
 * @param method how it is asked: what only reads is a GET, what changes something a POST
 * @param path its address, from the root of the server
 * @param about one sentence for the reader of the API
 * @param parameters what it takes
 * @param type the media type of what it gives
 * @param answer the record it gives, where that is JSON; the data of its events, where there are
 *     any
 * @param handler does the work
 */
record Endpoint(
    Method method,
    String path,
    String about,
    List<Parameter> parameters,
    String type,
    Optional<Class<? extends Record>> answer,
    Handler handler) {
  static final String JSON = "application/json";
  static final String BINARY = "application/octet-stream";
  static final String EVENTS = "text/event-stream";

  /** How a question is asked. */
  enum Method {
    /** Parameters are in the address, nothing changes. */
    GET,
    /** Parameters are the members of a JSON object, the body of the request. */
    POST
  }

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
    return of(Method.GET, path, about, answer, maker, parameters);
  }

  /** Returns an endpoint that changes something, and answers with a record. */
  static <R extends Record> Endpoint change(
      String path, String about, Class<R> answer, Maker<R> maker, Parameter... parameters) {
    return of(Method.POST, path, about, answer, maker, parameters);
  }

  private static <R extends Record> Endpoint of(
      Method method,
      String path,
      String about,
      Class<R> answer,
      Maker<R> maker,
      Parameter... parameters) {
    return new Endpoint(
        method,
        path,
        about,
        List.of(parameters),
        JSON,
        Optional.of(answer),
        question -> new Answer.Of(maker.answer(question)));
  }

  /** Returns an endpoint that answers with events whose data is a record, or with bytes. */
  static Endpoint of(
      String path,
      String about,
      List<Parameter> parameters,
      String type,
      Optional<Class<? extends Record>> answer,
      Handler handler) {
    return new Endpoint(Method.GET, path, about, parameters, type, answer, handler);
  }
}
