package dev.rowan.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingPlacesTest {
  @TempDir Path folder;

  @Test
  void listsTextsByTheirEndingsAndPackedOnesByTheEndingBefore() throws IOException {
    for (String name :
        List.of(
            "a.txt",
            "b.TEXT",
            "c.md",
            "d.gz",
            "e.txt.gz",
            "f.md.zst", // texts
            "gz",
            "txt",
            "zst",
            ".txt",
            "g.jsonl",
            "h.jsonl.gz",
            "i.json.zst",
            "j.tar.gz",
            "k.bin")) {
      Files.writeString(folder.resolve(name), "some words");
    }
    String root = folder.toRealPath().getFileName() + "/";
    assertThat(new TrainingPlaces(List.of(folder), Optional.empty()).texts().keySet())
        .containsExactlyInAnyOrder(
            root + "a.txt",
            root + "b.TEXT",
            root + "c.md",
            root + "d.gz",
            root + "e.txt.gz",
            root + "f.md.zst");
  }
}
