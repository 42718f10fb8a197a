import assert from "node:assert/strict";
import { AGENT_SUBPROTOCOL } from "shared/agent_protocol.ts";
import { protocolGap } from "./protocol_gap.ts";

Deno.test("protocolGap() names the side to update only when no version is shared", () => {
  assert.equal(protocolGap("shigur.agent.v99, shigur.agent.v98"), "agent_older");
  assert.equal(protocolGap("shigur.agent.v0"), "edge_older");
  assert.equal(protocolGap(`shigur.agent.v99, ${AGENT_SUBPROTOCOL}`), null);
  assert.equal(protocolGap(""), null);
  assert.equal(protocolGap(null), null);
});
