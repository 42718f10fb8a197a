/** A whole edge with a fleet and an administrator who is logged in. */
import { type Fleet, fleetOn } from "./fleet.ts";
import { type AskInit, openTestApp, type TestApp, type TestPerson } from "./test_app.ts";

export interface AdminHouse extends AsyncDisposable {
  edge: TestApp;
  fleet: Fleet;
  admin: TestPerson;
  /** What GET `path` answers the administrator, which must be 200. */
  read(path: string): Promise<unknown>;
}

/** Opens it; `await using` closes everything. */
export async function openAdminHouse(): Promise<AdminHouse> {
  const edge = await openTestApp();
  const { database, ctx, clock } = edge;
  const fleet = fleetOn({ database, ctx, pass: (ms) => void (clock.now += ms) });
  const person = await edge.addPerson({ role: "admin" });

  /** However far the test moved the clock, the administrator is still logged in. */
  async function ask(path: string, init?: AskInit): Promise<Response> {
    const args = [clock.now, clock.now, person.id];
    await ctx.db.execute({
      sql: "UPDATE sessions SET created_at = ?, last_seen_at = ? WHERE user = ?",
      args,
    });
    return await person.ask(path, init);
  }

  const admin = { ...person, ask };
  async function read(path: string): Promise<unknown> {
    const answer = await ask(path);
    if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`);
    return await answer.json();
  }
  return { edge, fleet, admin, read, [Symbol.asyncDispose]: () => edge[Symbol.asyncDispose]() };
}
