/** The image of a campaign. Its owner and administrators see it; the owner replaces and removes it. */
import { createRoute } from "@hono/zod-openapi";
import { campaignSchema } from "shared/http_api.ts";
import { requireDuty, requireUser } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import { FILE_FIELD, formBody, jsonAnswer, refusals } from "../http/answers.ts";
import { HttpError } from "../http/http_error.ts";
import { readMultipart } from "../http/read_multipart.ts";
import { type Caller, createRouter } from "../http/router.ts";
import { campaignIdParam } from "./campaign_id.ts";
import type { CheckedImage } from "./image.ts";
import { MAX_BODY_BYTES, readImageField } from "./image_field.ts";
import { readCampaign, readEditableCampaign } from "./read.ts";
import { readImage } from "./read_image.ts";
import { setImage } from "./set_image.ts";
import { showCampaign } from "./view.ts";

/** GET, PUT and DELETE /api/campaigns/{id}/image. */
export function imageRoutes(ctx: EdgeContext) {
  async function change(user: Caller, id: number, image: CheckedImage | null) {
    await setImage(ctx, await readEditableCampaign(ctx, user, id), image);
    return await showCampaign(ctx, user, id);
  }

  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/campaigns/{id}/image",
        operationId: "readImage",
        summary: "The campaign's image",
        middleware: requireUser(),
        request: { params: campaignIdParam },
        responses: { 200: imageAnswer, ...refusals("not_logged_in", "not_found") },
      }),
      async (c) => {
        const campaign = await readCampaign(ctx, c.get("user"), c.req.valid("param").id);
        const { mediaType, bytes } = await readImage(ctx, campaign);
        return c.body(bytes, 200, {
          "content-type": mediaType,
          "x-content-type-options": "nosniff",
          // The address changes with the image. Private, because the answer depends on the user.
          "cache-control": "private, max-age=31536000, immutable",
        });
      },
    )
    .openapi(
      createRoute({
        method: "put",
        path: "/api/campaigns/{id}/image",
        operationId: "setImage",
        summary: "Gives a draft or ready campaign another image",
        middleware: requireDuty("writer"),
        request: { params: campaignIdParam, body: imageBody },
        responses: {
          200: jsonAnswer(campaignSchema, "As it now is"),
          ...refusals(
            ...CHANGE_REFUSALS,
            "file_infected",
            "body_too_large",
            "unsupported_media",
            "not_ready",
          ),
        },
      }),
      async (c) => {
        const { id } = c.req.valid("param");
        await readEditableCampaign(ctx, c.get("user"), id);
        const image = await readImageField(
          ctx,
          c.get("user"),
          await readMultipart(c.req.raw, MAX_BODY_BYTES),
        );
        if (image === null) throw new HttpError("invalid_input", { detail: "image" });
        return c.json(await change(c.get("user"), id, image), 200);
      },
    )
    .openapi(
      createRoute({
        method: "delete",
        path: "/api/campaigns/{id}/image",
        operationId: "removeImage",
        summary: "Takes the image of a draft or ready campaign away",
        middleware: requireDuty("writer"),
        request: { params: campaignIdParam },
        responses: { 200: jsonAnswer(campaignSchema, "As it now is"), ...refusals(...CHANGE_REFUSALS) },
      }),
      async (c) => c.json(await change(c.get("user"), c.req.valid("param").id, null), 200),
    );
}

const CHANGE_REFUSALS = [
  "invalid_input",
  "not_logged_in",
  "not_allowed",
  "not_found",
  "campaign_not_editable",
] as const;

const imageAnswer = {
  description: "The image",
  content: {
    "image/jpeg": { schema: FILE_FIELD },
    "image/png": { schema: FILE_FIELD },
  },
};

const imageBody = formBody({ image: FILE_FIELD }, ["image"]);
