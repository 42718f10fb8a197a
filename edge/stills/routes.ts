/** Administrators see the screens of phones. A still is never kept: it goes from the site's socket to the answer. */
import { createRoute } from "@hono/zod-openapi";
import { beginLooksRequestSchema, looksSchema } from "shared/looks_api.ts";
import type { NoStillReason } from "shared/still.ts";
import type { LoginDoor } from "../auth/login.ts";
import { proveAct } from "../auth/prove_act.ts";
import { requireAdmin } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import { adminRefusals, jsonAnswer, jsonBody, PROVED_REFUSALS, refusals } from "../http/answers.ts";
import { endIfCallerLeft } from "../http/caller_left.ts";
import { clientAddress } from "../http/client_address.ts";
import { HttpError } from "../http/http_error.ts";
import { idParams } from "../http/id_params.ts";
import { createRouter } from "../http/router.ts";
import { sleep } from "../time/sleep.ts";
import { beginLooks, type Look, readLook } from "./looks.ts";
import type { ShownStills } from "./shown_stills.ts";
import { NoStillError, type StillDesk, type StillSite } from "./still_desk.ts";
import { type Pace, sendStill } from "./send_still.ts";

export interface StillRouteParts {
  desk: StillDesk;
  shown: ShownStills;
  /** Returns the connection of a site to this edge, if it has one. */
  siteOf(site: number): StillSite | undefined;
  /** Returns the epoch of a site's last connection to this edge; 0 = none. */
  lastEpochOf(site: number): number;
  /** @default the clock's own */
  pace?: Pace;
}

/** Stills that one person waits for or reads at the same time: as many as one look shows, and a second page. */
export const MOST_OF_PERSON = 24;

/** POST /api/admin/looks, DELETE /api/admin/looks/{id}, POST /api/admin/looks/{id}/still. */
export function stillRoutes(
  ctx: EdgeContext,
  door: LoginDoor,
  { desk, shown, siteOf, lastEpochOf, pace = sleep }: StillRouteParts,
) {
  const underWay = new Map<number, number>();

  /** Takes a place and returns a function that gives it back; further calls do nothing. */
  function takePlace(user: number): () => void {
    const count = underWay.get(user) ?? 0;
    if (count >= MOST_OF_PERSON) {
      throw new HttpError("too_many_attempts", { headers: { "retry-after": "3" } });
    }
    underWay.set(user, count + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = underWay.get(user)! - 1;
      if (left > 0) underWay.set(user, left);
      else underWay.delete(user);
    };
  }

  async function take(look: Look, left: AbortSignal) {
    const site = siteOf(look.site);
    if (!site || site.epoch < look.epoch) {
      // The site's newest connection ended here, so no other edge has one.
      const isElsewhere = look.isSeen && lastEpochOf(look.site) !== look.epoch;
      throw new HttpError(isElsewhere ? "site_elsewhere" : "phone_away");
    }
    if (!site.isReady) throw new HttpError("phone_away");
    if (!site.features.has("shows_stills")) throw new HttpError("agent_too_old");
    try {
      return await desk.ask(site, look.key, left);
    } catch (error) {
      endIfCallerLeft(left);
      if (!(error instanceof NoStillError)) throw error;
      if (error.why === "away") throw new HttpError("phone_away");
      throw new HttpError("no_still", { text: TEXT[error.why], detail: error.why });
    }
  }

  return createRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/looks",
        operationId: "beginLooks",
        summary: "Lets this session see the screens of some phones for five minutes; the reason is audited",
        middleware: requireAdmin(),
        request: { body: jsonBody(beginLooksRequestSchema) },
        responses: {
          201: jsonAnswer(looksSchema, "One look a phone, and until when"),
          ...refusals(...PROVED_REFUSALS, "invalid_input", "not_logged_in", "not_allowed", "not_found"),
        },
      }),
      async (c) => {
        const { proof, ...asked } = c.req.valid("json");
        await proveAct(ctx, door, c.get("user"), { proof, address: clientAddress(c) });
        return c.json(await beginLooks(ctx, c.get("user"), asked), 201);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/looks/{id}/still",
        operationId: "takeStill",
        summary: "A picture of the phone's screen as it is now; waits for it, at most one in three seconds",
        middleware: requireAdmin(),
        request: { params: idParams },
        responses: {
          200: {
            description: "PNG",
            content: { "image/png": { schema: { type: "string", format: "binary" } } },
          },
          ...refusals(
            ...["invalid_input", "not_logged_in", "not_allowed", "too_many_attempts"] as const,
            ...["look_over", "phone_away", "site_elsewhere", "agent_too_old", "no_still"] as const,
          ),
        },
      }),
      async (c) => {
        const { signal: left } = c.req.raw;
        const leave = takePlace(c.get("user").person);
        try {
          const look = await readLook(ctx, c.get("user"), c.req.valid("param").id);
          const still = await take(look, left);
          endIfCallerLeft(left);
          // It may have been closed meanwhile, at any edge.
          await readLook(ctx, c.get("user"), look.id);
          shown.count(look);
          return c.body(sendStill(still, { pace, leave }), 200, {
            "content-type": "image/png",
            "content-length": String(still.length),
          });
        } catch (error) {
          leave();
          throw error;
        }
      },
    )
    .openapi(
      createRoute({
        method: "delete",
        path: "/api/admin/looks/{id}",
        operationId: "endLook",
        summary: "Closes a look: no still of it is served any more, and the audit log names their number now",
        middleware: requireAdmin(),
        request: { params: idParams },
        responses: { 204: { description: "Done" }, ...adminRefusals },
      }),
      async (c) => {
        await shown.end(c.req.valid("param").id, c.get("user").person);
        return c.body(null, 204);
      },
    );
}

const TEXT: Record<Exclude<NoStillReason, "away">, string> = {
  failed: "המכשיר לא נתן תמונה בזמן. מנסים שוב.",
  not_png: "המכשיר לא הצליח לצלם את המסך. מנסים שוב.",
  too_large: "התמונה שהמכשיר נתן גדולה מדי.",
  busy: "המכשיר באמצע שליחה, והיא קודמת. מנסים שוב.",
};
