package dev.rowan.train;

import dev.rowan.formats.safetensors.SafetensorsWriter;
import dev.rowan.formats.safetensors.SafetensorsWriter.Tensor;
import dev.rowan.formats.safetensors.StoredTokens;
import dev.rowan.train.CheckpointFile.Kind;
import dev.rowan.train.corpus.CountedVocabulary;
import dev.rowan.train.corpus.EncodedCorpus;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes the files of trainings that were interrupted: the words with their counts, the numbers
 * that were learned and the keepsakes as tensors; all else as texts of the header. There is a
 * checksum of each tensor among these, and one of all texts.
 */
public final class CheckpointWriter {
  private CheckpointWriter() {}

  /**
   * The text that is learned from.
   *
   * @param digest as {@link EncodedCorpus#digest} gives it
   */
  public record Learned(CountedVocabulary words, String digest) {
    /** Returns what is kept of a text. */
    public static Learned of(EncodedCorpus corpus) {
      return new Learned(corpus.vocabulary(), corpus.digest());
    }
  }

  /**
   * Writes a file, with the keepsakes of its plan.
   *
   * @throws IOException if that fails; an older file is untouched then
   */
  public static void write(
      CheckpointPlan plan,
      Kind kind,
      Learned learned,
      List<Tensor> numbers,
      Map<String, String> texts)
      throws IOException {
    List<Tensor> tensors = new ArrayList<>(StoredTokens.tensors(learned.words().vocabulary()));
    tensors.add(TrainedTable.counts(learned.words()));
    tensors.addAll(numbers);
    plan.keepsakes()
        .get()
        .forEach((name, text) -> {
          byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
          tensors.add(
              new Tensor(
                  CheckpointFile.KEPT + name,
                  TrainedTable.dtype("U8"),
                  List.of((long) bytes.length),
                  MemorySegment.ofArray(bytes)));
        });
    Map<String, String> all = new LinkedHashMap<>(texts);
    all.put(kind.prefix() + "version", CheckpointFile.VERSION);
    all.put(CheckpointFile.DIGEST, learned.digest());
    tensors.forEach(tensor -> all.put(Checksum.PREFIX + tensor.name(), Checksum.of(tensor.data())));
    all.put(Checksum.TEXTS, Checksum.of(all));
    plan.saved().write(place -> SafetensorsWriter.write(place, tensors, all));
  }

  /** Returns f32 numbers as a tensor, their count to be a multiple of {@code width}. */
  public static Tensor floats(String name, MemorySegment numbers, long width) {
    long count = numbers.byteSize() / Float.BYTES;
    List<Long> shape = width == 1 ? List.of(count) : List.of(count / width, width);
    return new Tensor(name, TrainedTable.dtype("F32"), shape, numbers);
  }
}
