/** A broken journal ends the whole site by its signal. The errors that it throws into each part are then dropped. */

export function unlessBroken(broken: AbortSignal, act: () => void): void {
  try {
    act();
  } catch (error) {
    throwUnlessBroken(broken, error);
  }
}

export function throwUnlessBroken(broken: AbortSignal, error: unknown): void {
  if (!broken.aborted) throw error;
}
