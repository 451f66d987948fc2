package dev.rowan.hub;

import dev.rowan.formats.tensor.TensorInfo;
import java.io.StringWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.OptionalLong;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Says where a model's folder in the cache came from.
 *
 * @param model the remote model
 * @param commit its version
 * @param weights its weights files
 * @param tables the names of the tables that are here
 * @param storedParameters how many parameters the model stores
 * @param tensors all its tensors
 * @param files the files of the cache that the folder uses, as {@code IDENTITY/NAME}
 */
record ModelRecord(
    RemoteSpec model,
    String commit,
    List<Entry> weights,
    List<String> tables,
    OptionalLong storedParameters,
    List<TensorInfo> tensors,
    List<String> files) {

  /** Returns the record as JSON. */
  String write() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeNumberProperty("version", 1);
      json.writeStringProperty("source", model.text());
      json.writeStringProperty("commit", commit);
      json.writeStringProperty("fetched", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
      json.writeArrayPropertyStart("weights");
      for (Entry file : weights) {
        json.writeStartObject();
        json.writeStringProperty("name", file.name());
        json.writeStringProperty("identity", file.known());
        json.writeNumberProperty("bytes", file.size().orElseThrow());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeArrayPropertyStart("files");
      files.forEach(json::writeString);
      json.writeEndArray();
      json.writeArrayPropertyStart("tables");
      tables.forEach(json::writeString);
      json.writeEndArray();
      if (storedParameters.isPresent()) {
        json.writeNumberProperty("storedParameters", storedParameters.getAsLong());
      }
      json.writeArrayPropertyStart("tensors");
      for (TensorInfo tensor : tensors) {
        json.writeStartObject();
        json.writeStringProperty("name", tensor.name());
        json.writeStringProperty("dtype", tensor.dtype().label());
        json.writeArrayPropertyStart("shape");
        tensor.shape().forEach(json::writeNumber);
        json.writeEndArray();
        json.writeStringProperty("file", tensor.file().toString());
        json.writeNumberProperty("bytes", tensor.bytes());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    return text.toString();
  }
}
