package dev.rowan.formats.hdf5;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.formats.tensor.TensorInfo;
import io.jhdf.AbstractNode;
import io.jhdf.api.Dataset;
import io.jhdf.object.message.FillValueMessage;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * What stands where numbers were never written: HDF5 keeps one value for all of them, zero if none
 * was chosen.
 */
final class FillValue {
  private final byte[] number; // as it is stored
  private final String text;

  private FillValue(byte[] number, String text) {
    this.number = number;
    this.text = text;
  }

  static FillValue of(Dataset dataset, TensorInfo tensor) {
    byte[] number = new byte[Math.max(1, tensor.dtype().bits() / 8)];
    if (dataset instanceof AbstractNode node
        && node.getHeader().hasMessageOfType(FillValueMessage.class)) {
      FillValueMessage message = node.getHeader().getMessageOfType(FillValueMessage.class);
      ByteBuffer chosen = message.isFillValueDefined() ? message.getFillValue() : null;
      if (chosen != null && chosen.remaining() == number.length) {
        chosen.duplicate().get(number);
        return new FillValue(number, String.valueOf(dataset.getFillValue()));
      }
    }
    return new FillValue(number, "0");
  }

  /** Fills bytes, a whole number of numbers. */
  void into(MemorySegment bytes) {
    long size = bytes.byteSize();
    MemorySegment.copy(MemorySegment.ofArray(number), 0, bytes, 0, Math.min(number.length, size));
    for (long done = number.length; done < size; done *= 2) {
      MemorySegment.copy(bytes, JAVA_BYTE, 0, bytes, JAVA_BYTE, done, Math.min(done, size - done));
    }
  }

  /** Returns so many bytes of it. */
  byte[] bytes(int count) {
    byte[] filled = new byte[count];
    into(MemorySegment.ofArray(filled));
    return filled;
  }

  @Override
  public String toString() {
    return text;
  }
}
