/** What was true on the phone just before the tap; it is journaled with `tapping`, and recovery judges by it. */
export interface TapIntent {
  bootId: string;
  /** Phone uptime in seconds from which the tap command refuses to tap. */
  deadlineUptime: number;
  /** Fingerprints of the outgoing rows in sight, oldest first. */
  rowsBefore: string[];
}
