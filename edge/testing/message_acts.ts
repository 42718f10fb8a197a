/** For tests: messages by call, through the doors of the edge. */
import assert from "node:assert/strict";
import { type Message, type MessagePage, messagePageSchema, messageSchema } from "shared/messages_api.ts";
import { auditQueue } from "../queue/audit.ts";
import { type AdminHouse, openAdminHouse } from "./admin_house.ts";
import type { TestKey, TestPerson } from "./test_app.ts";

export const HOUR_MS = 60 * 60_000;
export const DAY_MS = 24 * HOUR_MS;

type Asker = Pick<TestPerson, "ask"> | TestKey;

/** Opens an edge with a client, keys that may send messages, and a site with two phones. */
export async function openMessageHouse(messageQuota = 100) {
  const house = await openAdminHouse();
  const { edge, fleet } = house;
  const dana = await edge.addPerson({ messageQuota });
  const key = await edge.addKey(dana, { scopes: ["messages:send", "reports"] });
  const testKey = await edge.addKey(dana, { scopes: ["messages:send"], mode: "test" });
  const site = await fleet.addSite(2);
  return { house, edge, fleet, dana, key, testKey, site };
}

const HELLO = { to: "054-000-0001", text: "התור שלך מחר ב־10:00", kind: "service" };

/** Hands over a message; `more` are fields beside or instead of an ordinary one's. */
export function send(
  by: Asker,
  more: object = {},
  init: { headers?: Record<string, string> } = {},
): Promise<Response> {
  return by.ask("/api/messages", { method: "POST", json: { ...HELLO, ...more }, ...init });
}

/** Hands over a message that is accepted. */
export async function sent(by: Asker, more: object = {}): Promise<Message> {
  const answer = await send(by, more);
  assert.equal(answer.status, 202, await answer.clone().text());
  return messageSchema.parse(await answer.json());
}

/** Hands over a message that is refused, and returns the status and the code. */
export async function refused(by: Asker, more: object = {}): Promise<unknown[]> {
  const answer = await send(by, more);
  return [answer.status, (await answer.json()).code];
}

export async function read(by: Asker, id: number): Promise<Message> {
  const answer = await by.ask(`/api/messages/${id}`);
  assert.equal(answer.status, 200, await answer.clone().text());
  return messageSchema.parse(await answer.json());
}

export async function list(by: Asker, query = ""): Promise<MessagePage> {
  const answer = await by.ask(`/api/messages${query}`);
  assert.equal(answer.status, 200, await answer.clone().text());
  return messagePageSchema.parse(await answer.json());
}

export async function search(by: Asker, json: object): Promise<MessagePage> {
  const answer = await by.ask("/api/messages/search", { method: "POST", json });
  assert.equal(answer.status, 200, await answer.clone().text());
  return messagePageSchema.parse(await answer.json());
}

/** @throws AssertionError when the auditor finds a difference */
export async function isSound({ fleet }: { fleet: AdminHouse["fleet"] }): Promise<void> {
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
}
