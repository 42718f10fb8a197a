/** The whole edge on a real port, with an administrator and a site whose answers to `still` a test chooses. */
import type { EdgeFrame, EdgeFrameOf } from "shared/agent_protocol.ts";
import { AGENT_FEATURES } from "shared/features.ts";
import { STILL_PART_BYTES } from "shared/still.ts";
import { createSite } from "../sites/create_site.ts";
import { sleep } from "../time/sleep.ts";
import { type FakeAgent, FakeSite, inventoryOf } from "./fake_agent.ts";
import { openTestApp, PROOF, type TestApp, type TestPerson } from "./test_app.ts";

export type StillFrame = EdgeFrameOf<"still">;

export interface StillHouse extends AsyncDisposable {
  edge: TestApp;
  origin: string;
  admin: TestPerson;
  site: FakeSite;
  agent: FakeAgent;
  /** Ids of the site's phones, in the order of their names. */
  devices: number[];
  /** Begins looks at phones, and returns their ids. */
  look(devices?: number[], person?: TestPerson): Promise<number[]>;
  still(look: number, person?: TestPerson, signal?: AbortSignal): Promise<Response>;
  /** Returns the next frame of the type, and drops others. */
  next<T extends EdgeFrame["type"]>(type: T, from?: FakeAgent): Promise<EdgeFrameOf<T>>;
  /** Sends the part that the edge asked for. */
  sendPart(asked: StillFrame, picture: Uint8Array, from?: FakeAgent): void;
  /** Answers the next still with the whole picture. */
  show(picture: Uint8Array): Promise<StillFrame>;
  /** The lines about looks, oldest first. */
  lines(): Promise<{ kind: string; device: number; actor: number; data: Record<string, unknown> }[]>;
}

export async function openStillHouse(
  { phones = ["A", "B"], features = [...AGENT_FEATURES] as string[] } = {},
): Promise<StillHouse> {
  const edge = await openTestApp();
  const stop = new AbortController();
  edge.ctx.wakeOutbox = edge.tail.wake;
  const running = edge.tail.run(stop.signal);
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, edge.app.fetch);
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const admin = await edge.addPerson({ role: "admin" });
  const { joinToken } = await createSite(edge.ctx, "חיפה");
  const site = await FakeSite.enroll(origin, joinToken, edge.ctx.now);
  const agent = await site.connect();
  agent.hello([], features.length > 0 ? [] : undefined);
  await agent.read();
  agent.send(inventoryOf(...phones));
  // The answer to the heartbeat shows that the inventory before it is written.
  agent.send({ type: "heartbeat", journalCounter: 0, at: edge.ctx.now() });
  const house: StillHouse = {
    edge,
    origin,
    admin,
    site,
    agent,
    devices: [],
    async look(devices = house.devices.slice(0, 1), person = admin) {
      const json = { devices, reason: "הלקוח לא מקבל הודעות", proof: PROOF };
      const answer = await person.ask("/api/admin/looks", { method: "POST", json });
      if (answer.status !== 201) throw new Error(`Cannot look: ${await answer.text()}`);
      const { looks }: { looks: { id: number }[] } = await answer.json();
      return looks.map(({ id }) => id);
    },
    still: (look, person = admin, signal) =>
      person.ask(`/api/admin/looks/${look}/still`, { method: "POST", signal }),
    async next(type, from = agent) {
      while (true) {
        const frame = await from.read();
        if (frame === null) throw new Error(`The socket closed before ${type}`);
        if (frame.type === type) return frame as EdgeFrameOf<typeof type>;
      }
    },
    sendPart({ id, at }, picture, from = agent) {
      const data = picture.subarray(at, at + STILL_PART_BYTES).toBase64();
      from.send({ type: "stillPart", id, at, size: picture.length, data });
    },
    async show(picture) {
      const first = await house.next("still");
      house.sendPart(first, picture);
      for (let at = STILL_PART_BYTES; at < picture.length; at += STILL_PART_BYTES) {
        house.sendPart(await house.next("still"), picture);
      }
      return first;
    },
    async lines() {
      const sql =
        "SELECT kind, device, actor, data FROM audit_log WHERE kind LIKE 'screen_look%' ORDER BY id";
      const { rows } = await edge.ctx.db.execute(sql);
      return rows.map(({ kind, device, actor, data }) => ({
        kind: String(kind),
        device: Number(device),
        actor: Number(actor),
        data: JSON.parse(String(data)),
      }));
    },
    async [Symbol.asyncDispose]() {
      await agent[Symbol.asyncDispose]();
      edge.agents.closeAll();
      await server.shutdown();
      stop.abort();
      await running;
      await edge[Symbol.asyncDispose]();
    },
  };
  await house.next("heartbeatAck");
  const { rows } = await edge.ctx.db.execute("SELECT id FROM devices ORDER BY key");
  house.devices = rows.map(({ id }) => Number(id));
  return house;
}

/** Waits for a condition that another task makes true. */
export async function until(test: () => boolean | Promise<boolean>): Promise<void> {
  while (!await test()) await sleep(2);
}
