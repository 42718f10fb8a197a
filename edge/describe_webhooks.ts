/** What receivers of webhooks get, for the API description (OpenAPI 3.1, "webhooks"). */
import { webhookBodySchema } from "shared/webhook_body.ts";
import { z } from "zod";

const header = (name: string, description: string, example: string) => ({
  name,
  in: "header" as const,
  required: true,
  schema: { type: "string" as const, examples: [example] },
  description,
});

const EXAMPLE = {
  id: "5f0c2b7d9a1e4c3f8b6d7e90",
  type: "message.batch",
  timestamp: "2026-11-30T10:00:00.000Z",
  data: {
    events: [{
      id: "5f0c2b7d9a1e4c3f8b6d7e90",
      type: "message.sent",
      timestamp: "2026-11-30T10:00:00.000Z",
      data: { messageId: 17, campaignId: 3, to: "+972501234567", reason: null },
    }],
  },
};

/** Returns the description of the call that the edge makes; its schema has no names of other components. */
export function describeWebhooks() {
  const { $schema: _, ...schema } = z.toJSONSchema(webhookBodySchema, { target: "draft-2020-12" });
  return {
    event: {
      post: {
        operationId: "receiveWebhook",
        summary: "The edge tells your server what happened (Standard Webhooks 1.0.0)",
        description:
          "Answer with 2xx within 10 seconds. A call comes at least once: keep the ids of events, and do " +
          "nothing for one that you know. Calls about one campaign come in order. Verify the signature before " +
          "anything else. Types of events that you do not know may come: answer 2xx and do nothing.",
        tags: ["webhooks"],
        security: [],
        parameters: [
          header("webhook-id", "The call's id; the same at every try.", EXAMPLE.id),
          header("webhook-timestamp", "Seconds since 1970, when this try was signed.", "1796032800"),
          header(
            "webhook-signature",
            "`v1,` and the HMAC-SHA-256 of `id.timestamp.body` in Base64; two of them for a day after a new secret.",
            "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
          ),
        ],
        requestBody: {
          required: true,
          content: { "application/json": { schema: openTypes(schema), example: EXAMPLE } },
        },
        responses: {
          "2XX": { description: "Taken; any other answer, or none, is tried again for three days" },
          "4XX": { description: "Not taken; 410 pauses the webhook at once" },
        },
      },
    },
  };
}

/** Words of each kind of event may grow, and an unknown one must not break a program. */
function openTypes(schema: unknown): object {
  return JSON.parse(
    JSON.stringify(schema),
    (key, value) => key === "additionalProperties" ? undefined : value,
  );
}
