import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.ndarray.types.SparseFormat;
import ai.djl.nn.core.Embedding;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Lookups through DJL's PyTorch engine, the peer of {@code LayerRace lookup one}. A process of its own:
 * its libtorch and that of the race do not fit into one.
 *
 * <p>{@code java -cp CLASSPATH bench/peers/DjlLookup.java THREADS}, where the class path holds
 * ai.djl.pytorch:pytorch-engine 0.36.0, pytorch-jni 2.7.1-0.36.0 and pytorch-native-cpu 2.7.1
 * (linux-x86_64) with what they need. Set OMP_NUM_THREADS to the same number.
 */
public final class DjlLookup {
  private static final long ROWS = 262_144;

  public static void main(String[] arguments) {
    int threads = Integer.parseInt(arguments[0]);
    System.setProperty("ai.djl.pytorch.num_threads", arguments[0]);
    System.setProperty("ai.djl.pytorch.num_interop_threads", "1");
    try (NDManager manager = NDManager.newBaseManager()) {
      System.out.println(manager.getEngine() + ", threads " + threads);
      for (int width : new int[] {64, 768, 1152}) {
        try (NDManager own = manager.newSubManager()) {
          NDArray table = own.randomUniform(-1, 1, new Shape(ROWS, width), DataType.FLOAT32);
          report("lookup of 4,096 ids, d = " + width, own, table, 4096, 201, 1);
          if (width == 768) {
            report("one id, d = 768, per call", own, table, 1, 51, 1000);
          }
        }
      }
    }
  }

  private static void report(
      String what, NDManager manager, NDArray table, int count, int rounds, int calls) {
    SplittableRandom random = new SplittableRandom(7);
    NDArray[] ids = new NDArray[32];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = manager.create(random.longs(count, 0, ROWS).toArray());
    }
    double[] micros = new double[rounds];
    long start = System.nanoTime();
    for (int i = 0; System.nanoTime() - start < 1_500_000_000L; i++) {
      look(ids[i & 31], table);
    }
    for (int round = 0; round < rounds; round++) {
      long begin = System.nanoTime();
      for (int call = 0; call < calls; call++) {
        look(ids[(round + call) & 31], table);
      }
      micros[round] = (System.nanoTime() - begin) / 1e3 / calls;
    }
    Arrays.sort(micros);
    System.out.printf(
        Locale.ROOT, "%s: median %.2f µs, best %.2f µs%n", what, micros[rounds / 2], micros[0]);
  }

  private static void look(NDArray ids, NDArray table) {
    try (NDList rows = Embedding.embedding(ids, table, SparseFormat.DENSE)) {
      if (rows.singletonOrThrow().size() == 0) {
        throw new IllegalStateException("nothing was looked up");
      }
    }
  }
}
