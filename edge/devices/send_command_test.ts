import assert from "node:assert/strict";
import { revokeSite } from "../sites/revoke_site.ts";
import { activityPageSchema, type DeviceCommand, deviceCommandSchema } from "shared/admin_api.ts";
import { openAdminHouse } from "../testing/admin_house.ts";
import { type AgentDoorTest, openAgentDoor } from "../testing/agent_door.ts";
import { inventoryOf } from "../testing/fake_agent.ts";
import { pull, sendNew } from "../testing/queue_acts.ts";
import { COMMAND_TIMEOUT_MS, timeOutCommands } from "./finish_commands.ts";
import { readCommand } from "./read_commands.ts";
import { sendCommand } from "./send_command.ts";

const boss = { person: 1, username: "boss" };

/** Returns a connected site with one phone that the edge knows. */
async function openSite(door: AgentDoorTest) {
  const site = await door.enroll();
  const agent = await site.ready();
  agent.send({ ...inventoryOf("R58M"), accounts: [] });
  await agent.ask({ type: "heartbeat", journalCounter: 1, at: 1 });
  return { site, agent };
}

/** Sends the result and waits until the edge has stored it. */
async function answer(
  agent: Awaited<ReturnType<typeof openSite>>["agent"],
  id: number,
  ok: boolean,
  detail = "",
) {
  agent.send({ type: "commandResult", id, ok, detail });
  await agent.ask({ type: "heartbeat", journalCounter: 1, at: 1 });
}

async function lastActivity({ fleet }: AgentDoorTest) {
  const { code, data } = await fleet.one("SELECT code, data FROM activity ORDER BY id DESC LIMIT 1");
  return [code, JSON.parse(String(data)).kind];
}

Deno.test("sendCommand() reaches the phone's site, and ends with the site's answer", async () => {
  await using door = await openAgentDoor();
  const { ctx } = door.fleet;
  const { agent } = await openSite(door);
  await using _ = agent;
  const asked = await sendCommand(ctx, boss, 1, "identify");
  assert.deepEqual([asked.status, asked.by, asked.detail], ["waiting", "", null]);
  assert.deepEqual(await agent.read(), { type: "command", id: asked.id, kind: "identify", device: "R58M" });
  await answer(agent, asked.id, true);
  const done = await readCommand(ctx, asked.id);
  assert.deepEqual([done.status, done.detail, done.finishedAt], ["done", null, ctx.now()]);
  await answer(agent, asked.id, false);
  assert.equal((await readCommand(ctx, asked.id)).status, "done", "an answer is final");

  assert.deepEqual(await lastActivity(door), ["device_command_done", "identify"]);
  const locked = await sendCommand(ctx, boss, 1, "identify");
  assert.equal((await agent.read())?.type, "command");
  await answer(agent, locked.id, true, "Its lock screen is lit at full brightness: it wants its PIN");
  assert.equal(
    (await readCommand(ctx, locked.id)).detail,
    "הטלפון נעול בקוד: מסך הנעילה שלו מואר בבהירות מלאה.",
  );

  const failing = await sendCommand(ctx, boss, 1, "restart");
  assert.equal((await agent.read())?.type, "command");
  await answer(agent, failing.id, false, 'Cannot reach device "R58M"');
  const failed = await readCommand(ctx, failing.id);
  assert.deepEqual([failed.status, failed.detail], ["failed", "המכשיר לא זמין באתר שלו."]);
  assert.deepEqual(await lastActivity(door), ["device_command_failed", "restart"]);
});

Deno.test("sendCommand() refuses a phone of a revoked site", async () => {
  await using door = await openAgentDoor();
  const { ctx } = door.fleet;
  const { site, agent } = await openSite(door);
  await using _ = agent;
  await revokeSite(ctx, site.siteId);
  await assert.rejects(sendCommand(ctx, boss, 1, "stop"), { code: "not_found" });
});

Deno.test("finishCommand() lets a started phone try pictures again, once its site has answered", async () => {
  await using door = await openAgentDoor();
  const { ctx } = door.fleet;
  const { agent } = await openSite(door);
  await using _ = agent;
  await ctx.db.execute(`INSERT INTO accounts (device, site, key, state, captions, first_seen_at, updated_at)
    SELECT id, site, key || '/com.whatsapp/0', 'ok', 0, 1, 1 FROM devices`);
  const captions = async () => (await door.fleet.one("SELECT captions FROM accounts")).captions;
  const ask = async (kind: "stop" | "start", ok: boolean) => {
    const { id } = await sendCommand(ctx, boss, 1, kind);
    assert.equal((await agent.read())?.type, "command");
    await answer(agent, id, ok);
  };
  await ask("stop", true);
  await ask("start", false);
  assert.equal(await captions(), 0);
  await ask("start", true);
  assert.equal(await captions(), null);
});

Deno.test("finishCommand() refuses another site's answer", async () => {
  await using door = await openAgentDoor();
  const { agent } = await openSite(door);
  await using _ = agent;
  await using other = await (await door.enroll()).ready();
  const { id } = await sendCommand(door.fleet.ctx, boss, 1, "restart");
  await answer(other, id, true);
  assert.equal((await readCommand(door.fleet.ctx, id)).status, "waiting");
});

Deno.test("timeOutCommands() ends commands unanswered within the time of their kind, and notes it", async () => {
  await using house = await openAdminHouse();
  const { ctx } = house.fleet;
  await house.fleet.addSite(1);
  const { id } = await sendCommand(ctx, boss, 1, "restart");
  house.fleet.pass(COMMAND_TIMEOUT_MS.restart - 1);
  await timeOutCommands(ctx);
  assert.equal((await readCommand(ctx, id)).status, "waiting");
  house.fleet.pass(1);
  await timeOutCommands(ctx);
  await timeOutCommands(ctx);
  const command = deviceCommandSchema.parse(await house.read(`/api/admin/commands/${id}`));
  assert.deepEqual([command.status, command.detail], [
    "timed_out",
    "האתר לא ענה תוך ארבע דקות. אי אפשר לדעת אם המכשיר הופעל מחדש, והבקשה לא תישלח שוב.",
  ]);
  const { items } = activityPageSchema.parse(await house.read("/api/admin/activity?limit=2"));
  assert.deepEqual(items.map(({ message }) => message), [
    "לא התקבלה תשובה מהאתר: הפעלה מחדש של המכשיר",
    "לבקשת boss: הפעלה מחדש של המכשיר",
  ]);
});

Deno.test("sendCommand() keeps a stop at the edge: the phone is leased nothing until it is started", async () => {
  await using house = await openAdminHouse();
  const { fleet, admin } = house;
  const site = await fleet.addSite(1);
  await sendNew(fleet, 3);
  const command = (kind: string) => admin.ask(`/api/admin/devices/1/${kind}`, { method: "POST" });
  const stopped = await command("stop");
  assert.equal(stopped.status, 202);
  const asked: DeviceCommand = deviceCommandSchema.parse(await stopped.json());
  assert.deepEqual([asked.kind, asked.status, asked.by], ["stop", "waiting", "person-1"]);
  assert.equal(await pull(fleet, site), null);
  await command("restart");
  assert.equal(await pull(fleet, site), null, "a restart starts nothing");
  await command("start");
  assert.ok(await pull(fleet, site));
  assert.equal((await command("explode")).status, 400);
  assert.equal((await admin.ask("/api/admin/devices/99/stop", { method: "POST" })).status, 404);
});

Deno.test("a site that was offline is asked again for the last stop or start at its hello, and for nothing else", async () => {
  await using door = await openAgentDoor();
  const { ctx } = door.fleet;
  const { site, agent } = await openSite(door);
  agent.socket.close();
  await agent.closed;
  door.fleet.pass(31_000);
  for (const kind of ["start", "stop", "restart"] as const) await sendCommand(ctx, boss, 1, kind);
  door.fleet.pass(COMMAND_TIMEOUT_MS.restart);
  await timeOutCommands(ctx);

  await using back = await site.ready();
  const again = await back.read();
  assert.ok(again?.type === "command" && again.kind === "stop");
  await answer(back, again.id, true);
  assert.equal((await readCommand(ctx, again.id)).status, "done");
});
