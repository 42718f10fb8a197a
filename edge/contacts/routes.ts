/** Adding contacts to a draft or ready campaign: a file, or numbers pasted by hand. */
import { createRoute } from "@hono/zod-openapi";
import { MAX_CONTACT_FILE_BYTES } from "shared/campaign.ts";
import { manualNumbersRequestSchema, uploadResultSchema } from "shared/http_api.ts";
import { requireUser } from "../auth/require_user.ts";
import { campaignIdParam } from "../campaigns/campaign_id.ts";
import { readEditableCampaign } from "../campaigns/read.ts";
import type { EdgeContext } from "../context.ts";
import { jsonAnswer, jsonBody, refusals } from "../http/answers.ts";
import { HttpError } from "../http/http_error.ts";
import { readMultipart } from "../http/read_multipart.ts";
import { createRouter } from "../http/router.ts";
import { importContacts } from "./import_contacts.ts";

/** The file, and the boundaries and headers around it. */
const MAX_BODY_BYTES = MAX_CONTACT_FILE_BYTES + 64 * 1024;
const MAX_FILE_NAME_CHARS = 200;

/** POST /api/campaigns/{id}/contacts and …/contacts/manual. */
export function contactRoutes(ctx: EdgeContext) {
  return createRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/api/campaigns/{id}/contacts",
        summary: "Adds the numbers of a CSV file",
        middleware: requireUser(),
        request: { params: campaignIdParam, body: uploadBody },
        responses: {
          200: jsonAnswer(uploadResultSchema, "What was added, and what was not"),
          ...uploadRefusals,
        },
      }),
      async (c) => {
        const campaign = await readEditableCampaign(ctx, c.get("user"), c.req.valid("param").id);
        const file = await readFile(c.req.raw);
        const fileName = file.name.slice(0, MAX_FILE_NAME_CHARS);
        const source = { fileName, file: new Uint8Array(await file.arrayBuffer()) };
        const { result } = await importContacts(ctx, campaign, source);
        return c.json(result, 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/campaigns/{id}/contacts/manual",
        summary: "Adds numbers pasted by hand",
        middleware: requireUser(),
        request: { params: campaignIdParam, body: jsonBody(manualNumbersRequestSchema) },
        responses: {
          200: jsonAnswer(uploadResultSchema, "What was added, and what was not"),
          ...uploadRefusals,
        },
      }),
      async (c) => {
        const campaign = await readEditableCampaign(ctx, c.get("user"), c.req.valid("param").id);
        const source = { fileName: "", numbers: c.req.valid("json").numbers };
        const { result } = await importContacts(ctx, campaign, source);
        return c.json(result, 200);
      },
    );
}

const uploadRefusals = refusals(
  "invalid_input",
  "no_valid_contacts",
  "not_logged_in",
  "not_allowed",
  "not_found",
  "campaign_not_editable",
  "import_running",
  "body_too_large",
  "unsupported_media",
);

/** Described only: the body is counted and parsed as it streams in. */
const uploadBody = {
  required: true,
  content: {
    "multipart/form-data": {
      schema: {
        type: "object" as const,
        required: ["file"],
        properties: { file: { type: "string" as const, format: "binary" } },
      },
    },
  },
};

async function readFile(request: Request): Promise<File> {
  let form: FormData;
  try {
    form = await readMultipart(request, MAX_BODY_BYTES);
  } catch (error) {
    const isTooLarge = error instanceof HttpError && error.code === "body_too_large";
    throw isTooLarge ? tooLarge(Number(request.headers.get("content-length"))) : error;
  }
  const file = form.get("file");
  if (!(file instanceof File)) throw new HttpError("invalid_input", { text: "נא להעלות קובץ CSV" });
  if (file.size > MAX_CONTACT_FILE_BYTES) throw tooLarge(file.size);
  return file;
}

/** `bytes` is 0 when the sender did not say how much was to come. */
function tooLarge(bytes: number): HttpError {
  const size = bytes > 0 ? `${Math.ceil(bytes / (1024 * 1024 / 10)) / 10}MB` : "מעל 10MB";
  return new HttpError("body_too_large", {
    text: `הקובץ גדול מדי (${size}). אפשר להעלות CSV עד 10MB; קובץ גדול יותר כדאי לפצל.`,
  });
}
