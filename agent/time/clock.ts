/** Time as the agent's parts are handed it. */
export interface Clock {
  /** Milliseconds since 1970, as this machine believes. */
  now(): number;
  /** Milliseconds that only ever grow; unaffected by a corrected clock. */
  monotonic(): number;
  /** Resolves after `ms`, or at once when the signal aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
