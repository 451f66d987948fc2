package dev.rowan.app.web;

import dev.rowan.analysis.map.MapListener;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;

/** Tells of iterations now and then: a picture each would keep the line busier than the eye. */
final class MapWatch implements MapListener {
  private static final long FRAME_NANOS = 400_000_000;

  /** How far the work has come. */
  record Progress(String stage, long done, long of, double loss) {}

  /**
   * Where the points are by now.
   *
   * @param x float32 little-endian, base64
   * @param y as x
   */
  record Frame(int iteration, int of, String x, String y) {}

  private final Answer.Listener listener;
  private final long pause;
  private long next = System.nanoTime();

  MapWatch(Answer.Listener listener, int points) {
    this.listener = listener;
    this.pause = FRAME_NANOS * (1 + points / 40_000);
  }

  @Override
  public void neighbours(long done, long of) {
    listener.event("progress", new Progress("neighbours", done, of, Double.NaN));
  }

  @Override
  public void step(Step step) {
    long now = System.nanoTime();
    if (now - next >= 0 || step.iteration() == step.of()) {
      next = now + pause;
      listener.event("progress", new Progress("layout", step.iteration(), step.of(), step.loss()));
      listener.event(
          "frame", new Frame(step.iteration(), step.of(), base64(step.x()), base64(step.y())));
    }
  }

  private static String base64(double[] values) {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (double value : values) {
      bytes.putFloat((float) value);
    }
    return Base64.getEncoder().encodeToString(bytes.array());
  }
}
