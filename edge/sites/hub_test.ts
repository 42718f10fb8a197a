import assert from "node:assert/strict";
import type { EdgeFrame } from "shared/agent_protocol.ts";
import type { AgentFeature } from "shared/features.ts";
import { createAgentHub } from "./hub.ts";

Deno.test("createAgentHub() sends a site nothing about deliveries before its hello, and closes it when revoked", () => {
  const hub = createAgentHub();
  const heard: EdgeFrame[] = [];
  const closed: string[] = [];
  const connection = {
    site: 1,
    epoch: 1,
    isReady: false,
    features: new Set<AgentFeature>(),
    send: (frame: EdgeFrame) => void heard.push(frame),
    close: (_code: number, reason: string) => void closed.push(reason),
  };
  hub.add(connection);
  const data = JSON.stringify({ token: "a".repeat(32), phones: ["+972540000001"] });
  const recall = () => hub.deliver({ type: "recall", site: 1, data });
  recall();
  assert.deepEqual(heard, []);
  hub.deliver({ type: "revoke", site: 1, data: "{}" });
  assert.deepEqual(closed, ["revoked"]);
  connection.isReady = true;
  recall();
  assert.deepEqual(heard, [{ type: "recall", items: [JSON.parse(data)] }]);
});
