package dev.rowan.app.web;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every question that the server answers with data. */
final class Api {
  /** Where the addresses of the API begin. */
  static final String ROOT = "/api/v1/";

  private final Map<String, Endpoint> endpoints = new LinkedHashMap<>();
  private final Body document;

  /** What a request that is not answered gets. */
  record Failure(Trouble error) {}

  /**
   * What is wrong.
   *
   * @param status the HTTP status
   * @param message what, the legal range, what to do
   */
  record Trouble(int status, String message) {}

  Api(ServedModels models, TrainingRoom room) {
    List<Endpoint> all = new ArrayList<>();
    all.addAll(new ModelEndpoints(models).all());
    all.addAll(new TokenEndpoints(models).all());
    all.addAll(new LookupEndpoints(models).all());
    all.addAll(new NeighbourEndpoints(models).all());
    all.addAll(new AnalogyEndpoints(models).all());
    all.addAll(new OutputEndpoints(models).all());
    all.addAll(new MapEndpoints(models).all());
    all.addAll(new AuditEndpoints(models).all());
    all.addAll(new CompareEndpoints(models).all());
    all.addAll(new GeometryEndpoints(models).all());
    all.addAll(new TrainingEndpoints(models, room).all());
    all.forEach(e -> endpoints.put(e.path(), e));
    document = new Body(OpenApi.document(all).getBytes(StandardCharsets.UTF_8), Endpoint.JSON);
  }

  /** Returns the endpoints by address. */
  Map<String, Endpoint> endpoints() {
    return endpoints;
  }

  /** Returns the OpenAPI document. */
  Body document() {
    return document;
  }

  /** Returns the parameter that chooses a model. */
  static Parameter model() {
    return Parameter.text(
            "model", 1000, "A name out of /api/v1/models; the first one if left away.")
        .optional();
  }

  /** Returns a parameter that is a token as a person types it. */
  static Parameter token(int most) {
    return Parameter.texts("token", most, 500, "A word, an exact vocabulary string, or #ID.");
  }
}
