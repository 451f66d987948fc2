package dev.rowan.formats.pytorch;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.pytorch.PickleValue.Dict;
import dev.rowan.formats.pytorch.PickleValue.Global;
import dev.rowan.formats.pytorch.PickleValue.Items;
import dev.rowan.formats.pytorch.PickleValue.Plain;
import dev.rowan.formats.pytorch.PickleValue.Stored;
import dev.rowan.formats.pytorch.PickleValue.Tensor;
import dev.rowan.formats.pytorch.PickleValue.Tuple;
import dev.rowan.formats.pytorch.PickleValue.Whole;
import dev.rowan.formats.tensor.Dtype;
import dev.rowan.formats.tensor.Strided;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the objects in a checkpoint's pickle mean. The names that are known (torch/serialization.py,
 * torch/_weights_only_unpickler.py) stand for data; nothing is called, no other name is accepted.
 */
final class TorchObjects {
  private static final Set<String> KNOWN =
      Set.of(
          "collections.OrderedDict",
          "torch._utils._rebuild_tensor",
          "torch._utils._rebuild_tensor_v2",
          "torch._utils._rebuild_tensor_v3",
          "torch._utils._rebuild_parameter",
          "torch.nn.parameter.Parameter",
          "torch.Size",
          "torch.device",
          "torch.storage.UntypedStorage");

  private final Ids ids;

  /** Finds out what a persistent id stands for. */
  interface Ids {
    PickleValue value(PickleInput in, PickleValue id);
  }

  TorchObjects(Ids ids) {
    this.ids = ids;
  }

  /** Returns a name if it is a known one. */
  PickleValue global(PickleInput in, Global global) {
    boolean inTorch = global.module().equals("torch");
    boolean typed = inTorch || global.module().equals("torch.cuda");
    boolean known =
        KNOWN.contains(global.full())
            || (typed && TorchDtypes.ofStorage(global.name()).isPresent())
            || (typed && isTensorClass(global.name())) // old tar archives note them
            || (inTorch && TorchDtypes.ofName(global.name()).isPresent());
    if (global.module().startsWith("gensim.")) {
      throw in.refused(
          "is a model that gensim's save() wrote, whose pickle names \"%s\"; nothing was run: in Python write its vectors with model.wv.save_word2vec_format(file, binary=True), KeyedVectors without .wv, or a FastText model with gensim.models.fasttext.save_facebook_model(model, file)"
              .formatted(global.full()));
    }
    if (!known) {
      throw in.refused(
          "holds a pickle that names \"%s\", which is not among the few names that weights need; nothing was run, save only the state dict or convert it to safetensors"
              .formatted(global.full()));
    }
    return global;
  }

  private static boolean isTensorClass(String name) {
    return name.endsWith("Tensor")
        && TorchDtypes.ofStorage(name.replaceFirst("Tensor$", "Storage")).isPresent();
  }

  /** Returns what a known function or class would make of its arguments. */
  PickleValue made(PickleInput in, PickleValue callable, PickleValue arguments) {
    if (!(callable instanceof Global global) || !(arguments instanceof Tuple tuple)) {
      throw in.wrong("the pickle makes an object of %s".formatted(what(callable)));
    }
    List<PickleValue> values = tuple.values();
    return switch (global.full()) {
      case "collections.OrderedDict" -> dict(in, values);
      case "torch._utils._rebuild_tensor", "torch._utils._rebuild_tensor_v2" ->
          tensor(in, values, Optional.empty());
      case "torch._utils._rebuild_tensor_v3" -> tensor(in, values, Optional.of(dtype(in, values)));
      case "torch._utils._rebuild_parameter", "torch.nn.parameter.Parameter" -> {
        if (values.isEmpty() || !(values.getFirst() instanceof Tensor)) {
          throw in.wrong("the pickle makes a parameter of what is no tensor");
        }
        yield values.getFirst();
      }
      case "torch.Size" -> values.isEmpty() ? arguments : values.getFirst();
      case "torch.device" -> Plain.OPAQUE;
      default ->
          throw in.refused(
              "holds a pickle that makes a \"%s\", which weights do not need; nothing was run, save only the state dict or convert it to safetensors"
                  .formatted(global.full()));
    };
  }

  /** Checks that an object may be given state; that of dictionaries and tensors does not matter. */
  void built(PickleInput in, PickleValue object, PickleValue state) {
    if (!(object instanceof Dict || object instanceof Tensor || object == Plain.OPAQUE)) {
      throw in.wrong("the pickle gives %s to %s".formatted(what(state), what(object)));
    }
  }

  /** Returns what a persistent id stands for. */
  PickleValue stored(PickleInput in, PickleValue id) {
    return ids.value(in, id);
  }

  private static PickleValue dict(PickleInput in, List<PickleValue> arguments) {
    Dict dict = new Dict();
    List<PickleValue> pairs = List.of();
    if (arguments.size() == 1 && arguments.getFirst() instanceof Items items) {
      pairs = items.values(); // as Python 2 writes them
    } else if (!arguments.isEmpty()) {
      throw in.wrong("the pickle makes a dictionary of what are no pairs");
    }
    for (PickleValue pair : pairs) {
      List<PickleValue> two =
          switch (pair) {
            case Items items -> items.values();
            case Tuple tuple -> tuple.values();
            default -> List.of();
          };
      if (two.size() != 2) {
        throw in.wrong("the pickle makes a dictionary of what are no pairs");
      }
      dict.put(two.get(0), two.get(1));
    }
    return dict;
  }

  private static Dtype dtype(PickleInput in, List<PickleValue> arguments) {
    if (arguments.size() > 6
        && arguments.get(6) instanceof Global global
        && global.module().equals("torch")) {
      return TorchDtypes.ofName(global.name())
          .orElseThrow(() -> in.wrong("the pickle has the dtype \"%s\"".formatted(global.full())));
    }
    throw in.wrong("the pickle makes a tensor without a dtype");
  }

  private static PickleValue tensor(
      PickleInput in, List<PickleValue> arguments, Optional<Dtype> named) {
    if (arguments.size() < 4
        || !(arguments.get(0) instanceof Stored stored)
        || !(arguments.get(1) instanceof Whole offset)) {
      throw in.wrong("the pickle makes a tensor of what is no storage, offset, size and stride");
    }
    TorchTensor tensor =
        tensor(
            in,
            stored.storage(),
            named,
            offset.value(),
            numbers(in, arguments.get(2)),
            numbers(in, arguments.get(3)));
    boolean negated = marks(in, arguments, named.isPresent() ? 7 : 6);
    return new Tensor(new TorchTensor(tensor.storage(), tensor.dtype(), tensor.place(), negated));
  }

  /**
   * Reads what is true of a tensor beside its numbers, a dictionary behind the other arguments;
   * returns whether it is negated. That a complex tensor is a conjugate does not matter: complex
   * numbers are not read.
   */
  private static boolean marks(PickleInput in, List<PickleValue> arguments, int at) {
    if (arguments.size() <= at || !(arguments.get(at) instanceof Dict marks)) {
      return false;
    }
    boolean negated = false;
    for (int i = 0; i < marks.keys().size(); i++) {
      boolean set = marks.values().get(i) == PickleValue.Truth.TRUE;
      String mark = marks.keys().get(i) instanceof PickleValue.Text(String text) ? text : "";
      if (set && !mark.equals("neg") && !mark.equals("conj")) {
        throw in.refused(
            "holds a tensor that is marked \"%s\", which is not known here; save a plain copy, tensor.clone()"
                .formatted(mark));
      }
      negated |= set && mark.equals("neg");
    }
    return negated;
  }

  /** Makes a tensor, checked to lie in its storage. */
  static TorchTensor tensor(
      PickleInput in,
      TorchStorage storage,
      Optional<Dtype> named,
      long offset,
      List<Long> shape,
      List<Long> strides) {
    Dtype dtype = named.orElse(storage.dtype());
    if (dtype.bits() % storage.dtype().bits() != 0) {
      throw in.wrong(
          "a tensor of %s views storage \"%s\" of %s"
              .formatted(dtype.label(), storage.key(), storage.dtype().label()));
    }
    // the numbers of plain bytes are counted in bytes
    long room = storage.numbers() / (dtype.bits() / storage.dtype().bits());
    try {
      Strided place = new Strided(offset, shape, strides);
      if (place.end() > room) {
        throw in.wrong(
            "a tensor of shape %s with strides %s at %d needs %,d numbers but storage \"%s\" has %,d"
                .formatted(shape, strides, offset, place.end(), storage.key(), room));
      }
      return new TorchTensor(storage, dtype, place, false);
    } catch (IllegalArgumentException | ArithmeticException e) {
      FormatException wrong =
          in.wrong(
              "a tensor has the impossible shape %s with strides %s at %d"
                  .formatted(shape, strides, offset));
      wrong.initCause(e);
      throw wrong;
    }
  }

  private static List<Long> numbers(PickleInput in, PickleValue value) {
    List<PickleValue> values =
        switch (value) {
          case Tuple tuple -> tuple.values();
          case Items items -> items.values();
          default -> throw in.wrong("a tensor's shape should be a tuple but is " + what(value));
        };
    List<Long> numbers = new ArrayList<>();
    for (PickleValue number : values) {
      if (!(number instanceof Whole whole)) {
        throw in.wrong("a tensor's shape holds %s".formatted(what(number)));
      }
      numbers.add(whole.value());
    }
    if (numbers.size() > 64) {
      throw in.wrong("a tensor has %,d dimensions; 64 are the most".formatted(numbers.size()));
    }
    return numbers;
  }

  /** Returns what a value is, for messages. */
  static String what(PickleValue value) {
    return switch (value) {
      case Plain _ -> "None";
      case PickleValue.Truth _ -> "true or false";
      case Whole _, PickleValue.Big _ -> "a whole number";
      case PickleValue.Real _ -> "a number with a fraction";
      case PickleValue.Text _ -> "a text";
      case Global global -> "\"" + global.full() + "\"";
      case Items _ -> "a list";
      case Tuple _ -> "a tuple";
      case Dict _ -> "a dictionary";
      case Stored _ -> "a storage";
      case Tensor _ -> "a tensor";
    };
  }
}
