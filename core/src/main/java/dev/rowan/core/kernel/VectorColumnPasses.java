package dev.rowan.core.kernel;

import static dev.rowan.core.kernel.ScalarColumnPasses.COS_144;
import static dev.rowan.core.kernel.ScalarColumnPasses.COS_72;
import static dev.rowan.core.kernel.ScalarColumnPasses.SIN_144;
import static dev.rowan.core.kernel.ScalarColumnPasses.SIN_60;
import static dev.rowan.core.kernel.ScalarColumnPasses.SIN_72;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * SIMD twin of {@link ScalarColumnPasses}: the same operations in the same order. A row of 16
 * columns is a whole number of vectors of every width.
 */
final class VectorColumnPasses implements ColumnPasses {
  static final VectorColumnPasses INSTANCE = new VectorColumnPasses();
  private static final VectorSpecies<Float> S = Lanes.FLOATS;
  private static final int LANES = S.length();

  private VectorColumnPasses() {}

  private static FloatVector load(float[] from, int at) {
    return FloatVector.fromArray(S, from, at);
  }

  private static void turn(
      FloatVector r, FloatVector i, float cos, float sin, float[] yr, float[] yi, int y) {
    r.mul(cos).sub(i.mul(sin)).intoArray(yr, y);
    r.mul(sin).add(i.mul(cos)).intoArray(yi, y);
  }

  @Override
  public void two(float[] xr, float[] xi, float[] yr, float[] yi, int m, int width, float[] w) {
    for (int p = 0; p < m; p++) {
      float cos = w[2 * p];
      float sin = w[2 * p + 1];
      for (int q = 0; q < width; q += LANES) {
        int at = p * width + q;
        int y = 2 * p * width + q;
        FloatVector ar = load(xr, at);
        FloatVector ai = load(xi, at);
        FloatVector br = load(xr, at + m * width);
        FloatVector bi = load(xi, at + m * width);
        ar.add(br).intoArray(yr, y);
        ai.add(bi).intoArray(yi, y);
        turn(ar.sub(br), ai.sub(bi), cos, sin, yr, yi, y + width);
      }
    }
  }

  @Override
  public void three(float[] xr, float[] xi, float[] yr, float[] yi, int m, int width, float[] w) {
    for (int p = 0; p < m; p++) {
      threeGroup(xr, xi, yr, yi, m * width, p * width, width, w, 4 * p);
    }
  }

  private static void threeGroup(
      float[] xr,
      float[] xi,
      float[] yr,
      float[] yi,
      int part,
      int from,
      int width,
      float[] w,
      int turn) {
    for (int q = 0; q < width; q += LANES) {
      int at = from + q;
      int y = 3 * from + q;
      FloatVector ar = load(xr, at);
      FloatVector ai = load(xi, at);
      FloatVector br = load(xr, at + part);
      FloatVector bi = load(xi, at + part);
      FloatVector cr = load(xr, at + 2 * part);
      FloatVector ci = load(xi, at + 2 * part);
      FloatVector sumR = br.add(cr);
      FloatVector sumI = bi.add(ci);
      FloatVector crossR = br.sub(cr).mul(SIN_60);
      FloatVector crossI = bi.sub(ci).mul(SIN_60);
      FloatVector midR = ar.sub(sumR.mul(0.5f));
      FloatVector midI = ai.sub(sumI.mul(0.5f));
      ar.add(sumR).intoArray(yr, y);
      ai.add(sumI).intoArray(yi, y);
      turn(midR.add(crossI), midI.sub(crossR), w[turn], w[turn + 1], yr, yi, y + width);
      turn(midR.sub(crossI), midI.add(crossR), w[turn + 2], w[turn + 3], yr, yi, y + 2 * width);
    }
  }

  @Override
  public void four(float[] xr, float[] xi, float[] yr, float[] yi, int m, int width, float[] w) {
    for (int p = 0; p < m; p++) {
      fourGroup(xr, xi, yr, yi, m * width, p * width, width, w, 6 * p);
    }
  }

  private static void fourGroup(
      float[] xr,
      float[] xi,
      float[] yr,
      float[] yi,
      int part,
      int from,
      int width,
      float[] w,
      int turn) {
    for (int q = 0; q < width; q += LANES) {
      int at = from + q;
      int y = 4 * from + q;
      FloatVector ar = load(xr, at);
      FloatVector ai = load(xi, at);
      FloatVector br = load(xr, at + part);
      FloatVector bi = load(xi, at + part);
      FloatVector cr = load(xr, at + 2 * part);
      FloatVector ci = load(xi, at + 2 * part);
      FloatVector dr = load(xr, at + 3 * part);
      FloatVector di = load(xi, at + 3 * part);
      FloatVector evenR = ar.add(cr);
      FloatVector evenI = ai.add(ci);
      FloatVector oddR = br.add(dr);
      FloatVector oddI = bi.add(di);
      FloatVector acR = ar.sub(cr);
      FloatVector acI = ai.sub(ci);
      FloatVector bdR = br.sub(dr);
      FloatVector bdI = bi.sub(di);
      evenR.add(oddR).intoArray(yr, y);
      evenI.add(oddI).intoArray(yi, y);
      turn(acR.add(bdI), acI.sub(bdR), w[turn], w[turn + 1], yr, yi, y + width);
      turn(evenR.sub(oddR), evenI.sub(oddI), w[turn + 2], w[turn + 3], yr, yi, y + 2 * width);
      turn(acR.sub(bdI), acI.add(bdR), w[turn + 4], w[turn + 5], yr, yi, y + 3 * width);
    }
  }

  @Override
  public void five(float[] xr, float[] xi, float[] yr, float[] yi, int m, int width, float[] w) {
    for (int p = 0; p < m; p++) {
      fiveGroup(xr, xi, yr, yi, m * width, p * width, width, w, 8 * p);
    }
  }

  private static void fiveGroup(
      float[] xr,
      float[] xi,
      float[] yr,
      float[] yi,
      int part,
      int from,
      int width,
      float[] w,
      int turn) {
    for (int q = 0; q < width; q += LANES) {
      int at = from + q;
      int y = 5 * from + q;
      FloatVector ar = load(xr, at);
      FloatVector ai = load(xi, at);
      FloatVector br = load(xr, at + part);
      FloatVector bi = load(xi, at + part);
      FloatVector cr = load(xr, at + 2 * part);
      FloatVector ci = load(xi, at + 2 * part);
      FloatVector dr = load(xr, at + 3 * part);
      FloatVector di = load(xi, at + 3 * part);
      FloatVector er = load(xr, at + 4 * part);
      FloatVector ei = load(xi, at + 4 * part);
      FloatVector beR = br.add(er);
      FloatVector beI = bi.add(ei);
      FloatVector cdR = cr.add(dr);
      FloatVector cdI = ci.add(di);
      FloatVector beCrossR = br.sub(er);
      FloatVector beCrossI = bi.sub(ei);
      FloatVector cdCrossR = cr.sub(dr);
      FloatVector cdCrossI = ci.sub(di);
      FloatVector firstR = ar.add(beR.mul(COS_72)).add(cdR.mul(COS_144));
      FloatVector firstI = ai.add(beI.mul(COS_72)).add(cdI.mul(COS_144));
      FloatVector secondR = ar.add(beR.mul(COS_144)).add(cdR.mul(COS_72));
      FloatVector secondI = ai.add(beI.mul(COS_144)).add(cdI.mul(COS_72));
      FloatVector thirdR = beCrossR.mul(SIN_72).add(cdCrossR.mul(SIN_144));
      FloatVector thirdI = beCrossI.mul(SIN_72).add(cdCrossI.mul(SIN_144));
      FloatVector fourthR = beCrossR.mul(SIN_144).sub(cdCrossR.mul(SIN_72));
      FloatVector fourthI = beCrossI.mul(SIN_144).sub(cdCrossI.mul(SIN_72));
      ar.add(beR).add(cdR).intoArray(yr, y);
      ai.add(beI).add(cdI).intoArray(yi, y);
      turn(firstR.add(thirdI), firstI.sub(thirdR), w[turn], w[turn + 1], yr, yi, y + width);
      turn(
          secondR.add(fourthI),
          secondI.sub(fourthR),
          w[turn + 2],
          w[turn + 3],
          yr,
          yi,
          y + 2 * width);
      turn(
          secondR.sub(fourthI),
          secondI.add(fourthR),
          w[turn + 4],
          w[turn + 5],
          yr,
          yi,
          y + 3 * width);
      turn(firstR.sub(thirdI), firstI.add(thirdR), w[turn + 6], w[turn + 7], yr, yi, y + 4 * width);
    }
  }
}
