/** Lists of contacts: a client's own; administrators read them masked. */
import { createRoute } from "@hono/zod-openapi";
import {
  addContactRequestSchema,
  addFromCampaignRequestSchema,
  contactCardSchema,
  contactPageSchema,
  contactQuerySchema,
  type ContactsAdded,
  contactsAddedSchema,
  contactSchema,
  contactsRemovedSchema,
  editContactRequestSchema,
  listRequestSchema,
  listSchema,
  listsQuerySchema,
  listsSchema,
  oneListSchema,
  removeContactsRequestSchema,
} from "shared/lists_api.ts";
import type { Consent } from "shared/consent.ts";
import { takeInRequestSchema } from "shared/staged_api.ts";
import { numbersShownSchema, showNumbersRequestSchema } from "shared/privacy.ts";
import { writeAudit } from "../audit_log/note_audit.ts";
import type { LoginDoor } from "../auth/login.ts";
import { proveAct } from "../auth/prove_act.ts";
import { requireAdmin, requireUser } from "../auth/require_user.ts";
import { requireSession } from "../auth/sessions.ts";
import { readOwnCampaign } from "../campaigns/read.ts";
import { type ContactList, seedOf } from "../contacts/contact_list.ts";
import { manualBody, readManualBody } from "../contacts/manual_body.ts";
import { headingRowOf } from "../contacts/describe_staged.ts";
import { readManualNumbers } from "../contacts/manual_numbers.ts";
import { readUpload } from "../contacts/read_upload.ts";
import { nothingValid } from "../contacts/refusals.ts";
import type { EdgeContext } from "../context.ts";
import {
  adminRefusals,
  csvAnswer,
  FILE_FIELD,
  formBody,
  jsonAnswer,
  jsonBody,
  PROVED_REFUSALS,
  refusals,
} from "../http/answers.ts";
import { clientAddress } from "../http/client_address.ts";
import { csvHeaders } from "../http/csv.ts";
import { idParams } from "../http/id_params.ts";
import { createRouter, type SessionUser } from "../http/router.ts";
import { createYieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { declareListConsent, readConsentField } from "../lawful/consent.ts";
import { rememberChoice } from "../staging/column_choice.ts";
import { dropStaged, readStaged } from "../staging/stage_file.ts";
import { addFromCampaign } from "./add_from_campaign.ts";
import { addContact, editContact, removeFromList } from "./change_contacts.ts";
import { addFieldNames, createList, removeList, renameList } from "./change_lists.ts";
import { readCard } from "./contact_card.ts";
import { contactsCsv, contactsXlsx } from "./export_contacts.ts";
import { loadContacts, type LoadedCounts } from "./load_contacts.ts";
import { pageContacts } from "./page_contacts.ts";
import { readChosenColumns, readContactFile } from "./read_contact_file.ts";
import { type FoundList, readList, readLists, readOwnList } from "./read_list.ts";
import { rowsOfNumbers, type SortedRows } from "./contact_rows.ts";
import { hideList, showList } from "./show_list.ts";

const PROBLEMS_SHOWN = 5;
const contactParams = idParams.extend({ contact: idParams.shape.id });
const OWN = ["invalid_input", "not_logged_in", "not_found"] as const;
const CHANGE = [...OWN, "not_allowed"] as const;
const LOAD = [...CHANGE, "no_valid_contacts", "contacts_full"] as const;
const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const xlsxAnswer = {
  description: "A workbook",
  content: { [XLSX_TYPE]: { schema: { type: "string" as const, format: "binary" } } },
};
const fileBody = formBody({
  file: FILE_FIELD,
  consent: { type: "string", description: "JSON, as of the numbers pasted by hand" },
}, ["file"]);

/** Routes under /api/lists and /api/admin/lists. */
export function listRoutes(ctx: EdgeContext, door: LoginDoor) {
  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/lists",
        operationId: "listLists",
        summary: "The caller's lists by name; an administrator reads those of `client`",
        middleware: requireUser(),
        request: { query: listsQuerySchema },
        responses: {
          200: jsonAnswer(listsSchema, "All of them"),
          ...refusals("invalid_input", "not_logged_in"),
        },
      }),
      async (c) => {
        const { id, role } = c.get("user");
        const { client = id } = c.req.valid("query");
        // Another client's lists do not exist for a client.
        const items = role === "admin" || client === id ? await readLists(ctx, client) : [];
        return c.json({ items }, 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/lists",
        operationId: "createList",
        summary: "Creates an empty list",
        middleware: requireUser(),
        request: { body: jsonBody(listRequestSchema) },
        responses: { 201: jsonAnswer(listSchema, "The list"), ...refusals("invalid_input", "not_logged_in") },
      }),
      async (c) => {
        const user = c.get("user");
        const id = await createList(ctx, user.id, c.req.valid("json").name);
        return c.json(shown(await readList(ctx, user, id)), 201);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/lists/{id}",
        operationId: "readList",
        summary: "One list",
        middleware: requireUser(),
        request: { params: idParams },
        responses: { 200: jsonAnswer(oneListSchema, "The list"), ...refusals(...OWN) },
      }),
      async (c) => c.json(shown(await readList(ctx, c.get("user"), c.req.valid("param").id)), 200),
    )
    .openapi(
      createRoute({
        method: "patch",
        path: "/api/lists/{id}",
        operationId: "renameList",
        summary: "Gives a list another name",
        middleware: requireUser(),
        request: { params: idParams, body: jsonBody(listRequestSchema) },
        responses: { 200: jsonAnswer(listSchema, "The list"), ...refusals(...CHANGE) },
      }),
      async (c) => {
        const user = c.get("user");
        const { id: list, client } = await readOwnList(ctx, user, c.req.valid("param").id);
        await renameList(ctx, { list, client, name: c.req.valid("json").name });
        return c.json(shown(await readList(ctx, user, list)), 200);
      },
    )
    .openapi(
      createRoute({
        method: "delete",
        path: "/api/lists/{id}",
        operationId: "removeList",
        summary: "Removes a list, and the contacts that are in no other",
        middleware: requireUser(),
        request: { params: idParams },
        responses: { 204: { description: "Removed" }, ...refusals(...CHANGE) },
      }),
      async (c) => {
        const { id: list, client } = await readOwnList(ctx, c.get("user"), c.req.valid("param").id);
        await removeList(ctx, { list, client });
        return c.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/lists/{id}/search",
        operationId: "searchContacts",
        summary: "A page of a list's contacts, all or those found by the beginning of a number or a value",
        middleware: requireUser(),
        request: { params: idParams, body: jsonBody(contactQuerySchema) },
        responses: {
          200: jsonAnswer(contactPageSchema, "A page"),
          ...refusals(...OWN, "too_many_attempts"),
        },
      }),
      async (c) => {
        const user = c.get("user");
        const list = await readList(ctx, user, c.req.valid("param").id);
        return c.json(await pageContacts(ctx, user, list, c.req.valid("json")), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/lists/{id}/contacts",
        operationId: "addContact",
        summary: "Adds one contact by hand, or gives one that is there new values",
        middleware: requireUser(),
        request: { params: idParams, body: jsonBody(addContactRequestSchema) },
        responses: {
          201: jsonAnswer(contactSchema, "The contact"),
          ...refusals(...CHANGE, "contacts_full"),
        },
      }),
      async (c) => {
        const list = await readOwnList(ctx, c.get("user"), c.req.valid("param").id);
        const { id } = await addContact(ctx, list, c.req.valid("json"));
        const { phone, fields } = await readCard(ctx, list, id);
        return c.json({ id, phone, fields }, 201);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/lists/{id}/numbers",
        operationId: "addNumbersToList",
        summary: "Adds numbers pasted by hand",
        middleware: requireUser(),
        request: { params: idParams, body: manualBody },
        responses: {
          200: jsonAnswer(contactsAddedSchema, "What was added, and what was not"),
          ...refusals(...LOAD, "body_too_large"),
        },
      }),
      async (c) => {
        const user = c.get("user");
        const { numbers, consent } = await readManualBody(c.req.raw);
        // Check after the body, which may take long: a session that ended meanwhile changes nothing.
        const [list] = await Promise.all([
          readOwnList(ctx, user, c.req.valid("param").id),
          requireSession(ctx, user),
        ]);
        const yieldToEventLoop = createYieldToEventLoop({ left: c.req.raw.signal });
        const read = await readManualNumbers(numbers, { seed: seedOf(ctx), yieldToEventLoop });
        if (read.phones.length === 0) throw nothingValid(read);
        const rows = await rowsOfNumbers(read, yieldToEventLoop);
        return c.json(await load(ctx, user, list, { rows, source: "typed", consent, yieldToEventLoop }), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/lists/{id}/file",
        operationId: "addFileToList",
        summary: "Adds the people of a CSV file or a workbook; columns with a heading are their fields",
        middleware: requireUser(),
        request: { params: idParams, body: fileBody },
        responses: {
          200: jsonAnswer(contactsAddedSchema, "What was added, and what was not"),
          ...refusals(...LOAD, "body_too_large", "unsupported_media", "file_infected", "not_ready"),
        },
      }),
      async (c) => {
        const user = c.get("user");
        const { id } = c.req.valid("param");
        await readOwnList(ctx, user, id);
        const { file, form } = await readUpload(ctx, user, c.req.raw);
        const list = await readOwnList(ctx, user, id);
        const yieldToEventLoop = createYieldToEventLoop({ left: c.req.raw.signal });
        const { rows, ignored } = await readContactFile(file, { seed: seedOf(ctx), yieldToEventLoop });
        const consent = readConsentField(form);
        const added = await load(ctx, user, list, { rows, source: "file", consent, yieldToEventLoop });
        return c.json({ ...added, ignoredColumns: ignored }, 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/lists/{id}/staged",
        operationId: "addStagedFileToList",
        summary: "Adds the people of a staged file, with the values of the chosen columns",
        middleware: requireUser(),
        request: { params: idParams, body: jsonBody(takeInRequestSchema) },
        responses: {
          200: jsonAnswer(contactsAddedSchema, "What was added, and what was not"),
          ...refusals(...LOAD),
        },
      }),
      async (c) => {
        const user = c.get("user");
        const { file, choice, consent } = c.req.valid("json");
        const list = await readOwnList(ctx, user, c.req.valid("param").id);
        const kept = await readStaged(ctx, user.id, file);
        const yieldToEventLoop = createYieldToEventLoop({ left: c.req.raw.signal });
        const headingRow = await headingRowOf(kept, yieldToEventLoop);
        const options = { seed: seedOf(ctx), yieldToEventLoop };
        const rows = await readChosenColumns(kept.csv, { choice, headingRow }, options);
        const added = await load(ctx, user, list, { rows, source: "file", consent, yieldToEventLoop });
        await rememberChoice(ctx, user.id, kept.headingsKey, choice);
        await dropStaged(ctx, user.id, file);
        return c.json(added, 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/lists/{id}/campaign",
        operationId: "addCampaignToList",
        summary: "Adds the recipients of a campaign by their outcome",
        middleware: requireUser(),
        request: { params: idParams, body: jsonBody(addFromCampaignRequestSchema) },
        responses: { 200: jsonAnswer(contactsAddedSchema, "What was added"), ...refusals(...LOAD) },
      }),
      async (c) => {
        const user = c.get("user");
        const { campaign: id, states } = c.req.valid("json");
        const list = await readOwnList(ctx, user, c.req.valid("param").id);
        const campaign = await readOwnCampaign(ctx, user, id);
        const yieldToEventLoop = createYieldToEventLoop({ left: c.req.raw.signal });
        const counts = await addFromCampaign(ctx, list, campaign, states, yieldToEventLoop);
        return c.json(addedOf(counts, NOTHING_READ), 200);
      },
    )
    .openapi(
      createRoute({
        method: "delete",
        path: "/api/lists/{id}/contacts",
        operationId: "removeListContacts",
        summary: "Takes contacts out of a list; those that are then in no list are removed",
        middleware: requireUser(),
        request: { params: idParams, body: jsonBody(removeContactsRequestSchema) },
        responses: { 200: jsonAnswer(contactsRemovedSchema, "How many there were"), ...refusals(...CHANGE) },
      }),
      async (c) => {
        const list = await readOwnList(ctx, c.get("user"), c.req.valid("param").id);
        return c.json({ removed: await removeFromList(ctx, list, c.req.valid("json").ids) }, 200);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/lists/{id}/contacts/{contact}",
        operationId: "readContact",
        summary: "One contact: values, lists, messages, consents, removal",
        middleware: requireUser(),
        request: { params: contactParams },
        responses: { 200: jsonAnswer(contactCardSchema, "The contact's card"), ...refusals(...OWN) },
      }),
      async (c) => {
        const { id, contact } = c.req.valid("param");
        return c.json(await readCard(ctx, await readList(ctx, c.get("user"), id), contact), 200);
      },
    )
    .openapi(
      createRoute({
        method: "patch",
        path: "/api/lists/{id}/contacts/{contact}",
        operationId: "editContact",
        summary: "Replaces the values of a contact, in every list that it is in",
        middleware: requireUser(),
        request: { params: contactParams, body: jsonBody(editContactRequestSchema) },
        responses: { 200: jsonAnswer(contactCardSchema, "The contact's card"), ...refusals(...CHANGE) },
      }),
      async (c) => {
        const { id, contact } = c.req.valid("param");
        const list = await readOwnList(ctx, c.get("user"), id);
        await editContact(ctx, list, { contact, ...c.req.valid("json") });
        return c.json(await readCard(ctx, list, contact), 200);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/lists/{id}/contacts.csv",
        operationId: "exportContacts",
        summary: "The whole list, for a spreadsheet",
        middleware: requireUser(),
        request: { params: idParams },
        responses: { 200: csvAnswer, ...refusals(...OWN) },
      }),
      async (c) => {
        const user = c.get("user");
        const list = await readList(ctx, user, c.req.valid("param").id);
        await noteExport(ctx, user, list);
        return c.body(contactsCsv(ctx, user, list), 200, csvHeaders(`list-${list.id}.csv`));
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/lists/{id}/contacts.xlsx",
        operationId: "exportContactsWorkbook",
        summary: "The whole list as a workbook whose cells are all texts",
        middleware: requireUser(),
        request: { params: idParams },
        responses: { 200: xlsxAnswer, ...refusals(...OWN) },
      }),
      async (c) => {
        const user = c.get("user");
        const list = await readList(ctx, user, c.req.valid("param").id);
        await noteExport(ctx, user, list);
        const headers = { ...csvHeaders(`list-${list.id}.xlsx`), "content-type": XLSX_TYPE };
        return c.body(contactsXlsx(ctx, user, list), 200, headers);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/lists/{id}/numbers",
        operationId: "showList",
        summary:
          "Shows the list's numbers and values to this session for some minutes; the reason is audited",
        middleware: requireAdmin(),
        request: { params: idParams, body: jsonBody(showNumbersRequestSchema) },
        responses: {
          200: jsonAnswer(numbersShownSchema, "Until when"),
          ...refusals(...PROVED_REFUSALS, "invalid_input", "not_logged_in", "not_allowed", "not_found"),
        },
      }),
      async (c) => {
        const user = c.get("user");
        const list = await readList(ctx, user, c.req.valid("param").id);
        const { proof, reason } = c.req.valid("json");
        await proveAct(ctx, door, user, { proof, address: clientAddress(c) });
        return c.json({ until: await showList(ctx, user, list, reason) }, 200);
      },
    )
    .openapi(
      createRoute({
        method: "delete",
        path: "/api/admin/lists/{id}/numbers",
        operationId: "maskList",
        summary: "Masks them again",
        middleware: requireAdmin(),
        request: { params: idParams },
        responses: { 204: { description: "Done" }, ...adminRefusals },
      }),
      async (c) => {
        await hideList(ctx, c.get("user"), c.req.valid("param").id);
        return c.body(null, 204);
      },
    );
}

function shown({ isMasked: _, ...list }: FoundList) {
  return list;
}

interface Loading {
  rows: SortedRows;
  source: "file" | "typed";
  consent: Consent | undefined;
  yieldToEventLoop: ReturnType<typeof createYieldToEventLoop>;
}

async function load(
  ctx: EdgeContext,
  { id: user }: Pick<SessionUser, "id">,
  { id: list, client }: FoundList,
  { consent, rows, ...how }: Loading,
): Promise<ContactsAdded> {
  await addFieldNames(ctx, { list, client, names: rows.names });
  const declaration = consent === undefined
    ? null
    : await declareListConsent(ctx, consent, { client, list, user });
  const counts = await loadContacts(ctx, { client, list, rows, declaration, ...how });
  return addedOf(counts, rows.list);
}

const NOTHING_READ = { duplicates: 0, invalid: 0, rejected: [] };

function addedOf(
  counts: LoadedCounts,
  { duplicates, invalid, rejected }: Pick<ContactList, "duplicates" | "invalid" | "rejected">,
): ContactsAdded {
  return { ...counts, duplicates, invalid, ignoredColumns: [], problems: rejected.slice(0, PROBLEMS_SHOWN) };
}

async function noteExport(ctx: EdgeContext, { id }: SessionUser, list: FoundList): Promise<void> {
  await writeAudit(ctx, {
    kind: "exported",
    actor: id,
    user: list.client,
    data: { what: "list", list: list.id },
  });
}
