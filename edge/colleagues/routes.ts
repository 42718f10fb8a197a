/** A client's people, for its owner and for administrators; and the link of an invitation, for anybody who holds it. */
import { createRoute } from "@hono/zod-openapi";
import {
  acceptInvitationRequestSchema,
  changeDutyRequestSchema,
  invitedSchema,
  inviteRequestSchema,
  lookInvitationRequestSchema,
  offeredSchema,
  peopleSchema,
} from "shared/people_api.ts";
import { provedRequestSchema } from "shared/http_api.ts";
import type { LoginDoor } from "../auth/login.ts";
import { proveAct } from "../auth/prove_act.ts";
import { requireAdmin, requireOwner } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import {
  adminRefusalsOfOne,
  jsonAnswer,
  jsonBody,
  OPEN,
  PROVED_REFUSALS,
  refusals,
} from "../http/answers.ts";
import { clientAddress } from "../http/client_address.ts";
import { idParams } from "../http/id_params.ts";
import { createRouter } from "../http/router.ts";
import { acceptInvitation, lookAtInvitation } from "./accept_invitation.ts";
import { changeDuty, confirmPerson, removePerson } from "./change_person.ts";
import { invitePerson, withdrawInvitation } from "./invite.ts";
import { listPeople } from "./list_people.ts";

const ownerRefusals = refusals("invalid_input", "not_logged_in", "not_allowed", "not_found");
const provedRefusals = refusals(
  ...PROVED_REFUSALS,
  "invalid_input",
  "not_logged_in",
  "not_allowed",
  "not_found",
);
const done = { description: "Done" };

/** Routes under /api/people, /api/invitations and /api/join, and GET /api/admin/users/{id}/people. */
export function peopleRoutes(ctx: EdgeContext, door: LoginDoor) {
  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/people",
        operationId: "listPeople",
        summary: "The people of the caller's account, and its open invitations",
        middleware: requireOwner(),
        responses: {
          200: jsonAnswer(peopleSchema, "The owner first"),
          ...refusals("not_logged_in", "not_allowed"),
        },
      }),
      async (c) => c.json(await listPeople(ctx, c.get("user").client), 200),
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/users/{id}/people",
        operationId: "listPeopleOfClient",
        summary: "The people of a client's account, and its open invitations",
        middleware: requireAdmin(),
        request: { params: idParams },
        responses: { 200: jsonAnswer(peopleSchema, "The owner first"), ...adminRefusalsOfOne },
      }),
      async (c) => c.json(await listPeople(ctx, c.req.valid("param").id), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/invitations",
        operationId: "invitePerson",
        summary: "Makes a link that works once and adds a person to the caller's account",
        middleware: requireOwner(),
        request: { body: jsonBody(inviteRequestSchema) },
        responses: {
          201: jsonAnswer(invitedSchema, "The invitation, and its token, shown once"),
          ...refusals("too_many_people"),
          ...refusals(...PROVED_REFUSALS, "invalid_input", "not_logged_in", "not_allowed"),
        },
      }),
      async (c) => {
        const { proof, ...invited } = c.req.valid("json");
        await proveAct(ctx, door, c.get("user"), { proof, address: clientAddress(c) });
        return c.json(await invitePerson(ctx, c.get("user"), invited), 201);
      },
    )
    .openapi(
      createRoute({
        method: "delete",
        path: "/api/invitations/{id}",
        operationId: "withdrawInvitation",
        summary: "Takes an open invitation back",
        middleware: requireOwner(),
        request: { params: idParams },
        responses: { 204: done, ...ownerRefusals },
      }),
      async (c) => {
        await withdrawInvitation(ctx, c.get("user"), c.req.valid("param").id);
        return c.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: "patch",
        path: "/api/people/{id}",
        operationId: "changeDuty",
        summary: "Gives a person of the caller's account another duty",
        middleware: requireOwner(),
        request: { params: idParams, body: jsonBody(changeDutyRequestSchema) },
        responses: { 204: done, ...provedRefusals },
      }),
      async (c) => {
        const { proof, duty } = c.req.valid("json");
        await proveAct(ctx, door, c.get("user"), { proof, address: clientAddress(c) });
        await changeDuty(ctx, c.get("user"), c.req.valid("param").id, duty);
        return c.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/people/{id}/confirm",
        operationId: "confirmPerson",
        summary: "Lets a person log in again after a restored backup",
        middleware: requireOwner(),
        request: { params: idParams, body: jsonBody(provedRequestSchema) },
        responses: { 204: done, ...provedRefusals },
      }),
      async (c) => {
        const { proof } = c.req.valid("json");
        await proveAct(ctx, door, c.get("user"), { proof, address: clientAddress(c) });
        await confirmPerson(ctx, c.get("user"), c.req.valid("param").id);
        return c.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: "delete",
        path: "/api/people/{id}",
        operationId: "removePerson",
        summary: "Removes a person from the caller's account, and ends their sessions",
        middleware: requireOwner(),
        request: { params: idParams },
        responses: { 204: done, ...ownerRefusals },
      }),
      async (c) => {
        await removePerson(ctx, c.get("user"), c.req.valid("param").id);
        return c.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/join/look",
        operationId: "lookAtInvitation",
        summary: "What an invitation's link offers",
        security: OPEN,
        request: { body: jsonBody(lookInvitationRequestSchema) },
        responses: {
          200: jsonAnswer(offeredSchema, "The account and the duty"),
          ...refusals("invalid_input", "foreign_origin", "invitation_over"),
        },
      }),
      async (c) => c.json(await lookAtInvitation(ctx, c.req.valid("json").token), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/join",
        operationId: "acceptInvitation",
        summary: "Makes the holder of a link a person of the account; they log in next",
        security: OPEN,
        request: { body: jsonBody(acceptInvitationRequestSchema) },
        responses: {
          204: done,
          ...refusals(
            "invalid_input",
            "foreign_origin",
            "invitation_over",
            "username_taken",
            "too_many_attempts",
          ),
        },
      }),
      async (c) => {
        await acceptInvitation(ctx, door.passwords, c.req.valid("json"));
        return c.body(null, 204);
      },
    );
}
