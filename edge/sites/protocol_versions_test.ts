import assert from "node:assert/strict";
import { listSites } from "../admin/list_sites.ts";
import { openAgentDoor } from "../testing/agent_door.ts";
import { FakeAgent } from "../testing/fake_agent.ts";

Deno.test("agentRoutes() accepts an agent that offers this edge's version among others, in any order", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  const offered = ["shigur.agent.v3", "shigur.agent.v1", "shigur.agent.v2"];
  await using agent = new FakeAgent(site, await site.sign(), offered);
  assert.equal((await agent.read())?.type, "welcome");
  assert.equal(agent.socket.protocol, "shigur.agent.v2");
});

Deno.test("listSites() says of a site that last spoke another version that it needs an update, until it connects", async () => {
  await using door = await openAgentDoor();
  const { ctx } = door.fleet;
  const site = await door.enroll();
  const listed = async () => {
    const [{ protocol, needsUpdate }] = await listSites(ctx);
    return [protocol, needsUpdate];
  };
  assert.deepEqual(await listed(), [null, false]);
  await ctx.db.execute("UPDATE sites SET protocol = 'shigur.agent.v1'");
  assert.deepEqual(await listed(), ["shigur.agent.v1", true]);
  await using _ = await site.connect();
  assert.deepEqual(await listed(), ["shigur.agent.v2", false]);
});
