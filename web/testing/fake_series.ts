/** For tests of the screens: a client's lists and repeats, as the edge answers about them. */
import type { OneList } from "shared/lists_api.ts";
import { createSeriesRequestSchema, type OneSeries } from "shared/series_api.ts";
import type { Campaign } from "shared/http_api.ts";
import { nextOf } from "./next_of.ts";

/** A list as the overview names it. */
export type FakeList = Pick<OneList, "id" | "name">;

export class FakeSeries {
  readonly lists: FakeList[] = [];
  readonly all: OneSeries[] = [];

  /** Returns the answer to a call about repeats or lists; undefined for another. */
  async answer(request: Request, campaigns: readonly Campaign[]): Promise<Response | undefined> {
    const { pathname } = new URL(request.url);
    if (request.method === "GET" && pathname === "/api/lists") {
      return Response.json({ items: this.lists.map((list) => ({ ...list, size: 2, fields: [] })) });
    }
    const [, resource, id, act] = pathname.split("/").slice(1);
    if (resource !== "series") return undefined;
    if (request.method === "POST" && id === undefined) {
      return Response.json(this.#create(await request.json(), campaigns), { status: 201 });
    }
    if (id === undefined) return Response.json(this.all);
    const found = this.all.find((one) => String(one.id) === id);
    if (found === undefined) return Response.json({ error: "לא נמצא", code: "not_found" }, { status: 404 });
    if (act === "stop") Object.assign(found, { hold: "stopped", nextAt: null });
    if (act === "continue") Object.assign(found, { hold: null, nextAt: nextOf(found) });
    if (act === "end") Object.assign(found, { endedAt: 1, nextAt: null });
    return Response.json(found);
  }

  #create(body: unknown, campaigns: readonly Campaign[]): OneSeries {
    const { campaign: source, choice, rule, minutes, firstDay, lastDay } = createSeriesRequestSchema.parse(
      body,
    );
    const { name, message, kind, dayLimit } = campaigns.find(({ id }) => id === source)!;
    const made: OneSeries = {
      id: this.all.length + 1,
      name,
      message,
      kind,
      dayLimit,
      lists: this.lists.filter(({ id }) => choice.lists.includes(id)),
      rule,
      minutes,
      lastDay,
      nextAt: nextOf({ rule, minutes }, firstDay),
      hold: null,
      endedAt: null,
      createdAt: 0,
      runs: [],
    };
    this.all.push(made);
    return made;
  }
}
