/** Makes an administrator, and clients with a quota; all share one password. */
import { execute, query, rowsAs } from "../db/query.ts";
import { users } from "../db/schema.ts";
import type { EdgeContext } from "../context.ts";
import type { Passwords } from "../auth/password.ts";
import { setQuota } from "../users/set_quota.ts";
import { usernameKey } from "../auth/username_key.ts";
import type { Dice } from "./dice.ts";
import { CLIENT_NAMES, TOWNS } from "./words.ts";
import type { World } from "./worlds.ts";

export interface Person {
  id: number;
  username: string;
}

export interface People {
  /** Null when an administrator already existed. */
  admin: Person | null;
  clients: Person[];
}

const ADD = `INSERT INTO users (username, username_key, password_hash, role, disabled, created_at)
  SELECT value->>'username', value->>'key', :hash, value->>'role', value->>'disabled', :now
  FROM json_each(:people) WHERE true RETURNING id, username, role`;

/** Makes them, and hashes the shared password once because hashing is slow. @throws {Error} when the names are taken */
export async function makePeople(
  ctx: EdgeContext,
  passwords: Passwords,
  world: World,
  { adminUsername, password, dice }: { adminUsername: string; password: string; dice: Dice },
): Promise<People> {
  const { id, username, role, usernameKey: key } = users;
  const { rows } = await execute(ctx.db, query.select({ role, key }).from(users));
  const hasAdmin = rows.some(({ role }) => role === "admin");
  const names = Array.from({ length: world.clients }, (_, index) => nameOf(index));
  const taken = names.find((name) => rows.some((row) => row.key === usernameKey(name)));
  if (taken !== undefined) {
    throw new Error(`"${taken}" is here already; name another database in DATABASE_URL`);
  }
  const people = [
    ...(hasAdmin ? [] : [{ username: adminUsername, role: "admin", disabled: 0 }]),
    ...names.map((username) => ({
      username,
      role: "client",
      disabled: world.troubles && dice.percent(10) ? 1 : 0,
    })),
  ].map((person) => ({ ...person, key: usernameKey(person.username) }));
  const added = await ctx.db.execute({
    sql: ADD,
    args: { hash: await passwords.hash(password), now: ctx.now(), people: JSON.stringify(people) },
  });
  const made = rowsAs(added, { id, username, role });
  return {
    admin: made.find(({ role }) => role === "admin") ?? null,
    clients: made.filter(({ role }) => role === "client"),
  };
}

/** Gives a client a little more quota than it will have sent. */
export async function loadQuota(
  ctx: EdgeContext,
  client: Person,
  actorId: number,
  messages: number,
): Promise<void> {
  if (messages > 0) await setQuota(ctx, { clientId: client.id, actorId, messageQuota: messages });
}

function nameOf(index: number): string {
  const name = CLIENT_NAMES[index % CLIENT_NAMES.length]!;
  const round = Math.floor(index / CLIENT_NAMES.length);
  return round === 0 ? name : `${name}, ${TOWNS[round - 1]}`;
}
