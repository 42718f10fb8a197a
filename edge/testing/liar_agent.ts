/** A site whose agent keeps no rule of ours: it holds a real key, and says on a real socket what a test has it say. */
import type { AgentFrame, EdgeFrame } from "shared/agent_protocol.ts";
import type { AgentDoorTest } from "./agent_door.ts";
import type { FakeAgent, FakeSite } from "./fake_agent.ts";

export interface Liar extends AsyncDisposable {
  site: number;
  agent: FakeAgent;
  /** Says a frame as it is, `times` over, and waits until the edge has handled all of it or closed the socket. */
  says(frame: AgentFrame, times?: number): Promise<EdgeFrame[]>;
}

export interface LiarOptions {
  /** It goes on without its hello. */
  skipsHello?: boolean;
  /** Enrolled earlier; else a new one is. */
  site?: FakeSite;
}

/** Connects a liar at the door. */
export async function openLiar(door: AgentDoorTest, options: LiarOptions = {}): Promise<Liar> {
  const { skipsHello = false, site = await door.enroll() } = options;
  const agent = skipsHello ? await site.connect() : await site.ready();
  return {
    site: site.siteId,
    agent,
    async says(frame, times = 1) {
      for (let said = 0; said < times; said++) agent.send(frame);
      // Frames are handled in order: what answers this one comes after all that the others bring.
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
