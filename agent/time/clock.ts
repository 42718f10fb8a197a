/** The time that the agent's parts receive. */
export interface Clock {
  /** Milliseconds since 1970, by this machine's clock. */
  now(): number;
  /** Milliseconds that only ever grow. A corrected clock does not affect them. */
  monotonic(): number;
  /** Resolves after `ms`, or at once when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
