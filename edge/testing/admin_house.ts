/** A whole edge with a fleet and a logged-in administrator. */
import { type Fleet, fleetOn } from "./fleet.ts";
import { type AskInit, openTestApp, type TestApp, type TestPerson } from "./test_app.ts";

export interface AdminHouse extends AsyncDisposable {
  edge: TestApp;
  fleet: Fleet;
  admin: TestPerson;
  /** Returns the answer to the administrator's GET `path`, which must be 200. */
  read(path: string): Promise<unknown>;
}

/** A copy of a house, as it was at one moment. */
export interface HouseCopy {
  /** Path of the database file. */
  path: string;
  now: number;
  admin: TestPerson;
  sites: number;
}

/** Opens a house, or a copy of one; `await using` closes everything. */
export async function openAdminHouse(copy?: HouseCopy): Promise<AdminHouse> {
  const edge = await openTestApp({ copyOf: copy?.path });
  const { database, ctx, clock } = edge;
  clock.now = copy?.now ?? clock.now;
  const fleet = fleetOn({ database, ctx, pass: (ms) => void (clock.now += ms) }, copy?.sites);
  const person = copy ? edge.knownPerson(copy.admin) : await edge.addPerson({ role: "admin" });

  /** Keeps the administrator logged in, however far the test moves the clock. */
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
