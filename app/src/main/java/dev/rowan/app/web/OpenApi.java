package dev.rowan.app.web;

import dev.rowan.app.web.Parameter.Kind;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The description of the API (OpenAPI 3.1), made from the same definitions that answer it. */
final class OpenApi {
  private final Map<String, Object> schemas = new LinkedHashMap<>();
  private final Map<String, Class<?>> described = new HashMap<>();

  private OpenApi() {}

  /** Returns the document as JSON. */
  static String document(List<Endpoint> endpoints) {
    OpenApi api = new OpenApi();
    Map<String, Object> paths = new LinkedHashMap<>();
    endpoints.forEach(e ->
        paths.put(e.path(), Map.of(e.method().name().toLowerCase(Locale.ROOT), api.operation(e))));
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("openapi", "3.1.0");
    document.put(
        "info",
        Map.of(
            "title",
            "Rowan explorer",
            "version",
            "1",
            "description",
            "Questions to token embedding tables. The same question gives the same number on the"
                + " command line."));
    document.put("paths", paths);
    api.reference(Api.Failure.class);
    document.put("components", Map.of("schemas", api.schemas));
    return RecordJson.of(document);
  }

  private Map<String, Object> operation(Endpoint endpoint) {
    Map<String, Object> content = new LinkedHashMap<>();
    content.put(
        endpoint.type(),
        endpoint.type().equals(Endpoint.JSON)
            ? Map.of("schema", reference(endpoint.answer().orElseThrow()))
            : Map.of());
    endpoint.answer().ifPresent(this::reference);
    Map<String, Object> failure =
        Map.of(
            "description",
            "The message says what is wrong and what to do.",
            "content",
            Map.of(Endpoint.JSON, Map.of("schema", reference(Api.Failure.class))));
    Map<String, Object> responses = new LinkedHashMap<>();
    responses.put("200", Map.of("description", endpoint.about(), "content", content));
    responses.put("default", failure);
    Map<String, Object> operation = new LinkedHashMap<>();
    operation.put("summary", endpoint.about());
    operation.put("operationId", endpoint.path().substring(Api.ROOT.length()).replace('/', '-'));
    switch (endpoint.method()) {
      case GET ->
          operation.put(
              "parameters", endpoint.parameters().stream().map(OpenApi::parameter).toList());
      case POST -> operation.put("requestBody", body(endpoint.parameters()));
    }
    operation.put("responses", responses);
    return operation;
  }

  private static Map<String, Object> body(List<Parameter> parameters) {
    Map<String, Object> properties = new LinkedHashMap<>();
    parameters.forEach(p -> {
      Map<String, Object> described = new LinkedHashMap<>(severally(p));
      described.put("description", p.about());
      properties.put(p.name(), described);
    });
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "object");
    schema.put("properties", properties);
    schema.put(
        "required", parameters.stream().filter(Parameter::needed).map(Parameter::name).toList());
    schema.put("additionalProperties", false);
    return Map.of("required", true, "content", Map.of(Endpoint.JSON, Map.of("schema", schema)));
  }

  private static Map<String, Object> parameter(Parameter parameter) {
    Map<String, Object> described = new LinkedHashMap<>();
    described.put("name", parameter.name());
    described.put("in", "query");
    described.put("description", parameter.about());
    described.put("required", parameter.needed());
    described.put("schema", severally(parameter));
    return described;
  }

  /** Returns the schema of a parameter, a list of them if it may be given several times. */
  private static Map<String, Object> severally(Parameter parameter) {
    Map<String, Object> schema = new LinkedHashMap<>();
    switch (parameter.kind()) {
      case Kind.Text(int length) -> {
        schema.put("type", "string");
        schema.put("maxLength", length);
      }
      case Kind.Whole(long usual, long least, long most) -> {
        schema.put("type", "integer");
        schema.put("minimum", least);
        schema.put("maximum", most);
        schema.put("default", usual);
      }
      case Kind.Choice(List<String> words) -> {
        schema.put("type", "string");
        schema.put("enum", words);
        schema.put("default", words.getFirst());
      }
      case Kind.Truth() -> {
        schema.put("type", "boolean");
        schema.put("default", false);
      }
    }
    return parameter.most() == 1
        ? schema
        : Map.of("type", "array", "items", schema, "maxItems", parameter.most());
  }

  private Map<String, Object> reference(Class<?> type) {
    String name = type.getSimpleName();
    Class<?> known = described.putIfAbsent(name, type);
    if (known != null && known != type) {
      throw new IllegalStateException("%s and %s share a name".formatted(known, type));
    }
    if (!schemas.containsKey(name)) {
      schemas.put(name, Map.of()); // so that a record may hold its own kind
      Map<String, Object> properties = new LinkedHashMap<>();
      List<String> required = new ArrayList<>();
      for (RecordComponent component : type.getRecordComponents()) {
        properties.put(component.getName(), schema(component.getGenericType()));
        required.add(component.getName());
      }
      Map<String, Object> schema = new LinkedHashMap<>();
      schema.put("type", "object");
      schema.put("properties", properties);
      schema.put("required", required);
      schema.put("additionalProperties", false);
      schemas.put(name, schema);
    }
    return Map.of("$ref", "#/components/schemas/" + name);
  }

  private Map<String, Object> schema(Type type) {
    if (type instanceof ParameterizedType generic) {
      Type element = generic.getActualTypeArguments()[0];
      return generic.getRawType() == Optional.class
          ? Map.of("anyOf", List.of(schema(element), Map.of("type", "null")))
          : Map.of("type", "array", "items", schema(element));
    }
    if (!(type instanceof Class<?> plain)) {
      throw new IllegalStateException("cannot describe " + type);
    }
    if (plain.isRecord()) {
      return reference(plain);
    }
    if (plain.isArray()) {
      return Map.of("type", "array", "items", schema(plain.getComponentType()));
    }
    return switch (plain.getSimpleName()) {
      case "String" -> Map.of("type", "string");
      case "boolean", "Boolean" -> Map.of("type", "boolean");
      case "int", "long", "Integer", "Long" -> Map.of("type", "integer");
      case "OptionalLong" -> Map.of("type", List.of("integer", "null"));
      // NaN has no other form in JSON than null
      case "double", "float", "Double", "Float" -> Map.of("type", List.of("number", "null"));
      default -> throw new IllegalStateException("cannot describe " + plain);
    };
  }
}
