/** The campaign itself: list, create, read, edit, delete. The files beside it hold the actions on it. */
import { createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import { DECLARED_KINDS, MAX_MESSAGE_CHARS, MAX_NAME_CHARS } from "shared/campaign.ts";
import {
  campaignSchema,
  campaignWordsSchema,
  createCampaignFieldsSchema,
  pilotSchema,
} from "shared/http_api.ts";
import { requireUser } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import { FILE_FIELD, formBody, jsonAnswer, jsonBody, refusals } from "../http/answers.ts";
import { HttpError } from "../http/http_error.ts";
import { readMultipart } from "../http/read_multipart.ts";
import { createRouter } from "../http/router.ts";
import { actRoutes } from "./act_routes.ts";
import { campaignIdParam } from "./campaign_id.ts";
import { createCampaign } from "./create.ts";
import { deliveryRoutes } from "./delivery_routes.ts";
import { personalRoutes } from "./personal_routes.ts";
import { editCampaign } from "./edit.ts";
import { MAX_BODY_BYTES, readImageField } from "./image_field.ts";
import { imageRoutes } from "./image_routes.ts";
import { listCampaigns } from "./list.ts";
import { readEditableCampaign } from "./read.ts";
import { deleteCampaign, removeContacts } from "./remove.ts";
import { savedRoutes } from "./saved_routes.ts";
import { textRoutes } from "./text_routes.ts";
import { showCampaign } from "./view.ts";

const TOO_LONG = `שם הקמפיין יכול להכיל עד ${MAX_NAME_CHARS} תווים, וההודעה עד ${MAX_MESSAGE_CHARS}.`;

const editCampaignSchema = createCampaignFieldsSchema.pick({ name: true, message: true, kind: true })
  .partial().extend({
    pilot: pilotSchema.nullish(),
    expected: campaignWordsSchema.optional(),
  });

/** Routes under /api/campaigns, without those that add contacts. */
export function campaignRoutes(ctx: EdgeContext) {
  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/campaigns",
        operationId: "listCampaigns",
        summary: "The caller's newest campaigns",
        middleware: requireUser(),
        request: { query: z.object({ before: z.coerce.number().int().min(1).optional() }) },
        responses: {
          200: jsonAnswer(z.array(campaignSchema), "Newest first"),
          304: { description: "Nothing moved since the tag in If-None-Match" },
          ...refusals("invalid_input", "not_logged_in"),
        },
      }),
      async (c) => {
        const { tag, campaigns } = await listCampaigns(ctx, c.get("user"), {
          before: c.req.valid("query").before,
          knownTag: c.req.header("if-none-match"),
        });
        c.header("etag", tag);
        c.header("cache-control", "private, no-cache");
        return campaigns === null ? c.body(null, 304) : c.json(campaigns, 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/campaigns",
        operationId: "createCampaign",
        summary: "Makes a draft",
        middleware: requireUser(),
        request: { body: createBody },
        responses: {
          201: jsonAnswer(campaignSchema, "The new draft"),
          ...refusals(
            "invalid_input",
            "file_infected",
            "not_logged_in",
            "not_found",
            "body_too_large",
            "unsupported_media",
            "not_ready",
          ),
        },
      }),
      async (c) => {
        const form = await readMultipart(c.req.raw, MAX_BODY_BYTES);
        const fields = createCampaignFieldsSchema.safeParse({
          name: form.get("name"),
          message: form.get("message"),
          status: form.get("status") ?? undefined,
          kind: form.get("kind") ?? undefined,
          saved: form.get("saved") ?? undefined,
        });
        if (!fields.success) {
          const [issue] = fields.error.issues;
          const field = String(issue?.path[0]);
          const text = issue?.code === "too_big" ? TOO_LONG : "נא למלא שם קמפיין והודעה";
          const isText = field === "name" || field === "message";
          throw new HttpError("invalid_input", { detail: field, ...(isText && { text }) });
        }
        const image = await readImageField(ctx, c.get("user"), form);
        return c.json(await createCampaign(ctx, c.get("user"), { ...fields.data, image }), 201);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/campaigns/{id}",
        operationId: "readCampaign",
        summary: "One campaign",
        middleware: requireUser(),
        request: { params: campaignIdParam },
        responses: {
          200: jsonAnswer(campaignSchema, "The campaign"),
          ...refusals("not_logged_in", "not_found"),
        },
      }),
      async (c) => c.json(await showCampaign(ctx, c.get("user"), c.req.valid("param").id), 200),
    )
    .openapi(
      createRoute({
        method: "patch",
        path: "/api/campaigns/{id}",
        operationId: "editCampaign",
        summary: "Changes the words or the kind of a draft or ready campaign",
        middleware: requireUser(),
        request: { params: campaignIdParam, body: jsonBody(editCampaignSchema) },
        responses: {
          200: jsonAnswer(campaignSchema, "As it now is"),
          ...changeRefusals,
          ...refusals("words_changed"),
        },
      }),
      async (c) => {
        const campaign = await readEditableCampaign(ctx, c.get("user"), c.req.valid("param").id);
        await editCampaign(ctx, campaign, c.req.valid("json"));
        return c.json(await showCampaign(ctx, c.get("user"), campaign.id), 200);
      },
    )
    .openapi(
      createRoute({
        method: "delete",
        path: "/api/campaigns/{id}",
        operationId: "deleteCampaign",
        summary: "Deletes a draft or ready campaign",
        middleware: requireUser(),
        request: { params: campaignIdParam },
        responses: { 204: { description: "Deleted" }, ...changeRefusals },
      }),
      async (c) => {
        await deleteCampaign(ctx, await readEditableCampaign(ctx, c.get("user"), c.req.valid("param").id));
        return c.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: "delete",
        path: "/api/campaigns/{id}/contacts",
        operationId: "removeContacts",
        summary: "Removes every contact of a draft or ready campaign",
        middleware: requireUser(),
        request: { params: campaignIdParam },
        responses: { 204: { description: "Removed" }, ...changeRefusals },
      }),
      async (c) => {
        await removeContacts(ctx, await readEditableCampaign(ctx, c.get("user"), c.req.valid("param").id));
        return c.body(null, 204);
      },
    )
    .route("/", imageRoutes(ctx))
    .route("/", actRoutes(ctx))
    .route("/", deliveryRoutes(ctx))
    .route("/", personalRoutes(ctx))
    .route("/", savedRoutes(ctx))
    .route("/", textRoutes(ctx));
}

/** The refusals of a change to a draft. */
export const changeRefusals = refusals(
  "invalid_input",
  "not_logged_in",
  "not_allowed",
  "not_found",
  "campaign_not_editable",
  "kind_needs_no_contacts",
  "import_running",
);

const createBody = formBody({
  name: { type: "string" },
  message: { type: "string" },
  status: { type: "string", enum: ["draft"] },
  kind: { type: "string", enum: [...DECLARED_KINDS] },
  image: FILE_FIELD,
  saved: { type: "string", description: "The id of a saved message, whose image is taken" },
}, ["name", "message"]);
