/** A recipient's page: no login, and the token is the permission. */
import { createRoute, z } from "@hono/zod-openapi";
import { MAX_TOKEN_CHARS } from "shared/removal_address.ts";
import { removalPageSchema } from "shared/removal_link.ts";
import { createCallRate } from "../auth/call_rate.ts";
import type { EdgeContext } from "../context.ts";
import { jsonAnswer, OPEN, refusals } from "../http/answers.ts";
import { clientAddress } from "../http/client_address.ts";
import { HttpError } from "../http/http_error.ts";
import { createRouter } from "../http/router.ts";
import { removeByLink, showRemoval } from "./removal_link.ts";

/** Calls of one address: a person needs two, and many people share the address of a mobile network. */
export const REMOVAL_BOUND = { burst: 120, perSecond: 2 };
/** Addresses that are counted each by itself; beyond them, all others share one bucket. */
const MOST_ADDRESSES = 10_000;

const params = z.object({ token: z.string().max(MAX_TOKEN_CHARS) });
const responses = {
  200: jsonAnswer(removalPageSchema, "The sender, and whether the recipient is removed"),
  ...refusals("invalid_input", "removal_link_over", "too_many_attempts"),
};

/** GET and POST /api/removals/{token}; `clock` is monotonic, in milliseconds. */
export function removalRoutes(ctx: EdgeContext, clock: () => number) {
  const rate = createCallRate(clock, REMOVAL_BOUND);
  const bound = (address: string) => {
    const waitMs = rate.take(rate.size < MOST_ADDRESSES ? address : "others");
    if (waitMs === 0) return;
    throw new HttpError("too_many_attempts", {
      headers: { "retry-after": String(Math.ceil(waitMs / 1000)) },
    });
  };
  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/removals/{token}",
        operationId: "showRemoval",
        summary: "Who wrote to the recipient with this link; changes nothing",
        security: OPEN,
        request: { params },
        responses,
      }),
      async (c) => {
        bound(clientAddress(c));
        return c.json(await showRemoval(ctx, c.req.valid("param").token), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/removals/{token}",
        operationId: "removeByLink",
        summary: "Removes the recipient with this link from its sender's list",
        security: OPEN,
        request: { params },
        responses,
      }),
      async (c) => {
        bound(clientAddress(c));
        return c.json(await removeByLink(ctx, c.req.valid("param").token), 200);
      },
    );
}
