package dev.rowan.formats.pytorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.pytorch.PickleValue.Whole;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pickles are written here opcode by opcode, as Python's pickletools names them. */
class PickleTest {
  private static final Path PATH = Path.of("x.pt");

  private static PickleValue read(byte[] pickle) {
    return Pickle.read(
        new PickleInput(PATH, MemorySegment.ofArray(pickle), 0),
        new TorchObjects(new StorageIds()));
  }

  /** Turns text into bytes, one a character. */
  private static byte[] bytes(String latin1) {
    return latin1.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] repeated(String start, String step, int times, String end) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(bytes(start));
    byte[] one = bytes(step);
    for (int i = 0; i < times; i++) {
      out.writeBytes(one);
    }
    out.writeBytes(bytes(end));
    return out.toByteArray();
  }

  @Test
  void readsWholeNumbersOfEveryWidth() {
    assertThat(read(bytes("\u0080\u0002K\u00FF."))).isEqualTo(new Whole(255));
    assertThat(read(bytes("\u0080\u0002M\u0001\u0002."))).isEqualTo(new Whole(513));
    assertThat(read(bytes("\u0080\u0002J\u00FE\u00FF\u00FF\u00FF."))).isEqualTo(new Whole(-2));
    assertThat(read(bytes("\u0080\u0002\u008A\u0000."))).isEqualTo(new Whole(0));
    assertThat(read(bytes("\u0080\u0002\u008A\u0002\u0000\u0080."))).isEqualTo(new Whole(-32768));
    assertThat(
            read(
                bytes("\u0080\u0002\u008A\u0008\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0080.")))
        .isEqualTo(new Whole(Long.MIN_VALUE));
  }

  @ParameterizedTest
  @CsvSource({
    // the opcodes of PROTO, INST, OBJ, EXT1, NEWOBJ_EX, BYTEARRAY8, NEXT_BUFFER, PERSID, INT, DUP
    "i, 0x69",
    "o, 0x6F",
    "\u0082, 0x82",
    "\u0092, 0x92",
    "\u0096, 0x96",
    "\u0097, 0x97",
    "P, 0x50",
    "I, 0x49",
    "2, 0x32"
  })
  void refusesEveryOtherOpcode(String opcode, String shown) {
    assertThatThrownBy(() -> read(bytes("\u0080\u0002" + opcode + "....")))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessage(
            "x.pt: holds a pickle with the opcode %s, which plain weights do not need; nothing was run, save only the state dict or convert it to safetensors"
                .formatted(shown));
  }

  @Test
  void refusesGlobalsByBothOpcodes() {
    for (String global : List.of("cos\nsystem\n.", "\u008C\u0002os\u008C\u0006system\u0093.")) {
      assertThatThrownBy(() -> read(bytes("\u0080\u0004" + global)))
          .isInstanceOf(UnsupportedFormatException.class)
          .hasMessageContaining("names \"os.system\", which is not among the few names");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "torch, load",
    "torch.hub, load",
    "builtins, eval",
    "torch, OrderedDict",
    "torch.cuda, float32",
    "os, FloatStorage",
    "collections, OrderedDict.x"
  })
  void knowsNamesInTheirOwnModulesOnly(String module, String name) {
    assertThatThrownBy(() -> read(bytes("c" + module + "\n" + name + "\n.")))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("names \"" + module + "." + name + "\"");
  }

  @Test
  void refusesToMakeWhatIsOnlyAName() {
    assertThatThrownBy(() -> read(bytes("ctorch\nFloatStorage\n)R.")))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("makes a \"torch.FloatStorage\", which weights do not need");
  }

  @Test
  void refusesANewerProtocol() {
    assertThatThrownBy(() -> read(bytes("\u0080\u0006N.")))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessage("x.pt: holds a pickle of protocol 6; up to 5 are known");
  }

  @ParameterizedTest
  @CsvSource({
    "'.', the pickle takes a value that is not there (at byte 1)",
    "'(.', the pickle takes a value that is not there (at byte 2)",
    "'NN.', the pickle stops with values left over (at byte 3)",
    "'(N.', the pickle stops with values left over (at byte 3)",
    "'t.', the pickle closes what it did not open (at byte 1)",
    "'Na.', the pickle takes a value that is not there (at byte 2)",
    "'NNa.', 'the pickle appends to None, which is no list (at byte 3)'",
    "'NNNs.', 'the pickle puts a key into None, which is no dictionary (at byte 4)'",
    "'}(Nu.', the pickle has a key without a value (at byte 4)",
    "'h\u0007.', 'the pickle recalls value 7, which it did not remember (at byte 2)'",
    "'NNR.', the pickle makes an object of None (at byte 3)",
    "'NNb.', the pickle gives None to None (at byte 3)",
    "'NQ.', the pickle refers to something that is no storage (at byte 2)",
    "'NN\u0093.', the pickle names a global by what is no text (at byte 3)",
    "'X\u00FF\u0000\u0000\u0000a.', 'the pickle ends too early; the file looks cut off, copy it again (at byte 5)'",
    "'\u0095\u00FF\u0000\u0000\u0000\u0000\u0000\u0000\u0000N.', the pickle ends too early",
    "'N', the pickle ends too early"
  })
  void saysWhatIsWrong(String pickle, String message) {
    assertThatThrownBy(() -> read(bytes(pickle)))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("x.pt: " + message);
  }

  @Test
  void boundsTheLengthOfATextBeforeReadingIt() {
    assertThatThrownBy(() -> read(bytes("X\u00FF\u00FF\u00FF\u00FFa.")))
        .isInstanceOf(FormatException.class)
        .hasMessage(
            "x.pt: holds a pickle with a text of 4,294,967,295 bytes; at most 1,048,576 are read");
  }

  @Test
  void boundsOpenMarks() {
    assertThatThrownBy(() -> read(repeated("", "(", 1_001, ".")))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessage("x.pt: holds a pickle that nests deeper than 1,000 levels");
  }

  @Test
  void boundsTheNumberOfSteps() {
    assertThatThrownBy(() -> read(repeated("]", "N0", 4_000_001, ".")))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessage("x.pt: holds a pickle of more than 8,000,000 steps; convert it to safetensors");
  }

  @Test
  void theLaterOfTwoValuesCounts() {
    PickleValue dict =
        read(bytes("}(\u008C\u0001aK\u0001\u008C\u0001bK\u0002\u008C\u0001aK\u0003u."));
    assertThat(((PickleValue.Dict) dict).values()).containsExactly(new Whole(3), new Whole(2));
  }

  @Test
  void survivesAListThatHoldsItself() {
    PickleValue list = read(bytes("]q\u0000h\u0000a."));
    assertThat(new StateDict(list).tensors()).isEmpty();
  }

  @Test
  void walksWhatIsSharedOnce() {
    // each of 40 dictionaries holds the next one twice: 2^40 ways to the last
    StringBuilder pickle = new StringBuilder("}q\u0000");
    for (int i = 1; i <= 40; i++) {
      pickle.append("}q").append((char) i).append("(K\u0001h").append((char) (i - 1));
      pickle.append("K\u0002h").append((char) (i - 1)).append("u");
    }
    // they all stand on the stack: take them into a tuple
    byte[] whole = bytes("(" + pickle + "t.");
    assertThat(new StateDict(read(whole)).tensors()).isEmpty();
  }

  @Test
  void tellsUsersOfGensimWhatToSave() {
    assertThatThrownBy(
            () -> read(bytes("\u0080\u0002cgensim.models.keyedvectors\nKeyedVectors\n.")))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("gensim's save() wrote")
        .hasMessageContaining("save_word2vec_format(file, binary=True)");
  }
}
