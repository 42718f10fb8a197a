/** Fits a straight line to samples, by least squares. */

export interface Sample {
  hours: number;
  mb: number;
}

export interface Slope {
  mbPerHour: number;
  /** Standard error of the slope: in 19 of 20 runs a true slope of 0 stays within twice this value. */
  errorMbPerHour: number;
}

/** Fits a line; both figures are NaN for fewer than three samples, or samples of a single moment. */
export function slopeOf(samples: readonly Sample[]): Slope {
  const count = samples.length;
  if (count < 3) return { mbPerHour: NaN, errorMbPerHour: NaN };
  const meanHours = sum(samples, ({ hours }) => hours) / count;
  const meanMb = sum(samples, ({ mb }) => mb) / count;
  const spread = sum(samples, ({ hours }) => (hours - meanHours) ** 2);
  const mbPerHour = sum(samples, ({ hours, mb }) => (hours - meanHours) * (mb - meanMb)) / spread;
  const residue = sum(
    samples,
    ({ hours, mb }) => (mb - meanMb - mbPerHour * (hours - meanHours)) ** 2,
  );
  return { mbPerHour, errorMbPerHour: Math.sqrt(residue / (count - 2) / spread) };
}

function sum(samples: readonly Sample[], of: (sample: Sample) => number): number {
  return samples.reduce((total, sample) => total + of(sample), 0);
}
