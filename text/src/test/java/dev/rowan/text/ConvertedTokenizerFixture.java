package dev.rowan.text;

import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Origin;
import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.tokenizer.FoundTokenizer;
import dev.rowan.formats.tokenizer.TokenizerFile;
import dev.rowan.formats.tokenizer.TokenizerModel;
import dev.rowan.formats.write.Conversion;
import dev.rowan.formats.write.ConvertOptions;
import dev.rowan.formats.write.Converter;
import dev.rowan.formats.write.TargetFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.io.TempDir;

/** Converts a tokenizer with a table of its tokens, and opens what was written. */
abstract class ConvertedTokenizerFixture {
  @TempDir Path folder;

  Conversion convert(FoundTokenizer tokenizer, String name, TargetFormat format)
      throws IOException {
    var vocabulary =
        switch (tokenizer) {
          case FoundTokenizer.Model(var model) -> model.vocabulary();
          case FoundTokenizer.Json(Path file) -> TokenizerFile.of(file).vocabulary();
        };
    return convert(vocabulary, Optional.of(tokenizer), name, format);
  }

  Conversion convert(
      Vocabulary vocabulary, Optional<FoundTokenizer> tokenizer, String name, TargetFormat format)
      throws IOException {
    float[] values = new float[vocabulary.size()];
    Lexicon lexicon =
        new Lexicon(
            new NamedTable("embeddings.weight", Table.of(1, values)),
            Optional.empty(),
            Optional.of(vocabulary),
            Tie.NO_OUTPUT,
            "made for a test",
            new Origin(
                folder.resolve("nowhere/x"),
                "test",
                Optional.empty(),
                OptionalLong.empty(),
                List.of()),
            () -> {});
    return Converter.convert(
        lexicon,
        folder.resolve(name),
        format,
        ConvertOptions.DEFAULT.withTokenizer(() -> tokenizer));
  }

  static FoundTokenizer found(Path file) throws IOException {
    return file.toString().endsWith(".gguf")
        ? Models.tokenizer(file, OpenOptions.DEFAULT).orElseThrow()
        : TokenizerFile.of(file).found();
  }

  TokenizerModel model(String resource, String name) throws IOException {
    convert(found(Awkward.write(folder, resource)), name, TargetFormat.GGUF);
    return model(name);
  }

  TokenizerModel model(String name) throws IOException {
    return ((FoundTokenizer.Model) found(folder.resolve(name))).model();
  }
}
