/** A site whose agent keeps no rule of ours: it has a real key, and sends on a real socket the frames of a test. */
import type { AgentFrame, EdgeFrame } from "shared/agent_protocol.ts";
import type { AgentDoorTest } from "./agent_door.ts";
import type { FakeAgent, FakeSite } from "./fake_agent.ts";

export interface Liar extends AsyncDisposable {
  site: number;
  agent: FakeAgent;
  /** Sends a frame unchanged, `times` times. Waits until the edge has handled all of it or closed the socket. */
  sends(frame: AgentFrame, times?: number): Promise<EdgeFrame[]>;
}

export interface LiarOptions {
  /** True = it continues without its hello. */
  skipsHello?: boolean;
  /** An enrolled site; by default a new one is enrolled. */
  site?: FakeSite;
}

/** Connects a liar at the door. */
export async function openLiar(door: AgentDoorTest, options: LiarOptions = {}): Promise<Liar> {
  const { skipsHello = false, site = await door.enroll() } = options;
  const agent = skipsHello ? await site.connect() : await site.ready();
  return {
    site: site.siteId,
    agent,
    async sends(frame, times = 1) {
      for (let count = 0; count < times; count++) agent.send(frame);
      // Frames are handled in order, so the answer to this one comes after all answers to the others.
      agent.send({ type: "heartbeat", journalCounter: 0, at: 0 });
      const heard: EdgeFrame[] = [];
      for (;;) {
        const answer = await agent.read();
        if (answer === null || answer.type === "heartbeatAck" || answer.type === "erase") return heard;
        heard.push(answer);
      }
    },
    [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose](),
  };
}
