package dev.rowan.hub;

import dev.rowan.formats.tensor.TensorInfo;
import java.io.StringWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Says where a model's folder in the cache came from.
 *
 * @param model the remote model
 * @param tables the tensors that are here
 * @param files the files of the cache that the folder uses, as {@code IDENTITY/NAME}
 */
record ModelRecord(RemoteModel model, List<TensorInfo> tables, List<String> files) {

  /** Returns the record as JSON. */
  String write() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeNumberProperty("version", 1);
      json.writeStringProperty("source", model.spec().text());
      json.writeStringProperty("commit", model.fetcher().listing().commit());
      json.writeStringProperty("fetched", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
      json.writeArrayPropertyStart("weights");
      for (Entry file : model.weights().files()) {
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
      tables.forEach(table -> json.writeString(table.name()));
      json.writeEndArray();
      if (model.storedParameters().isPresent()) {
        json.writeNumberProperty("storedParameters", model.storedParameters().getAsLong());
      }
      json.writeArrayPropertyStart("tensors");
      for (TensorInfo tensor : model.tensors().tensors()) {
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
