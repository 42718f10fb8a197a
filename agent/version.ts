/** The agent's version, as sent to the edge and written in its status. */
export const AGENT_VERSION = "1.0.0";
