/** A witness inside the database: records every move of every delivery, in the order of commits. */
import { DatabaseSync } from "node:sqlite";
import { MOVED_BY } from "shared/delivery.ts";
import type { World } from "./two_edges_world.ts";

export interface Move {
  seq: number;
  delivery: number;
  phone: number;
  oldState: string;
  oldToken: string | null;
  /** Whether the site had acknowledged it before. */
  wasAcked: 0 | 1;
  state: string;
  token: string | null;
  site: number | null;
  isAcked: 0 | 1;
  /** Numbers of MOVED_BY in shared/delivery.ts. */
  by: number;
  tappedAt: number | null;
}

/** Makes the database record its moves from now on, without the product's knowledge. */
export function installWitness(world: World): void {
  const db = new DatabaseSync(world.path, { timeout: 10_000 });
  db.exec(`
    CREATE TABLE witness_moves (seq INTEGER PRIMARY KEY, delivery INTEGER, phone INTEGER,
      old_state TEXT, old_token TEXT, was_acked INTEGER, state TEXT, token TEXT, site INTEGER, is_acked INTEGER,
      by INTEGER, tapped_at INTEGER);
    CREATE TRIGGER witness_moves AFTER UPDATE OF state, token, acked_at, tapped_at ON deliveries BEGIN
      INSERT INTO witness_moves
        (delivery, phone, old_state, old_token, was_acked, state, token, site, is_acked, by, tapped_at)
      VALUES (NEW.id, NEW.phone,
        OLD.state, OLD.token, OLD.acked_at IS NOT NULL, NEW.state, NEW.token, NEW.site, NEW.acked_at IS NOT NULL,
        NEW.by, NEW.tapped_at);
    END`);
  db.close();
}

/** Returns all moves so far, in order. */
export function moves(world: World): Move[] {
  return world.query<Move>(`SELECT seq, delivery, phone, old_state AS oldState, old_token AS oldToken,
    was_acked AS wasAcked, state, token, site, is_acked AS isAcked, by, tapped_at AS tappedAt
    FROM witness_moves ORDER BY seq`);
}

/** Returns the number of the newest move. */
export function lastMove(world: World): number {
  return world.query<{ seq: number }>("SELECT coalesce(max(seq), 0) AS seq FROM witness_moves")[0].seq;
}

/**
 * Returns moves that put a delivery under two leases at once. These are a lease over another lease, or the end of
 * an acknowledged lease by anything except the site's own report.
 */
export function doubleLeases(all: readonly Move[]): Move[] {
  return all.filter((move) =>
    move.oldState === "leased" && (
      (move.state === "leased" && move.token !== move.oldToken) ||
      (move.wasAcked === 1 && move.state !== "leased" && move.by !== MOVED_BY.site)
    )
  );
}
