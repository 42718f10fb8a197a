/** The agent's version, as it says it to the edge and in its status. */
export const AGENT_VERSION = "1.0.0";
