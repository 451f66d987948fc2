package dev.rowan.analysis.map;

/**
 * Sums how points push each other apart. With q_ij = 1 / (1 + d²) the force on point i is Σ_j q_ij²
 * (y_i − y_j), and the normaliser Z = Σ_i Σ_{j≠i} q_ij.
 */
interface RepulsiveForces {
  /**
   * Computes the forces, not yet divided by Z.
   *
   * @param forceX receives the forces along x
   * @param forceY receives the forces along y
   * @return Z
   */
  double forces(double[] x, double[] y, double[] forceX, double[] forceY);
}
