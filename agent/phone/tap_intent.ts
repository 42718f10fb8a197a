/** Facts about the phone just before the tap. They are journaled with `tapping`, and recovery decides by them. */
export interface TapIntent {
  bootId: string;
  /** The tap command refuses to tap from this phone uptime on, in seconds. */
  deadlineUptime: number;
  /** Fingerprints of the outgoing rows in sight, oldest first. */
  rowsBefore: string[];
}
