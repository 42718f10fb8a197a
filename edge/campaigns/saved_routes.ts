/** Saved messages of a client. */
import { createRoute } from "@hono/zod-openapi";
import { DECLARED_KINDS, MAX_MESSAGE_CHARS, MAX_NAME_CHARS } from "shared/campaign.ts";
import {
  saveCampaignRequestSchema,
  savedFieldsSchema,
  savedMessageSchema,
  savedMessagesSchema,
} from "shared/saved_api.ts";
import { requireUser } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import { FILE_FIELD, formBody, jsonAnswer, jsonBody, refusals } from "../http/answers.ts";
import { HttpError } from "../http/http_error.ts";
import { idParams } from "../http/id_params.ts";
import { readMultipart } from "../http/read_multipart.ts";
import { createRouter, type SessionUser } from "../http/router.ts";
import { findSaved } from "../saved_messages/find_saved.ts";
import { campaignIdParam } from "./campaign_id.ts";
import { MAX_BODY_BYTES, readImageField } from "./image_field.ts";
import { readOwnCampaign } from "./read.ts";
import { readImage } from "./read_image.ts";
import { addSaved, changeSaved, copySaved, listSaved, removeSaved, saveCampaign } from "./saved_messages.ts";
import { nameOfCopy } from "./name_of_copy.ts";

const ONE = ["invalid_input", "not_logged_in", "not_found"] as const;
const WRITTEN = [...ONE, "file_infected", "body_too_large", "unsupported_media", "not_ready"] as const;
const fields = {
  name: { type: "string" as const },
  message: { type: "string" as const },
  kind: { type: "string" as const, enum: [...DECLARED_KINDS] },
  image: FILE_FIELD,
};

/** Routes under /api/saved-messages, and POST /api/campaigns/{id}/save-message. */
export function savedRoutes(ctx: EdgeContext) {
  async function readForm(user: SessionUser, raw: Request) {
    const form = await readMultipart(raw, MAX_BODY_BYTES);
    const { success, data, error } = savedFieldsSchema.safeParse({
      name: form.get("name"),
      message: form.get("message"),
      kind: form.get("kind"),
      oldImage: form.get("oldImage") ?? undefined,
      seen: form.get("seen") ?? undefined,
    });
    if (!success) {
      const [issue] = error.issues;
      const text = issue?.code === "too_big"
        ? `השם יכול להכיל עד ${MAX_NAME_CHARS} תווים, וההודעה עד ${MAX_MESSAGE_CHARS}.`
        : "נא למלא שם, סוג והודעה";
      throw new HttpError("invalid_input", { detail: String(issue?.path[0]), text });
    }
    const { oldImage, seen, ...words } = data;
    return { ...words, image: await readImageField(ctx, user, form), keepsImage: oldImage === "keep", seen };
  }

  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/saved-messages",
        operationId: "listSavedMessages",
        summary: "The caller's saved messages, those used or changed last first",
        middleware: requireUser(),
        responses: { 200: jsonAnswer(savedMessagesSchema, "All of them"), ...refusals("not_logged_in") },
      }),
      async (c) => c.json(await listSaved(ctx, c.get("user")), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/saved-messages",
        operationId: "saveMessage",
        summary: "Saves a message with its kind and an optional image",
        middleware: requireUser(),
        request: { body: formBody(fields, ["name", "message", "kind"]) },
        responses: { 201: jsonAnswer(savedMessageSchema, "The message"), ...refusals(...WRITTEN) },
      }),
      async (c) => {
        const user = c.get("user");
        return c.json(await addSaved(ctx, user, await readForm(user, c.req.raw)), 201);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/campaigns/{id}/save-message",
        operationId: "saveMessageOfCampaign",
        summary: "Saves the words, the kind and the image of a campaign",
        middleware: requireUser(),
        request: { params: campaignIdParam, body: jsonBody(saveCampaignRequestSchema) },
        responses: {
          201: jsonAnswer(savedMessageSchema, "The message"),
          ...refusals(...ONE, "not_allowed"),
        },
      }),
      async (c) => {
        const user = c.get("user");
        const campaign = await readOwnCampaign(ctx, user, c.req.valid("param").id);
        return c.json(await saveCampaign(ctx, user, campaign, c.req.valid("json").name), 201);
      },
    )
    .openapi(
      createRoute({
        method: "put",
        path: "/api/saved-messages/{id}",
        operationId: "changeSavedMessage",
        summary: "Changes a saved message; campaigns that began with it stay as they are",
        middleware: requireUser(),
        request: {
          params: idParams,
          body: formBody({
            ...fields,
            oldImage: { type: "string", enum: ["keep", "remove"] },
            seen: { type: "string", description: "`updatedAt` as the person saw it" },
          }, ["name", "message", "kind"]),
        },
        responses: {
          200: jsonAnswer(savedMessageSchema, "As it now is"),
          ...refusals(...WRITTEN, "words_changed"),
        },
      }),
      async (c) => {
        const user = c.get("user");
        const { id } = c.req.valid("param");
        await findSaved(ctx, user, id);
        const words = await readForm(user, c.req.raw);
        return c.json(await changeSaved(ctx, user, await findSaved(ctx, user, id), words), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/saved-messages/{id}/duplicate",
        operationId: "duplicateSavedMessage",
        summary: "Copies a saved message",
        middleware: requireUser(),
        request: { params: idParams },
        responses: { 201: jsonAnswer(savedMessageSchema, "The copy"), ...refusals(...ONE) },
      }),
      async (c) => {
        const user = c.get("user");
        const saved = await findSaved(ctx, user, c.req.valid("param").id);
        return c.json(await copySaved(ctx, user, saved, nameOfCopy(saved.name)), 201);
      },
    )
    .openapi(
      createRoute({
        method: "delete",
        path: "/api/saved-messages/{id}",
        operationId: "removeSavedMessage",
        summary: "Removes a saved message; campaigns that began with it stay",
        middleware: requireUser(),
        request: { params: idParams },
        responses: { 204: { description: "Removed" }, ...refusals(...ONE) },
      }),
      async (c) => {
        const user = c.get("user");
        await removeSaved(ctx, user, await findSaved(ctx, user, c.req.valid("param").id));
        return c.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/saved-messages/{id}/image",
        operationId: "readSavedImage",
        summary: "The image of a saved message",
        middleware: requireUser(),
        request: { params: idParams },
        responses: {
          200: {
            description: "The image",
            content: { "image/jpeg": { schema: FILE_FIELD }, "image/png": { schema: FILE_FIELD } },
          },
          ...refusals(...ONE),
        },
      }),
      async (c) => {
        const saved = await findSaved(ctx, c.get("user"), c.req.valid("param").id);
        const { mediaType, bytes } = await readImage(ctx, saved);
        return c.body(bytes, 200, {
          "content-type": mediaType,
          "x-content-type-options": "nosniff",
          // The address changes with the image. Private, because the answer depends on the user.
          "cache-control": "private, max-age=31536000, immutable",
        });
      },
    );
}
