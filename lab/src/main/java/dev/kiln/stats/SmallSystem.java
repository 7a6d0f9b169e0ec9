package dev.kiln.stats;

/** A few linear equations, by elimination with pivots. */
final class SmallSystem {
    private SmallSystem() {}

    /**
     * The unknowns of {@code matrix * unknowns = right}; 0 for those that are not free, whose rows and columns are left out.
     * Rows are scaled by the diagonal first: the coefficients of a fit differ by many orders of magnitude.
     */
    static double[] solve(double[][] matrix, double[] right, boolean[] free) {
        int size = right.length;
        double[] scale = new double[size];
        double[][] a = new double[size][size + 1];
        for (int i = 0; i < size; i++) {
            scale[i] = free[i] && matrix[i][i] > 0 ? 1 / Math.sqrt(matrix[i][i]) : 1;
        }
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                a[i][j] = free[i] && free[j] ? matrix[i][j] * scale[i] * scale[j] : i == j ? 1 : 0;
            }
            a[i][size] = free[i] ? right[i] * scale[i] : 0;
        }
        eliminate(a);
        double[] solved = new double[size];
        for (int i = size - 1; i >= 0; i--) {
            double sum = a[i][size];
            for (int j = i + 1; j < size; j++) {
                sum -= a[i][j] * solved[j];
            }
            solved[i] = sum / a[i][i];
        }
        for (int i = 0; i < size; i++) {
            solved[i] *= scale[i];
        }
        return solved;
    }

    private static void eliminate(double[][] a) {
        for (int column = 0; column < a.length; column++) {
            int pivot = column;
            for (int row = column + 1; row < a.length; row++) {
                pivot = Math.abs(a[row][column]) > Math.abs(a[pivot][column]) ? row : pivot;
            }
            double[] swapped = a[column];
            a[column] = a[pivot];
            a[pivot] = swapped;
            for (int row = column + 1; row < a.length; row++) {
                double factor = a[row][column] / a[column][column];
                for (int j = column; j <= a.length; j++) {
                    a[row][j] -= factor * a[column][j];
                }
            }
        }
    }
}
