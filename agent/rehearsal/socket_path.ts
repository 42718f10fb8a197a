/** Returns the socket at which a running agent lends its phones to the command `rehearse`. */
export function rehearsalSocket(agentDir: string): string {
  return `${agentDir}/rehearse.sock`;
}

/** An order with the largest picture, and room for the rest of it. */
export const MAX_ORDER_BYTES = 7 * 1024 * 1024 + 64 * 1024;
export const MAX_ANSWER_BYTES = 1_024;
/** A report with every step and the longest details. */
export const MAX_NOTICE_BYTES = 64 * 1024;
