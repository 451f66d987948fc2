package dev.rowan.formats.tensorflow;

import dev.rowan.formats.protobuf.Wire;
import dev.rowan.formats.tensorflow.SliceKey.Extent;
import java.util.ArrayList;
import java.util.List;

/**
 * What the index says about one tensor (tensorflow/tensorflow, tensor_bundle.proto).
 *
 * <pre>
 *   BundleEntryProto   1 dtype  2 shape  3 shard_id  4 offset  5 size  6 crc32c  7 slices
 *   TensorShapeProto   2 dim { 1 size }   3 unknown_rank
 *   TensorSliceProto   1 extent { 1 start  2 length; without it, all }
 * </pre>
 *
 * @param slices the parts that a partitioned variable is stored in, under keys of their own; empty
 *     for others
 */
record BundleEntry(
    int dtype, List<Long> shape, long shard, long offset, long size, List<List<Extent>> slices) {

  static BundleEntry read(Wire wire) {
    int dtype = 0;
    List<Long> shape = List.of();
    long shard = 0;
    long offset = 0;
    long size = 0;
    List<List<Extent>> slices = new ArrayList<>();
    while (wire.next()) {
      switch (wire.field()) {
        case 1 -> dtype = (int) wire.number();
        case 2 -> shape = shape(wire.message());
        case 3 -> shard = wire.number();
        case 4 -> offset = wire.number();
        case 5 -> size = wire.number();
        case 7 -> slices.add(slice(wire.message()));
        default -> wire.skip();
      }
    }
    return new BundleEntry(dtype, shape, shard, offset, size, List.copyOf(slices));
  }

  private static List<Long> shape(Wire wire) {
    List<Long> shape = new ArrayList<>();
    while (wire.next()) {
      if (wire.field() == 2) {
        shape.add(field(wire.message(), 1, 0));
      } else {
        wire.skip();
      }
    }
    return List.copyOf(shape);
  }

  private static List<Extent> slice(Wire wire) {
    List<Extent> extents = new ArrayList<>();
    while (wire.next()) {
      if (wire.field() == 1) {
        Wire extent = wire.message();
        extents.add(new Extent(field(extent.again(), 1, 0), field(extent, 2, -1)));
      } else {
        wire.skip();
      }
    }
    return List.copyOf(extents);
  }

  private static long field(Wire wire, int field, long otherwise) {
    long value = otherwise;
    while (wire.next()) {
      if (wire.field() == field) {
        value = wire.number();
      } else {
        wire.skip();
      }
    }
    return value;
  }
}
